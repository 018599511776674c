// SPDX-License-Identifier: GPL-3.0-or-later
// The page of Settings with the user's kernel classes and peaks.
#include "app/settings/analysis_page.h"

#include <functional>

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "widgets/language.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr KernelClass kClasses[] = {KernelClass::compute, KernelClass::communication, KernelClass::memory_copy,
                                    KernelClass::memory_set};
constexpr double DevicePeak::*kFigures[] = {&DevicePeak::fp8_tflops, &DevicePeak::fp16_tflops, &DevicePeak::fp32_tflops,
                                            &DevicePeak::memory_tb_s};
constexpr double kLargest = 1e9;

QLabel* paragraph(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QString cell(const QTableWidget& table, int row, int column) {
    const QTableWidgetItem* item = table.item(row, column);
    return item == nullptr ? QString() : item->text().trimmed();
}

/// Empty or a number that is not negative.
bool isFigure(const QString& text) {
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    return text.isEmpty() || (isNumber && value >= 0 && value < kLargest);
}

/// A table, and beside it buttons to add a row and to remove the current one.
QHBoxLayout* withButtons(QTableWidget* table, const QString& what, const std::function<void()>& add) {
    auto* adding = new QPushButton(QObject::tr("Add"));
    auto* removing = new QPushButton(QObject::tr("Remove"));
    adding->setAccessibleName(QObject::tr("Add %1").arg(what));
    removing->setAccessibleName(QObject::tr("Remove %1").arg(what));
    auto* buttons = new QVBoxLayout;
    for (QPushButton* button : {adding, removing}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch();
    QObject::connect(adding, &QPushButton::clicked, table, add);
    QObject::connect(removing, &QPushButton::clicked, table, [table] { table->removeRow(table->currentRow()); });
    auto* row = new QHBoxLayout;
    row->addWidget(table, 1);
    row->addLayout(buttons);
    return row;
}

} // namespace

AnalysisPage::AnalysisPage(QWidget* parent)
    : QWidget(parent), classes_(new QTableWidget(0, 2)), peaks_(new QTableWidget(0, 5)), verdict_(paragraph({})),
      apply_(new QPushButton(tr("&Apply"))) {
    classes_->setHorizontalHeaderLabels({tr("Kernel name contains (regular expression)"), tr("Class")});
    classes_->setAccessibleName(tr("Own kernel classes"));
    peaks_->setHorizontalHeaderLabels(
        {tr("Device name contains"), tr("FP8"), tr("BF16"), tr("FP32"), tr("Memory TB/s")});
    peaks_->setAccessibleName(tr("Own peaks of devices"));
    for (QTableWidget* table : {classes_, peaks_}) {
        table->verticalHeader()->hide();
        table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
        table->setTabKeyNavigation(false);
        connect(table, &QTableWidget::itemChanged, this, &AnalysisPage::judge);
        connect(table->model(), &QAbstractItemModel::rowsRemoved, this, &AnalysisPage::judge);
    }
    for (int column = 1; column < peaks_->columnCount(); ++column)
        peaks_->setColumnWidth(column, column == 4 ? 96 : 64);
    classes_->setColumnWidth(1, 150);
    apply_->setAutoDefault(false);
    auto* last = new QHBoxLayout;
    last->addWidget(verdict_, 1);
    last->addWidget(apply_);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(paragraph(tr("Kernels that Rankscope takes for something else. The first pattern that matches "
                                   "decides, in the window and in --batch.")));
    layout->addLayout(withButtons(classes_, tr("a kernel class"), [this] { addClass(); }), 1);
    layout->addWidget(paragraph(
        tr("Peaks of a device, dense, in TFLOP/s: what MFU and roofline compare with. Empty: the built-in figure.")));
    layout->addLayout(withButtons(peaks_, tr("a device"), [this] { addPeak(); }), 1);
    layout->addLayout(last);
    connect(apply_, &QPushButton::clicked, this, &AnalysisPage::apply);
    judge();
}

void AnalysisPage::setRules(const std::vector<KernelClassRule>& classes, const std::vector<DevicePeak>& peaks) {
    classesInForce_ = classes;
    peaksInForce_ = peaks;
    classes_->setRowCount(0);
    peaks_->setRowCount(0);
    for (const KernelClassRule& rule : classes)
        putClass(classes_->rowCount(), rule);
    for (const DevicePeak& peak : peaks)
        putPeak(peaks_->rowCount(), peak);
    judge();
}

void AnalysisPage::putClass(int row, const KernelClassRule& rule) {
    classes_->insertRow(row);
    auto* choice = new QComboBox;
    choice->setAccessibleName(tr("Class"));
    for (const KernelClass c : kClasses)
        choice->addItem(coreText(kernel_class_word(c)));
    choice->setCurrentIndex(static_cast<int>(rule.kernel_class));
    connect(choice, &QComboBox::currentIndexChanged, this, &AnalysisPage::judge);
    classes_->setCellWidget(row, 1, choice);
    classes_->setItem(row, 0, new QTableWidgetItem(QString::fromStdString(rule.pattern)));
}

void AnalysisPage::putPeak(int row, const DevicePeak& peak) {
    peaks_->insertRow(row);
    for (int column = 1; column < peaks_->columnCount(); ++column) {
        const double figure = peak.*kFigures[column - 1];
        auto* item = new QTableWidgetItem(figure > 0 ? QString::number(figure, 'g', 6) : QString());
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        peaks_->setItem(row, column, item);
    }
    peaks_->setItem(row, 0, new QTableWidgetItem(QString::fromStdString(peak.device)));
}

void AnalysisPage::addClass() {
    putClass(classes_->rowCount(), {});
    classes_->setCurrentCell(classes_->rowCount() - 1, 0);
    classes_->editItem(classes_->currentItem());
}

void AnalysisPage::addPeak() {
    putPeak(peaks_->rowCount(), {});
    peaks_->setCurrentCell(peaks_->rowCount() - 1, 0);
    peaks_->editItem(peaks_->currentItem());
}

std::vector<KernelClassRule> AnalysisPage::classesNow() const {
    std::vector<KernelClassRule> rules;
    for (int row = 0; row < classes_->rowCount(); ++row) {
        const auto* choice = qobject_cast<const QComboBox*>(classes_->cellWidget(row, 1));
        rules.push_back(
            {cell(*classes_, row, 0).toStdString(), kClasses[choice == nullptr ? 0 : choice->currentIndex()]});
    }
    return rules;
}

std::vector<DevicePeak> AnalysisPage::peaksNow() const {
    std::vector<DevicePeak> peaks;
    for (int row = 0; row < peaks_->rowCount(); ++row) {
        DevicePeak peak{cell(*peaks_, row, 0).toStdString()};
        for (int column = 1; column < peaks_->columnCount(); ++column)
            peak.*kFigures[column - 1] = cell(*peaks_, row, column).toDouble();
        peaks.push_back(peak);
    }
    return peaks;
}

QString AnalysisPage::problem() const {
    for (const KernelClassRule& rule : classesNow()) {
        if (rule.pattern.empty())
            return tr("A pattern is empty: fill it in or remove the row.");
        if (const auto checked = check_rule(rule); !checked)
            return messageText(checked.error().message);
    }
    for (int row = 0; row < peaks_->rowCount(); ++row) {
        if (cell(*peaks_, row, 0).isEmpty())
            return tr("A device has no name: fill it in or remove the row.");
        for (int column = 1; column < peaks_->columnCount(); ++column)
            if (!isFigure(cell(*peaks_, row, column)))
                return tr("%1: %2 is not a number, such as 989 or 3.35")
                    .arg(cell(*peaks_, row, 0), cell(*peaks_, row, column));
    }
    return {};
}

void AnalysisPage::judge() {
    const QString wrong = problem();
    const bool same = classesNow() == classesInForce_ && peaksNow() == peaksInForce_;
    verdict_->setText(!wrong.isEmpty() ? wrong : same ? QString() : tr("Apply analyses the open runs again."));
    apply_->setEnabled(wrong.isEmpty() && !same);
}

void AnalysisPage::apply() {
    if (!problem().isEmpty())
        return;
    classesInForce_ = classesNow();
    peaksInForce_ = peaksNow();
    judge();
    Q_EMIT applied(classesInForce_, peaksInForce_);
}

} // namespace rankscope
