// SPDX-License-Identifier: GPL-3.0-or-later
// The runs at hand, by the folder the user added.
#include "widgets/panels/runs_model.h"

#include <algorithm>
#include <set>

#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/panels/capture_key.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString ranksText(const RunEntry& run) {
    if (run.state != RunState::loaded)
        return run.ranks == 1 ? RunsModel::tr("1 file") : RunsModel::tr("%1 files", nullptr, run.ranks).arg(run.ranks);
    if (run.worldSize > 1)
        return RunsModel::tr("%1 of %2 ranks", nullptr, run.worldSize).arg(run.ranks).arg(run.worldSize);
    return run.ranks == 1 ? RunsModel::tr("1 rank") : RunsModel::tr("%1 ranks", nullptr, run.ranks).arg(run.ranks);
}

QString iterationText(const RunEntry& run) {
    return run.iterationMs ? timeTextOfUs(*run.iterationMs * 1000) : QString();
}

QString summary(const RunEntry& run) {
    if (run.state == RunState::failed)
        return run.message;
    if (run.state == RunState::loading)
        return RunsModel::tr("reading, %1").arg(percentText(100 * run.progress));
    QStringList parts{ranksText(run), run.hardware, iterationText(run), byteText(run.bytes)};
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

QString stateText(const RunEntry& run) {
    switch (run.state) {
    case RunState::listed: return RunsModel::tr("not read yet");
    case RunState::loading: return RunsModel::tr("reading");
    case RunState::loaded: return run.lost.isEmpty() ? RunsModel::tr("read") : RunsModel::tr("read, but not whole");
    case RunState::failed: return RunsModel::tr("could not be read");
    }
    return {};
}

/// The first few; the bar of notices has all.
QString lostOf(const Run& run) {
    constexpr qsizetype kShown = 3;
    QStringList lines;
    qsizetype more = 0;
    for (const Notice& notice : run.notices) {
        if (notice.code.kind().severity != NoticeSeverity::lost)
            continue;
        if (lines.size() == kShown) {
            ++more;
            continue;
        }
        const QString file = QFileInfo(QString::fromStdString(notice.file)).fileName();
        const QString words = messageText(notice.message);
        lines << RunsModel::tr("Not whole: %1")
                     .arg(file.isEmpty() || words.contains(file) ? words : file + u": "_s + words);
    }
    if (more > 0)
        lines << RunsModel::tr("and %1 more", nullptr, plural(more)).arg(more);
    return lines.join(u'\n');
}

RunEntry entryOf(const FoundRun& found) {
    RunEntry run;
    run.path = QString::fromStdString(found.path.string());
    run.name = captureName(run.path);
    if (run.name.isEmpty())
        run.name = run.path;
    run.ranks = found.files;
    run.bytes = found.bytes;
    return run;
}

} // namespace

RunsModel::~RunsModel() = default;

void RunsModel::addFolder(const QString& path, std::span<const FoundRun> found) {
    auto folder = std::make_unique<Folder>();
    folder->path = path;
    for (const FoundRun& one : found) {
        RunEntry run = entryOf(one);
        if (const RunEntry* known = find(run.path); known != nullptr && known->state != RunState::failed)
            run = *known;
        folder->runs.push_back(std::move(run));
    }
    const auto same = std::ranges::find(folders_, path, [](const auto& f) { return f->path; });
    const int row = static_cast<int>(same - folders_.begin());
    if (same != folders_.end()) {
        beginRemoveRows({}, row, row);
        folders_.erase(same);
        endRemoveRows();
    }
    beginInsertRows({}, row, row);
    folders_.insert(folders_.begin() + row, std::move(folder));
    endInsertRows();
}

void RunsModel::addCapture(const QString& key) {
    const CaptureKey capture = captureOf(key);
    const RunEntry* preferred = find(capture.path);
    if (!capture.source || preferred == nullptr || find(key) != nullptr)
        return;
    const auto folder = std::ranges::find_if(folders_, [&](const auto& f) {
        return std::ranges::find(f->runs, capture.path, &RunEntry::path) != f->runs.end();
    });
    std::vector<FoundRun> found;
    for (const RunEntry& run : (*folder)->runs) {
        found.push_back({run.path.toStdString(), run.ranks, run.bytes});
        if (run.path == capture.path)
            found.push_back({key.toStdString(), run.ranks, run.bytes});
    }
    addFolder(QString((*folder)->path), found);
}

void RunsModel::removeRow(const QModelIndex& index) {
    if (!index.isValid())
        return;
    const QModelIndex above = parent(index);
    if (!above.isValid() || folders_[static_cast<std::size_t>(above.row())]->runs.size() == 1) {
        const int row = above.isValid() ? above.row() : index.row();
        beginRemoveRows({}, row, row);
        folders_.erase(folders_.begin() + row);
        endRemoveRows();
        return;
    }
    // Of a folder with runs left only the run goes. The folder does not turn into a run: its path is another one.
    auto& runs = folders_[static_cast<std::size_t>(above.row())]->runs;
    beginRemoveRows(above, index.row(), index.row());
    runs.erase(runs.begin() + index.row());
    endRemoveRows();
}

RunEntry* RunsModel::find(const QString& path) {
    for (const auto& folder : folders_)
        for (RunEntry& run : folder->runs)
            if (run.path == path)
                return &run;
    return nullptr;
}

template <typename Change>
void RunsModel::change(const QString& path, Change&& apply) {
    RunEntry* run = find(path);
    if (run == nullptr)
        return;
    apply(*run);
    const QModelIndex first = indexOf(path);
    Q_EMIT dataChanged(first, first.siblingAtColumn(columnEnd - 1));
}

void RunsModel::setLoading(const QString& path, double progress) {
    change(
        path,
        [&](RunEntry& run) {
            run.state = RunState::loading;
            run.progress = progress;
        });
}

void RunsModel::setLoaded(const QString& path, const Run& loaded) {
    std::set<std::string> devices;
    for (const auto& rank : loaded.ranks)
        for (const Device& device : rank->devices)
            if (!device.name.empty())
                devices.insert(device.name);
    change(path, [&](RunEntry& run) {
        run.state = RunState::loaded;
        run.ranks = static_cast<int>(loaded.ranks.size());
        run.worldSize = loaded.world_size;
        const std::string_view source = trace_source_word(loaded.source);
        run.source = QString::fromUtf8(source.data(), static_cast<qsizetype>(source.size()));
        run.hardware = devices.empty() ? QString() : QString::fromStdString(*devices.begin());
        run.bytes = loaded.file_bytes();
        run.message.clear();
        run.lost = lostOf(loaded);
    });
}

void RunsModel::setIteration(const QString& path, std::optional<double> milliseconds) {
    change(
        path, [&](RunEntry& run) { run.iterationMs = milliseconds; });
}

void RunsModel::setFailed(const QString& path, const QString& message) {
    change(
        path,
        [&](RunEntry& run) {
            run.state = RunState::failed;
            run.message = message;
        });
}

void RunsModel::setListed(const QString& path) {
    change(
        path, [](RunEntry& run) { run.state = RunState::listed; });
}

void RunsModel::setOpen(const QString& path) {
    const QString before = std::exchange(open_, path);
    change(before, [](RunEntry&) {});
    change(path, [](RunEntry&) {});
}

QModelIndex RunsModel::indexOf(const QString& path) const {
    for (std::size_t row = 0; row < folders_.size(); ++row) {
        const Folder& folder = *folders_[row];
        if (folder.isRun() && folder.path == path)
            return index(static_cast<int>(row), 0);
        if (folder.isRun())
            continue;
        const auto run = std::ranges::find(folder.runs, path, &RunEntry::path);
        if (run != folder.runs.end())
            return index(static_cast<int>(run - folder.runs.begin()), 0, index(static_cast<int>(row), 0));
    }
    return {};
}

const RunEntry* RunsModel::entry(const QModelIndex& index) const {
    if (!index.isValid())
        return nullptr;
    if (const auto* folder = static_cast<const Folder*>(index.internalPointer()))
        return &folder->runs[static_cast<std::size_t>(index.row())];
    const Folder& folder = *folders_[static_cast<std::size_t>(index.row())];
    return folder.isRun() ? &folder.runs.front() : nullptr;
}

QStringList RunsModel::runPaths() const {
    QStringList paths;
    for (const auto& folder : folders_)
        for (const RunEntry& run : folder->runs)
            paths << run.path;
    return paths;
}

QStringList RunsModel::folderPaths() const {
    QStringList paths;
    for (const auto& folder : folders_)
        paths << folder->path;
    return paths;
}

QStringList RunsModel::pathsUnder(const QModelIndex& index) const {
    if (const RunEntry* run = entry(index))
        return {run->path};
    QStringList paths;
    for (int row = 0; row < rowCount(index); ++row)
        paths << entry(this->index(row, 0, index))->path;
    return paths;
}

// A first-level index carries no pointer, a second-level one that of its folder.
QModelIndex RunsModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column,
                       parent.isValid() ? folders_[static_cast<std::size_t>(parent.row())].get() : nullptr);
}

QModelIndex RunsModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalPointer() == nullptr)
        return {};
    const auto folder =
        std::ranges::find(folders_, index.internalPointer(), [](const auto& f) { return static_cast<void*>(f.get()); });
    return createIndex(static_cast<int>(folder - folders_.begin()), 0, nullptr);
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(folders_.size());
    if (parent.internalPointer() != nullptr || parent.column() > 0)
        return 0;
    const Folder& folder = *folders_[static_cast<std::size_t>(parent.row())];
    return folder.isRun() ? 0 : static_cast<int>(folder.runs.size());
}

int RunsModel::columnCount(const QModelIndex&) const { return columnEnd; }

QVariant RunsModel::runData(const RunEntry& run, int column, int role) const {
    const QString lost = run.state == RunState::loaded ? run.lost : QString();
    switch (role) {
    case pathRole: return run.path;
    case stateRole: return static_cast<int>(run.state);
    case progressRole: return run.progress;
    case summaryRole: return summary(run);
    case openRole: return run.path == open_;
    case lostRole: return lost;
    case searchRole: return QString(run.name % u' ' % run.hardware % u' ' % run.source % u' ' % run.path);
    case Qt::AccessibleTextRole: return QString(run.name % u", "_s % stateText(run) % u", "_s % summary(run));
    case Qt::ToolTipRole:
        return toolTipText(QString(captureOf(run.path).path % u'\n' % summary(run) % u'\n' %
                                   (lost.isEmpty() ? QString() : QString(lost % u'\n')) %
                                   tr("Double-click: open it. Drag it onto another run: compare the two.")));
    case Qt::TextAlignmentRole:
        return column == iterationColumn || column == sizeColumn
                   ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
                   : QVariant();
    case Qt::DisplayRole: break;
    default: return {};
    }
    switch (column) {
    case nameColumn: return run.name;
    case ranksColumn: return ranksText(run);
    case sourceColumn: return run.source;
    case hardwareColumn: return run.hardware;
    case iterationColumn: return iterationText(run);
    case sizeColumn: return byteText(run.bytes);
    default: return {};
    }
}

QVariant RunsModel::folderData(const Folder& folder, int column, int role) const {
    if (role == searchRole || role == Qt::ToolTipRole)
        return folder.path;
    if (role == summaryRole)
        return runCountText(std::ssize(folder.runs));
    if (role == Qt::DisplayRole && column == nameColumn)
        return QFileInfo(folder.path).fileName();
    return {};
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunEntry* run = entry(index);
    return run != nullptr ? runData(*run, index.column(), role)
                          : folderData(*folders_[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case nameColumn: return tr("Run");
    case ranksColumn: return tr("Ranks");
    case sourceColumn: return tr("Source");
    case hardwareColumn: return tr("Hardware");
    case iterationColumn: return tr("Step on the host");
    case sizeColumn: return tr("Size");
    default: return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags drop = Qt::ItemIsDropEnabled;
    if (!index.isValid())
        return drop;
    return QAbstractItemModel::flags(index) | drop |
           (entry(index) != nullptr ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

QStringList RunsModel::mimeTypes() const { return {u"text/uri-list"_s}; }

QMimeData* RunsModel::mimeData(const QModelIndexList& indexes) const {
    QList<QUrl> urls;
    for (const QModelIndex& index : indexes)
        if (const RunEntry* run = entry(index); run != nullptr && index.column() == nameColumn)
            urls << QUrl::fromLocalFile(run->path);
    auto data = std::make_unique<QMimeData>();
    data->setUrls(urls);
    return data.release(); // the drag owns it, as Qt wants it
}

bool RunsModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int, const QModelIndex&) const {
    return data != nullptr && !localPaths(*data).isEmpty();
}

bool RunsModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                             const QModelIndex& parent) {
    if (action == Qt::IgnoreAction)
        return true;
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    QStringList paths = localPaths(*data);
    const RunEntry* target = parent.isValid() ? entry(parent) : nullptr;
    if (target != nullptr && !paths.contains(target->path)) {
        paths.prepend(target->path);
        Q_EMIT comparisonDropped(paths);
        return true;
    }
    const auto isListed = [this](const QString& path) { return indexOf(path).isValid(); };
    if (!std::all_of(paths.begin(), paths.end(), isListed)) // listed ones dropped beside all runs stay where they are
        Q_EMIT pathsDropped(paths);
    return true;
}

QStringList localPaths(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << QDir::cleanPath(url.toLocalFile());
    return paths;
}

} // namespace rankscope
