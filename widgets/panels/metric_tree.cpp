// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/metric_tree.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStandardItemModel>

#include "core/metrics/detail_numbers.h"
#include "core/metrics/value_words.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/panels/evidence_place.h"
#include "widgets/panels/link_delegate.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kMostDetails = 400; ///< of one metric; all of them are in metrics.csv

/// Counts whole, all else with four significant digits.
QString numberText(double value) {
    constexpr double kExact = 1e15;
    if (std::abs(value) < kExact && (value == std::trunc(value) || std::abs(value) >= 9999.5))
        return groupedNumber(std::llround(value));
    return decimal(QLocale::c().toString(value, 'g', 4));
}

QList<QStandardItem*> row(const QString& name, const QString& value, const QString& unit) {
    QList<QStandardItem*> items{new QStandardItem(name), numberItem(value), new QStandardItem(unit)};
    items[MetricTree::valueColumn]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QStandardItem* item : items)
        item->setEditable(false);
    return items;
}

/// Details as children; an unavailable metric has its reason as the only one.
void appendDetails(QStandardItem* metric, const MetricResult& result) {
    if (!result.available) {
        const auto reason = row(messageText(result.reason), {}, {});
        reason.front()->setData(nameText(english(result.reason)), kWholeTextRole); // what a file has
        metric->appendRow(reason);
        return;
    }
    int shown = 0;
    for (const DetailNumber& detail : detail_numbers(result.details)) {
        if (++shown > kMostDetails) {
            const auto more = row(MetricTree::tr("more in metrics.csv"), {}, {});
            more.front()->setData(u"more in metrics.csv"_s, kWholeTextRole);
            metric->appendRow(more);
            return;
        }
        const auto unit = unit_of_field(detail.field);
        const FittedUnit fitted = fittedUnit(unit, detail.value);
        metric->appendRow(
            row(QString::fromStdString(detail.field), numberText(detail.value * fitted.of_one), fitted.label));
    }
}

} // namespace

MetricTree::MetricTree(QWidget* parent) : QTreeView(parent), model_(new QStandardItemModel(this)) {
    model_->setColumnCount(columnEnd);
    inBothLanguages([this] { setHeadings(*model_, Qt::Horizontal, {tr("Metric"), tr("Value"), tr("Unit")}); });
    model_->horizontalHeaderItem(valueColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setModel(model_);
    setAccessibleName(tr("All metrics"));
    setSelectionBehavior(SelectRows);
    setAlternatingRowColors(true);
    setUniformRowHeights(true);
    connect(new LinkDelegate(this), &LinkDelegate::followed, this, &MetricTree::followed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
    header()->setSectionResizeMode(valueColumn, QHeaderView::Fixed);
    header()->setSectionResizeMode(unitColumn, QHeaderView::Fixed);
    header()->resizeSection(valueColumn, fontMetrics().horizontalAdvance(u"000 000 000 000"_s));
    header()->resizeSection(unitColumn, fontMetrics().horizontalAdvance(u"tokens per second"_s));
    auto* copyAction = new QAction(tr("Copy as tab-separated text"), this);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    addAction(copyAction);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copyAction, &QAction::triggered, this, &MetricTree::copy);
    connect(this, &QTreeView::expanded, this, &MetricTree::fitHeight);
    connect(this, &QTreeView::collapsed, this, &MetricTree::fitHeight);
}

void MetricTree::setReport(const MetricReport& report) {
    model_->removeRows(0, model_->rowCount());
    std::map<std::string, QStandardItem*> topics; // in the order of their first metric in the model
    for (const auto& [metric, result] : report.entries) {
        QStandardItem*& topic = topics[metric->topic];
        if (topic == nullptr) {
            const auto items = row(coreText(metric->topic), {}, {});
            topic = items.front();
            topic->setData(QString::fromStdString(metric->topic), kWholeTextRole);
            QFont bold = font();
            bold.setBold(true);
            topic->setFont(bold);
            model_->appendRow(items);
        }
        const FittedUnit fitted = fittedUnit(metric->unit, result.value);
        const auto items =
            row(coreText(metric->title),
                result.available
                    ? QString(QString::fromUtf8(bound_sign(result.bound)) % numberText(result.value * fitted.of_one))
                    : tr("not available"),
                result.available ? fitted.label : QString());
        items[nameColumn]->setData(QString::fromStdString(metric->title), kWholeTextRole);
        if (!result.available)
            items[valueColumn]->setData(u"not available"_s, kWholeTextRole);
        const bool leads = result.available && !placeOfMetric(metric->id).isEmpty();
        if (leads)
            items[nameColumn]->setData(QString::fromStdString(metric->id), kLinkRole);
        for (QStandardItem* item : items) {
            QString words = QString::fromStdString(metric->id) % u": "_s % coreText(metric->definition);
            if (result.bound != ValueBound::none)
                words += u'\n' % (result.bound == ValueBound::at_least
                                      ? tr("Of the ranks that are recorded at least this, because %1.")
                                      : tr("Of the ranks that are recorded at most this, because %1."))
                                     .arg(messageText(result.bound_reason));
            item->setToolTip(toolTipText(leads ? QString(words % u'\n' % tr("Click: show the evidence")) : words));
            if (!result.available)
                item->setData(true, kDimRole);
        }
        appendDetails(items.front(), result);
        topic->appendRow(items);
    }
    for (int i = 0; i < model_->rowCount(); ++i)
        expand(model_->index(i, 0));
    fitHeight();
}

void MetricTree::fitHeight() {
    int rows = 0;
    for (QModelIndex index = model_->index(0, 0); index.isValid(); index = indexBelow(index))
        ++rows;
    const int rowHeight = std::max(sizeHintForRow(0), fontMetrics().height());
    setFixedHeight(header()->sizeHint().height() + rows * rowHeight + 2 * frameWidth());
}

void MetricTree::copy() const {
    const auto inFiles = [](const QModelIndex& index) {
        const QVariant whole = index.data(kWholeTextRole);
        return (whole.isValid() ? whole : index.data()).toString();
    };
    QString text = u"metric\tvalue\tunit\n"_s;
    for (QModelIndex index = model_->index(0, 0); index.isValid(); index = indexBelow(index))
        text += inFiles(index) % u'\t' % inFiles(index.siblingAtColumn(valueColumn)) % u'\t' %
                inFiles(index.siblingAtColumn(unitColumn)) % u'\n';
    QGuiApplication::clipboard()->setText(text);
}

} // namespace rankscope
