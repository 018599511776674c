// SPDX-License-Identifier: GPL-3.0-or-later
// How the user left a run.
#include "app/window/run_session.h"

#include <algorithm>
#include <array>
#include <limits>

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSettings>

#include "app/settings/settings.h"
#include "core/base/whole_file.h"
#include "core/input/find/bounded_config.h"
#include "widgets/timeline/overlays.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kSessionVersion = 1;
constexpr std::uint64_t kLargestSession = 4u << 20;
constexpr int kHighestPanel = 10'000; ///< pixels

// As text: JSON numbers are doubles, which do not hold every nanosecond.
QString momentText(TimeNs time) { return QString::number(time); }

std::optional<TimeNs> timeFrom(const QJsonValue& value) {
    bool ok = false;
    const TimeNs time = value.toString().toLongLong(&ok);
    return ok ? std::optional(time) : std::nullopt;
}

QJsonArray rangeJson(const TimeRange& range) { return {momentText(range.begin), momentText(range.end)}; }

std::optional<TimeRange> rangeFrom(const QJsonValue& value) {
    const auto begin = timeFrom(value.toArray().at(0));
    const auto end = timeFrom(value.toArray().at(1));
    // Half of what fits leaves room to add the run's start.
    constexpr TimeNs kFarthest = std::numeric_limits<TimeNs>::max() / 4;
    if (!begin || !end || *end <= *begin || *begin < -kFarthest || *end > kFarthest)
        return {};
    return TimeRange{*begin, *end};
}

QJsonObject eventJson(const EventRef& event) {
    return {{u"rank"_s, event.rank}, {u"event"_s, static_cast<qint64>(event.event)}};
}

std::optional<EventRef> eventFrom(const QJsonValue& value) {
    const qint64 event = value.toObject().value(u"event"_s).toInteger(-1);
    if (event < 0 || event >= kNoEvent)
        return {};
    return EventRef{value.toObject().value(u"rank"_s).toInt(), static_cast<EventIndex>(event)};
}

QJsonObject bookmarkJson(const Bookmark& bookmark) {
    QJsonObject json{{u"range"_s, rangeJson(bookmark.range)}, {u"label"_s, bookmark.label}, {u"note"_s, bookmark.note}};
    if (bookmark.event)
        json.insert(u"event"_s, eventJson(*bookmark.event));
    if (bookmark.marked)
        json.insert(u"marked"_s, rangeJson(*bookmark.marked));
    return json;
}

// Words, not numbers: an origin added later must not change what a file means.
constexpr std::array kOriginWords{"run"_L1, "step"_L1, "wall_clock"_L1};

QJsonArray overlaysJson(const std::set<QString>& overlays) {
    QJsonArray shown;
    for (const OverlayEntry& overlay : overlayEntries())
        if (overlays.contains(overlay.id))
            shown.append(overlay.id);
    return shown;
}

std::set<QString> overlaysFrom(const QJsonValue& value) {
    std::set<QString> overlays;
    for (const auto& id : value.toArray())
        if (overlayEntry(id.toString()) != nullptr)
            overlays.insert(id.toString());
    return overlays;
}

QJsonObject noticesJson(const HiddenNotices& notices) {
    QJsonObject json;
    for (const auto& [kind, count] : notices)
        json.insert(QLatin1StringView(kind), static_cast<qint64>(count));
    return json;
}

HiddenNotices noticesFrom(const QJsonObject& json) {
    HiddenNotices notices;
    for (auto entry = json.begin(); entry != json.end(); ++entry)
        if (const auto code = NoticeCode::of(entry.key().toStdString()))
            notices[code->word()] = entry->toInteger();
    return notices;
}

TimeOrigin originFrom(const QJsonValue& value) {
    const auto found = std::ranges::find(kOriginWords, value.toString());
    return found == kOriginWords.end() ? TimeOrigin::run : static_cast<TimeOrigin>(found - kOriginWords.begin());
}

} // namespace

QJsonObject toJson(const RunSession& session) {
    QJsonObject json{{u"version"_s, kSessionVersion},
                     {u"screen"_s, session.screen},
                     {u"lanes"_s, session.lanes},
                     {u"overlays"_s, overlaysJson(session.overlays)},
                     {u"hidden_notices"_s, noticesJson(session.hiddenNotices)},
                     {u"ruler"_s, kOriginWords[static_cast<std::size_t>(session.origin)]}};
    if (session.panel)
        json.insert(u"panel"_s, *session.panel);
    if (session.panelHeight > 0)
        json.insert(u"panel_height"_s, session.panelHeight);
    if (session.top)
        json.insert(u"top"_s, toJson(*session.top));
    if (session.marked)
        json.insert(u"marked"_s, rangeJson(*session.marked));
    if (session.visible)
        json.insert(u"visible"_s, rangeJson(*session.visible));
    if (session.selection) {
        json.insert(u"selection"_s, eventJson(*session.selection));
        json.insert(u"selection_start"_s, momentText(session.selectionStart));
    }
    QJsonArray bookmarks;
    for (const Bookmark& bookmark : session.bookmarks)
        bookmarks.append(bookmarkJson(bookmark));
    json.insert(u"bookmarks"_s, bookmarks);
    return json;
}

Result<RunSession> sessionFromJson(const QByteArray& text) {
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    if (json.value(u"version"_s).toInt() != kSessionVersion)
        return tl::unexpected<Error>(
            Error{Error::Code::input, "it is damaged, or of another version of Rankscope"_text});
    RunSession session;
    session.screen = json.value(u"screen"_s).toString();
    session.visible = rangeFrom(json.value(u"visible"_s));
    session.selectionStart = timeFrom(json.value(u"selection_start"_s)).value_or(0);
    session.selection = eventFrom(json.value(u"selection"_s));
    session.lanes = json.value(u"lanes"_s).toObject();
    session.overlays = overlaysFrom(json.value(u"overlays"_s));
    session.hiddenNotices = noticesFrom(json.value(u"hidden_notices"_s).toObject());
    session.origin = originFrom(json.value(u"ruler"_s));
    if (const QJsonValue panel = json.value(u"panel"_s); panel.isString())
        session.panel = panel.toString();
    session.panelHeight = std::clamp(json.value(u"panel_height"_s).toInt(), 0, kHighestPanel);
    session.top = lanePlaceFrom(json.value(u"top"_s));
    session.marked = rangeFrom(json.value(u"marked"_s));
    for (const auto& value : json.value(u"bookmarks"_s).toArray()) {
        const QJsonObject object = value.toObject();
        if (const auto range = rangeFrom(object.value(u"range"_s)))
            session.bookmarks.push_back({*range, eventFrom(object.value(u"event"_s)),
                                         rangeFrom(object.value(u"marked"_s)), object.value(u"label"_s).toString(),
                                         object.value(u"note"_s).toString()});
    }
    return session;
}

QString sessionFile(const QString& runPath) {
    const QByteArray hash = QCryptographicHash::hash(runPath.toUtf8(), QCryptographicHash::Sha1).toHex();
    return QFileInfo(openSettings()->fileName()).absolutePath() + u"/sessions/"_s + QString::fromLatin1(hash) +
           u".json"_s;
}

Result<std::optional<RunSession>> readSession(const QString& runPath) {
    const QString file = sessionFile(runPath);
    if (!QFileInfo::exists(file))
        return std::optional<RunSession>();
    const auto text = read_bounded_file(file.toStdString(), kLargestSession);
    if (!text)
        return tl::unexpected<Error>(text.error());
    auto session = sessionFromJson(QByteArray::fromStdString(*text));
    if (!session)
        return tl::unexpected<Error>(session.error());
    return std::optional(std::move(*session));
}

Result<void> writeSession(const QString& runPath, const RunSession& session) {
    const QString file = sessionFile(runPath);
    if (!QDir().mkpath(QFileInfo(file).absolutePath()))
        return tl::unexpected<Error>(
            Error{Error::Code::output, "%1: cannot be made"_text(QFileInfo(file).absolutePath().toStdString())});
    QJsonObject json = toJson(session);
    json.insert(u"run"_s, runPath); // for people who look into the file
    const QByteArray text = QJsonDocument(json).toJson();
    return write_whole_file(file.toStdString(),
                            std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
}

} // namespace rankscope
