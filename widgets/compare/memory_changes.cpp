// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots of two runs.
#include "widgets/compare/memory_changes.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/column_model.h"
#include "widgets/words_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString signedBytes(std::int64_t bytes) {
    const QString size = byteText(static_cast<quint64>(std::abs(bytes)));
    return bytes == 0 ? size : QChar(bytes > 0 ? u'+' : u'\u2212') + size;
}

constexpr int kNumbers = 4; ///< columns, the last ones

/// What it was for, or where in the program it was allocated; sums in both runs.
std::vector<TableColumn> memoryColumns(const std::shared_ptr<const RunComparison>& comparison, std::size_t number,
                                       bool ofPlaces) {
    const auto row = [=](int r) -> const MemoryChange& {
        const DeviceMemoryComparison& pair = comparison->memory()[number];
        return (ofPlaces ? pair.by_place : pair.by_category)[static_cast<std::size_t>(r)];
    };
    const auto name = [](const std::string& recorded, const QString& none) {
        return recorded.empty() ? none : nameText(recorded);
    };
    const auto bytesColumn = [row](const QString& title, const QString& tip, std::int64_t MemoryChange::*side) {
        return TableColumn{
            title, tip, [=](int r) { return byteText(static_cast<quint64>(std::max<std::int64_t>(0, row(r).*side))); },
            [=](int r) { return static_cast<double>(row(r).*side); }};
    };
    std::vector<TableColumn> columns;
    if (ofPlaces) {
        columns.push_back({MemoryChanges::tr("Place in the program"),
                           MemoryChanges::tr("The innermost frame of the program, outside of installed packages"),
                           [=](int r) { return name(row(r).name, MemoryChanges::tr("no stack recorded")); }});
        columns.push_back({MemoryChanges::tr("Called by"), MemoryChanges::tr("The next frame of the program around it"),
                           [=](int r) { return name(row(r).caller, u"\u2013"_s); }});
    } else {
        columns.push_back({MemoryChanges::tr("Category"),
                           MemoryChanges::tr("What the memory was for, as the snapshot tells"),
                           [=](int r) { return name(row(r).name, MemoryChanges::tr("no category recorded")); }});
    }
    columns.push_back(bytesColumn(MemoryChanges::tr("Baseline"), MemoryChanges::tr("Live at the peak of the baseline"),
                                  &MemoryChange::baseline));
    columns.push_back(
        bytesColumn(MemoryChanges::tr("Test"), MemoryChanges::tr("Live at the peak of the test"), &MemoryChange::test));
    columns.push_back({MemoryChanges::tr("Difference"), MemoryChanges::tr("Test less baseline"),
                       [=](int r) { return signedBytes(row(r).grown()); },
                       [=](int r) { return static_cast<double>(row(r).grown()); }});
    columns.push_back({MemoryChanges::tr("Change"), MemoryChanges::tr("Of the baseline"),
                       [=](int r) {
                           const auto percent = row(r).grown_percent();
                           return percent ? signedPercentText(*percent) : u"\u2013"_s;
                       },
                       [=](int r) { return row(r).grown_percent().value_or(0); }});
    return columns;
}

} // namespace

MemoryChanges::MemoryChanges(QWidget* parent)
    : QWidget(parent), words_(wordsLabel()), rankChoice_(new QComboBox), kindChoice_(new QComboBox),
      table_(new QTableView), nothing_(wordsLabel()), model_(new ColumnModel(this)) {
    nothing_->setText(tr("No place in the program holds more or less at the peak."));
    words_->setAccessibleName(tr("What changed in memory, in words"));
    rankChoice_->setAccessibleName(tr("Rank whose memory is compared"));
    kindChoice_->setAccessibleName(tr("What the memory is summed by"));
    kindChoice_->addItem(tr("By place in the program"), places);
    kindChoice_->addItem(tr("By category"), categories);
    table_->setModel(new ColumnOrder(model_));
    prepareTable(*table_, tr("Memory at the peak of both runs"));
    table_->setSortingEnabled(true);
    connect(rankChoice_, &QComboBox::currentIndexChanged, this, &MemoryChanges::showRank);
    connect(kindChoice_, &QComboBox::currentIndexChanged, this, &MemoryChanges::fillTable);
    auto* title = new QLabel(tr("Memory at the peak"));
    title->setToolTip(tr("What memory snapshots record as requested and not freed when most of it was"));
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(rankChoice_);
    head->addWidget(kindChoice_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 8, 6, 0);
    layout->addWidget(words_);
    layout->addSpacing(6);
    layout->addLayout(head);
    layout->addWidget(table_, 1);
    layout->addWidget(nothing_);
    layout->addStretch();
}

void MemoryChanges::setComparison(std::shared_ptr<const RunComparison> comparison) {
    comparison_ = comparison && !comparison->memory().empty() ? std::move(comparison) : nullptr;
    const QSignalBlocker quiet(rankChoice_);
    rankChoice_->clear();
    if (!comparison_) {
        words_->clear();
        return model_->setContents({}, 0);
    }
    const auto& pairs = comparison_->memory();
    for (const DeviceMemoryComparison& pair : pairs)
        rankChoice_->addItem(tr("Rank %1, GPU %2").arg(pair.rank).arg(pair.device));
    rankChoice_->setCurrentIndex(static_cast<int>(&most_changed(pairs) - pairs.data()));
    rankChoice_->setVisible(pairs.size() > 1);
    showRank();
}

void MemoryChanges::showRank() {
    showWords();
    const QSignalBlocker quiet(kindChoice_);
    const auto& pair = comparison_->memory()[static_cast<std::size_t>(rankChoice_->currentIndex())];
    if (pair.by_category.empty())
        kindChoice_->setCurrentIndex(places);
    kindChoice_->setVisible(!pair.by_category.empty());
    fillTable();
}

/// Of the rank that changed most they also say which rank ran out of memory in one run only, as reports do.
void MemoryChanges::showWords() {
    const std::span all(comparison_->memory());
    const std::span chosen = all.subspan(static_cast<std::size_t>(rankChoice_->currentIndex()), 1);
    QStringList sentences;
    for (const Message& sentence : memory_comparison_sentences(&chosen.front() == &most_changed(all) ? all : chosen))
        sentences << messageText(sentence);
    words_->setText(sentences.join(u'\n'));
}

void MemoryChanges::fillTable() {
    const auto number = static_cast<std::size_t>(rankChoice_->currentIndex());
    const bool ofPlaces = kindChoice_->currentIndex() == places;
    const DeviceMemoryComparison& pair = comparison_->memory()[number];
    const std::size_t rows = (ofPlaces ? pair.by_place : pair.by_category).size();
    const int before = model_->columnCount();
    inBothLanguages([&] { model_->setContents(memoryColumns(comparison_, number, ofPlaces), static_cast<int>(rows)); });
    if (const int columns = model_->columnCount(); columns != before) {
        QHeaderView* header = table_->horizontalHeader();
        header->setResizeContentsPrecision(40);
        header->setMinimumSectionSize(80);
        for (int column = 0; column < columns; ++column)
            header->setSectionResizeMode(column, column + kNumbers < columns ? QHeaderView::Stretch
                                                                             : QHeaderView::ResizeToContents);
        table_->sortByColumn(columns - 2, Qt::DescendingOrder); // the largest growth first
    }
    table_->setVisible(rows > 0);
    nothing_->setVisible(rows == 0);
}

} // namespace rankscope
