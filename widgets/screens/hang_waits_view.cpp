// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom, as a matrix.
#include "widgets/screens/hang_waits_view.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/palette.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kCell = 26;
constexpr int kGap = 3;
constexpr std::size_t kMostColumns = 48;
constexpr std::size_t kMostRows = 128;
constexpr int kWidestLabel = 190;

/// Letters tell groups apart as colours do.
QString groupLetter(std::size_t group) {
    constexpr std::size_t kLetters = 26;
    return group < kLetters ? QString(QChar(u'A' + static_cast<char16_t>(group))) : QString::number(group);
}

QColor groupColour(std::size_t group, bool dark) {
    static constexpr std::array kHues{Hue::compute,    Hue::communication, Hue::memory,
                                      Hue::annotation, Hue::overlap,       Hue::operatorCall};
    return hue(kHues[group % kHues.size()], dark);
}

QString rankWords(const std::vector<int>& ranks) { return messageText(rank_list_text(ranks)); }

} // namespace

HangWaitsView::HangWaitsView(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Who waits for whom"));
    setMouseTracking(false);
}

void HangWaitsView::setHang(std::shared_ptr<const Hang> hang) {
    hang_ = std::move(hang);
    rows_.clear();
    columns_.clear();
    groups_.clear();
    rowsLeftOut_ = columnsLeftOut_ = 0;
    current_ = -1;
    std::map<std::pair<std::string, std::string>, int> numbers;
    std::map<int, std::map<int, int>> waits; // waiter -> awaited -> group
    std::set<int> awaited;
    for (const HangLink& link : hang_ ? hang_->links : std::vector<HangLink>()) {
        const auto [known, added] =
            numbers.try_emplace({link.call.description, link.call.description.empty() ? link.call.group : ""},
                                static_cast<int>(groups_.size()));
        if (added)
            groups_.push_back(nameText(link.call.description.empty() ? link.call.group : link.call.description));
        waits[link.waiter].try_emplace(link.awaited, known->second);
        awaited.insert(link.awaited);
    }
    const auto badness = [this](int rank) {
        const HangRank* of = hang_->rank(rank);
        return std::pair(of == nullptr ? HangVerdict::unconcerned : of->verdict, rank);
    };
    columns_.assign(awaited.begin(), awaited.end());
    std::ranges::sort(columns_, {}, badness);
    if (columns_.size() > kMostColumns) {
        columnsLeftOut_ = columns_.size() - kMostColumns;
        columns_.resize(kMostColumns);
    }
    std::map<std::vector<int>, std::size_t> rowOf;
    for (const auto& [waiter, of] : waits) {
        std::vector<int> groups(columns_.size(), -1);
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (const auto found = of.find(columns_[c]); found != of.end())
                groups[c] = found->second;
        if (std::ranges::all_of(groups, [](int group) { return group < 0; }))
            continue;
        const auto [known, added] = rowOf.try_emplace(groups, rows_.size());
        if (added)
            rows_.push_back({{}, groups});
        rows_[known->second].ranks.push_back(waiter);
    }
    // Those that wait for the culprits directly stand at the top.
    std::ranges::stable_sort(rows_, {}, [](const Row& row) {
        return std::ranges::find_if(row.groups, [](int group) { return group >= 0; }) - row.groups.begin();
    });
    if (rows_.size() > kMostRows) {
        rowsLeftOut_ = rows_.size() - kMostRows;
        rows_.resize(kMostRows);
    }
    updateGeometry();
    resize(sizeHint());
    update();
}

void HangWaitsView::setCurrentRank(int rank) {
    current_ = rank;
    update();
}

int HangWaitsView::labelWidth() const {
    int width = fontMetrics().horizontalAdvance(tr("waits"));
    for (const Row& row : rows_)
        width = std::max(width, fontMetrics().horizontalAdvance(rankWords(row.ranks)));
    return std::min(width, kWidestLabel) + 10;
}

int HangWaitsView::headHeight() const { return 2 * fontMetrics().height() + 10; }

QRect HangWaitsView::cell(std::size_t row, std::size_t column) const {
    return {labelWidth() + static_cast<int>(column) * (kCell + kGap),
            headHeight() + static_cast<int>(row) * (kCell + kGap), kCell, kCell};
}

QPoint HangWaitsView::cellCentre(std::size_t row, std::size_t column) const { return cell(row, column).center(); }

QSize HangWaitsView::sizeHint() const {
    const int line = fontMetrics().height() + 4;
    const int legend = static_cast<int>(groups_.size() + (rowsLeftOut_ + columnsLeftOut_ > 0 ? 1 : 0)) * line + 12;
    int width = labelWidth() + static_cast<int>(columns_.size()) * (kCell + kGap) + 8;
    for (const QString& group : groups_)
        width = std::max(width, fontMetrics().horizontalAdvance(group) + kCell + 16);
    return {width, headHeight() + static_cast<int>(rows_.size()) * (kCell + kGap) + legend};
}

QString HangWaitsView::describe(std::size_t row, std::size_t column) const {
    const int group = rows_[row].groups[column];
    if (group < 0)
        return {};
    const bool one = rows_[row].ranks.size() == 1;
    QString words = rankWords(rows_[row].ranks);
    words.replace(0, 1, words.at(0).toUpper());
    return (one ? tr("%1 waits for rank %2 in %3") : tr("%1 wait for rank %2 in %3"))
        .arg(words)
        .arg(columns_[column])
        .arg(groups_[static_cast<std::size_t>(group)]);
}

void HangWaitsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = isDark(palette());
    const QColor text = palette().color(QPalette::WindowText), dim = palette().color(QPalette::PlaceholderText);
    const int line = fontMetrics().height();
    painter.setPen(dim);
    painter.drawText(QRect(0, 0, width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     rows_.empty() ? tr("No rank is known to wait for a certain rank.")
                                   : tr("Rows wait for columns; letters are groups."));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const HangRank* rank = hang_->rank(columns_[c]);
        const bool bad = rank != nullptr && rank->verdict <= HangVerdict::no_dump;
        QFont font = painter.font();
        font.setBold(bad);
        painter.setFont(font);
        painter.setPen(bad ? hue(Hue::bad, dark) : text);
        const QRect at = cell(0, c);
        painter.drawText(QRect(at.left() - kGap, line + 4, kCell + 2 * kGap, line), Qt::AlignCenter,
                         QString::number(columns_[c]));
        font.setBold(false);
        painter.setFont(font);
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const bool marked = std::ranges::find(rows_[r].ranks, current_) != rows_[r].ranks.end();
        const QRect label(0, cell(r, 0).top(), labelWidth() - 8, kCell);
        painter.setPen(marked ? palette().color(QPalette::Link) : text);
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                         fontMetrics().elidedText(rankWords(rows_[r].ranks), Qt::ElideRight, label.width()));
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const int group = rows_[r].groups[c];
            const QRect at = cell(r, c);
            painter.setPen(Qt::NoPen);
            if (group < 0) {
                QColor empty = dim;
                empty.setAlphaF(0.12F);
                painter.setBrush(empty);
                painter.drawRoundedRect(at, 3, 3);
                continue;
            }
            const QColor colour = groupColour(static_cast<std::size_t>(group), dark);
            painter.setBrush(colour);
            if (marked || columns_[c] == current_)
                painter.setPen(QPen(text, 2));
            painter.drawRoundedRect(at, 3, 3);
            painter.setPen(textOn(colour));
            painter.drawText(at, Qt::AlignCenter, groupLetter(static_cast<std::size_t>(group)));
        }
    }
    int y = headHeight() + static_cast<int>(rows_.size()) * (kCell + kGap) + 8;
    for (std::size_t g = 0; g < groups_.size(); ++g, y += line + 4) {
        const QRect key(0, y, line, line);
        const QColor colour = groupColour(g, dark);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(key, 3, 3);
        painter.setPen(textOn(colour));
        painter.drawText(key, Qt::AlignCenter, groupLetter(g));
        painter.setPen(text);
        painter.drawText(QRect(line + 8, y, width() - line - 8, line), Qt::AlignLeft | Qt::AlignVCenter, groups_[g]);
    }
    if (rowsLeftOut_ + columnsLeftOut_ > 0) {
        painter.setPen(dim);
        painter.drawText(
            QRect(0, y, width(), line), Qt::AlignLeft,
            tr("%1 more rows and %2 more columns are in the table.").arg(rowsLeftOut_).arg(columnsLeftOut_));
    }
}

void HangWaitsView::mousePressEvent(QMouseEvent* event) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const QRect row(0, cell(r, 0).top(), width(), kCell);
        if (!row.contains(event->pos()))
            continue;
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (cell(r, c).contains(event->pos()))
                return Q_EMIT rankChosen(columns_[c]);
        return Q_EMIT rankChosen(rows_[r].ranks.front());
    }
}

bool HangWaitsView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t r = 0; r < rows_.size(); ++r)
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (cell(r, c).contains(help->pos()) && rows_[r].groups[c] >= 0) {
                QToolTip::showText(help->globalPos(), describe(r, c), this);
                return true;
            }
    QToolTip::hideText();
    return true;
}

} // namespace rankscope
