// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compare_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "core/compare/change_explanation.h"
#include "core/report/text.h"
#include "widgets/compare/config_diff_model.h"
#include "widgets/compare/metric_matrix_model.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Rows one of whose tests has the status; all when it is empty.
class StatusFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setStatus(const QString& status) {
        status_ = status;
        invalidateFilter();
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        return status_.isEmpty() || sourceModel()->index(row, 0, parent).data(MetricMatrixModel::kStatusRole).toStringList().contains(status_);
    }

private:
    QString status_;
};

/// Names from traces stand in it.
QLabel* plainLabel(QWidget* parent, const QString& accessibleName) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAccessibleName(accessibleName);
    return label;
}

QTableView* table(QWidget* parent, const QString& accessibleName) {
    auto* view = new QTableView(parent);
    view->setAccessibleName(accessibleName);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setAlternatingRowColors(true);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 8);
    view->horizontalHeader()->setHighlightSections(false);
    return view;
}

QStringList wordsOf(const RunAnalysis& baseline, const RunAnalysis& test) {
    const ChangeExplanation change = explain_change(baseline, test);
    if (!change.unavailable.empty())
        return {QString::fromStdString(change.unavailable)};
    QStringList words;
    for (const std::string& sentence : change.sentences)
        words << QString::fromStdString(terminal_safe(sentence));
    return words;
}

} // namespace

CompareView::CompareView(QWidget* parent)
    : QWidget(parent), metricModel_(new MetricMatrixModel(this)), configModel_(new ConfigDiffModel(this)), metricProxy_(new StatusFilter(this)) {
    build();
    connect(test_, &QComboBox::currentIndexChanged, this, &CompareView::showWords);
    connect(status_, &QComboBox::currentIndexChanged, this, &CompareView::filterMetrics);
    connect(equalToo_, &QCheckBox::toggled, this, &CompareView::filterSettings);
    connect(metrics_, &QTableView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT metricActivated(QString::fromStdString(metricModel_->metricOf(metricProxy_->mapToSource(index).row())->id));
    });
    setRuns({});
}

CompareView::~CompareView() = default;

void CompareView::build() {
    test_ = new QComboBox(this);
    test_->setAccessibleName(tr("Run that is explained"));
    headline_ = plainLabel(this, tr("What changed"));
    QFont font = headline_->font();
    font.setPointSizeF(font.pointSizeF() * 1.15);
    font.setBold(true);
    headline_->setFont(font);
    parts_ = plainLabel(this, tr("Parts of the change"));

    status_ = new QComboBox(this);
    status_->setAccessibleName(tr("Metrics with this status"));
    status_->addItem(tr("All metrics"), QString());
    for (const ChangeStatus status : {ChangeStatus::worse, ChangeStatus::better, ChangeStatus::changed, ChangeStatus::similar}) {
        const QString word = QString::fromStdString(std::string(change_status_word(status)));
        status_->addItem(tr("Only %1").arg(word), word);
    }
    metrics_ = table(this, tr("Metrics of all runs"));
    metricProxy_->setSourceModel(metricModel_);
    metricProxy_->setSortRole(MetricMatrixModel::kSortRole);
    metrics_->setModel(metricProxy_);
    metrics_->setSortingEnabled(true);
    metrics_->sortByColumn(-1, Qt::DescendingOrder); // the catalogue's order, until a header is clicked

    settings_ = table(this, tr("Settings of all runs"));
    settings_->setModel(configModel_);
    settingCounts_ = plainLabel(this, tr("How many settings differ"));
    equalToo_ = new QCheckBox(tr("Equal settings too"), this);

    auto* metricSide = new QWidget(this);
    auto* metricLayout = new QVBoxLayout(metricSide);
    metricLayout->setContentsMargins({});
    metricLayout->addWidget(status_, 0, Qt::AlignLeft);
    metricLayout->addWidget(metrics_, 1);
    auto* settingSide = new QWidget(this);
    auto* settingLayout = new QVBoxLayout(settingSide);
    settingLayout->setContentsMargins({});
    auto* settingBar = new QHBoxLayout;
    settingBar->addWidget(settingCounts_, 1);
    settingBar->addWidget(equalToo_);
    settingLayout->addLayout(settingBar);
    settingLayout->addWidget(settings_, 1);
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->addWidget(metricSide);
    sides->addWidget(settingSide);
    sides->setStretchFactor(0, 3);
    sides->setStretchFactor(1, 2);
    sides->setChildrenCollapsible(false);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(test_, 0, Qt::AlignLeft);
    layout->addWidget(headline_);
    layout->addWidget(parts_);
    layout->addWidget(sides, 1);
}

void CompareView::setRuns(std::vector<AnalysedRun> runs) {
    queue_.dropWaiting();
    ++generation_;
    runs_ = runs.size() < 2 ? std::vector<AnalysedRun>() : std::move(runs);
    words_.assign(runs_.empty() ? 0 : runs_.size() - 1, {});
    metricModel_->setRuns(runs_);
    configModel_->setRuns(runs_);
    {
        const QSignalBlocker blocked(test_);
        test_->clear();
        for (std::size_t i = 1; i < runs_.size(); ++i)
            test_->addItem(tr("%1 against %2").arg(QString::fromStdString(terminal_safe(runs_[i].label)), QString::fromStdString(terminal_safe(runs_[0].label))));
    }
    test_->setVisible(runs_.size() > 2);
    settingCounts_->setText(runs_.empty() ? QString()
                                          : tr("%1 settings changed, %2 not in every run, %3 equal").arg(configModel_->count(ConfigDiffModel::Difference::changed))
                                                .arg(configModel_->count(ConfigDiffModel::Difference::missing)).arg(configModel_->count(ConfigDiffModel::Difference::equal)));
    filterSettings();
    metrics_->resizeColumnsToContents();
    for (int column = 0; column < configModel_->columnCount(); ++column)
        settings_->setColumnWidth(column, column == ConfigDiffModel::kKeyColumn ? 190 : 105);
    settings_->horizontalHeader()->setStretchLastSection(true);
    showWords();
    explain();
}

void CompareView::explain() {
    for (std::size_t i = 1; i < runs_.size(); ++i)
        queue_.add([this, i, generation = generation_, baseline = runs_[0].analysis, test = runs_[i].analysis, last = i + 1 == runs_.size()] {
            const QStringList words = wordsOf(*baseline, *test);
            QMetaObject::invokeMethod(this, [this, i, generation, words, last] {
                if (generation != generation_)
                    return;
                words_[i - 1] = words;
                showWords();
                if (last)
                    Q_EMIT explained();
            }, Qt::QueuedConnection);
        });
}

void CompareView::showWords() {
    const auto test = static_cast<std::size_t>(std::max(0, test_->currentIndex()));
    if (runs_.empty()) {
        headline_->setText(tr("Two runs are needed to compare."));
        parts_->clear();
        return;
    }
    const QStringList& words = words_[test];
    headline_->setText(words.isEmpty() ? tr("Looking for what changed …") : words.front());
    QStringList parts;
    for (const QString& part : words.mid(1))
        parts << u"•  "_s + part;
    parts_->setText(parts.join(u'\n'));
    parts_->setVisible(!parts.isEmpty());
}

void CompareView::filterMetrics() { static_cast<StatusFilter*>(metricProxy_)->setStatus(status_->currentData().toString()); }

void CompareView::filterSettings() {
    for (int row = 0; row < configModel_->rowCount(); ++row) {
        const auto difference = static_cast<ConfigDiffModel::Difference>(configModel_->index(row, 0).data(ConfigDiffModel::kDifferenceRole).toInt());
        settings_->setRowHidden(row, difference == ConfigDiffModel::Difference::equal && !equalToo_->isChecked());
    }
}

} // namespace rankscope
