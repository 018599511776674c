// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: the frame around the pages, and the pages that are a few controls.
#include "app/settings_dialog.h"

#include <functional>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFontComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QThread>
#include <QVBoxLayout>

#include "app/analysis_page.h"
#include "app/folder_openers.h"
#include "core/input/format/memory_limit.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kListWidth = 150;

QLabel* words(const QString& text, bool dimmed = true) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    if (dimmed)
        label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QFormLayout* form(QWidget* page) {
    auto* layout = new QFormLayout(page);
    layout->setVerticalSpacing(10);
    layout->setHorizontalSpacing(16);
    layout->setContentsMargins(8, 4, 8, 4);
    return layout;
}

QSpinBox* numberBox(int least, int most, const QString& unit, const QString& atLeast) {
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setSuffix(unit);
    box->setSpecialValueText(atLeast);
    return box;
}

} // namespace

SettingsDialog::SettingsDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent), preferences_(preferences), list_(new QListWidget), pages_(new QStackedWidget),
      analysis_(new AnalysisPage), problem_(words({}, false)) {
    setWindowTitle(tr("Settings"));
    resize(760, 520);
    list_->setFixedWidth(kListWidth);
    list_->setAccessibleName(tr("Pages of settings"));
    addPage(tr("Appearance"), appearance());
    addPage(tr("Analysis"), analysis_);
    addPage(tr("Performance"), performance());
    addPage(tr("Folders"), folders());
    addPage(tr("Shortcuts"), shortcuts());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* importing = buttons->addButton(tr("&Import…"), QDialogButtonBox::ActionRole);
    auto* exporting = buttons->addButton(tr("&Export…"), QDialogButtonBox::ActionRole);
    for (QPushButton* button : {importing, exporting})
        button->setAutoDefault(false);
    auto* columns = new QHBoxLayout;
    columns->addWidget(list_);
    columns->addWidget(pages_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addWidget(problem_);
    layout->addWidget(buttons);
    problem_->hide();
    connect(list_, &QListWidget::currentRowChanged, pages_, &QStackedWidget::setCurrentIndex);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(importing, &QPushButton::clicked, this, &SettingsDialog::chooseImport);
    connect(exporting, &QPushButton::clicked, this, &SettingsDialog::chooseExport);
    connect(analysis_, &AnalysisPage::applied, this, [this](const auto& classes, const auto& peaks) {
        change([&](Preferences& p) {
            p.kernelClasses = classes;
            p.peaks = peaks;
        });
    });
    setPreferences(preferences);
    showPage(appearancePage);
}

void SettingsDialog::addPage(const QString& title, QWidget* page) {
    (new QListWidgetItem(title, list_))->setSizeHint({0, fontMetrics().height() + 12});
    pages_->addWidget(page);
}

void SettingsDialog::showPage(Page page) { list_->setCurrentRow(page); }

void SettingsDialog::showProblem(const QString& problem) {
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
}

void SettingsDialog::setPreferences(const Preferences& preferences) {
    preferences_ = preferences;
    for (const auto& read : readers_)
        read();
    analysis_->setRules(preferences.kernelClasses, preferences.peaks);
}

void SettingsDialog::change(const std::function<void(Preferences&)>& what) {
    Preferences changed = preferences_;
    what(changed);
    if (changed == preferences_)
        return;
    preferences_ = changed;
    showProblem({});
    Q_EMIT preferencesChanged(preferences_);
}

QWidget* SettingsDialog::appearance() {
    auto* page = new QWidget;
    QFormLayout* layout = form(page);
    auto* theme = new QComboBox;
    theme->addItems({tr("As the system"), tr("Light"), tr("Dark")}); // in the order of Theme
    auto* hues = new QComboBox;
    hues->addItems({tr("Okabe–Ito"), tr("Bright (Tol)"), tr("Medium contrast (Tol)")}); // in the order of HueSet
    hues->setToolTip(tr("All are colour-blind-safe; medium contrast can be told apart in grey too"));
    auto* ownFont = new QCheckBox(tr("Own font"));
    auto* family = new QFontComboBox;
    auto* size = numberBox(Preferences::kSmallestFont - 1, Preferences::kLargestFont, tr(" pt"), tr("As the system"));
    auto* scale = numberBox(Preferences::kSmallestScale, Preferences::kLargestScale, tr(" %"), {});
    scale->setSingleStep(25);
    layout->addRow(tr("&Theme"), theme);
    layout->addRow(tr("&Colours"), hues);
    layout->addRow({}, ownFont);
    layout->addRow(tr("&Font"), family);
    layout->addRow(tr("Font &size"), size);
    layout->addRow(tr("S&cale of everything"), scale);
    layout->addRow({}, words(tr("Headings follow the font, and everything the scale, from the next start.")));

    connect(
        theme, &QComboBox::activated, this,
        [this](int i) { change([i](Preferences& p) { p.theme = static_cast<Theme>(i); }); });
    connect(hues, &QComboBox::activated, this,
            [this](int i) { change([i](Preferences& p) { p.hues = static_cast<HueSet>(i); }); });
    connect(ownFont, &QCheckBox::toggled, family, &QWidget::setEnabled);
    const auto chooseFont = [this, ownFont, family] {
        change(
            [&](Preferences& p) { p.fontFamily = ownFont->isChecked() ? family->currentFont().family() : QString(); });
    };
    connect(ownFont, &QCheckBox::clicked, this, chooseFont);
    connect(family, &QFontComboBox::activated, this, chooseFont);
    connect(
        size, &QSpinBox::valueChanged, this,
        [this](int points) {
            change([points](Preferences& p) { p.fontSize = points < Preferences::kSmallestFont ? 0 : points; });
        });
    connect(scale, &QSpinBox::valueChanged, this,
            [this](int percent) { change([percent](Preferences& p) { p.scale = percent; }); });
    readers_.push_back([=, this] {
        const QSignalBlocker quietSize(size), quietScale(scale);
        theme->setCurrentIndex(static_cast<int>(preferences_.theme));
        hues->setCurrentIndex(static_cast<int>(preferences_.hues));
        ownFont->setChecked(!preferences_.fontFamily.isEmpty());
        family->setEnabled(ownFont->isChecked());
        if (ownFont->isChecked())
            family->setCurrentFont(QFont(preferences_.fontFamily));
        size->setValue(preferences_.fontSize == 0 ? size->minimum() : preferences_.fontSize);
        scale->setValue(preferences_.scale);
    });
    return page;
}

QWidget* SettingsDialog::performance() {
    auto* page = new QWidget;
    QFormLayout* layout = form(page);
    auto* threads = numberBox(0, Preferences::kMostThreads, {}, tr("All cores (%1)").arg(QThread::idealThreadCount()));
    auto* memory =
        numberBox(0, Preferences::kMostMemory, tr(" GB"),
                  tr("70 % of the machine's (%1)").arg(QString::fromStdString(memory_text(default_memory_budget()))));
    layout->addRow(tr("&Threads while reading"), threads);
    layout->addRow(tr("&Memory for a run"), memory);
    layout->addRow({}, words(tr("Numbers depend on neither. Ranks beyond the memory stay on disk and come back when "
                                "looked at. Both hold from the next run that is read; "
                                "--jobs and --memory on the command line come first.")));
    connect(
        threads, &QSpinBox::valueChanged, this,
        [this](int count) { change([count](Preferences& p) { p.threads = count; }); });
    connect(memory, &QSpinBox::valueChanged, this,
            [this](int size) { change([size](Preferences& p) { p.memory = size; }); });
    readers_.push_back([=, this] {
        const QSignalBlocker quiet(threads);
        const QSignalBlocker still(memory);
        threads->setValue(preferences_.threads);
        memory->setValue(preferences_.memory);
    });
    return page;
}

QWidget* SettingsDialog::folders() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setSpacing(8);
    layout->addWidget(words(tr("Open trace folders with Rankscope"), false));
    layout->addWidget(words(tr("Adds \"Open with Rankscope\" to the context menu of folders, for you alone. Two "
                               "folders open side by side. Double-clicking a "
                               "folder does what it always did.")));
    for (const FileManager manager : kFileManagers) {
        auto* box = new QCheckBox(isPresent(manager) ? fileManagerTitle(manager)
                                                     : tr("%1 (not installed)").arg(fileManagerTitle(manager)));
        box->setChecked(hasOpener(manager));
        box->setEnabled(isPresent(manager) || hasOpener(manager));
        box->setToolTip(openerFile(manager));
        layout->addWidget(box);
        connect(box, &QCheckBox::clicked, this, [this, box, manager](bool wanted) {
            showProblem(setOpener(manager, wanted, programToOpenWith()));
            box->setChecked(hasOpener(manager));
        });
    }
    layout->addWidget(words(tr(
        "A file manager that is running may show it only after its next start. In Nautilus it stands under Scripts.")));
    layout->addStretch();
    return page;
}

QWidget* SettingsDialog::shortcuts() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(words(tr("Every command's keys can be changed; Export and Import carry them along.")));
    auto* edit = new QPushButton(tr("E&dit shortcuts…"));
    edit->setAutoDefault(false);
    layout->addWidget(edit, 0, Qt::AlignLeft);
    layout->addStretch();
    connect(edit, &QPushButton::clicked, this, &SettingsDialog::shortcutsWanted);
    return page;
}

void SettingsDialog::chooseExport() {
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Export settings"), u"rankscope-settings.ini"_s, tr("Settings (*.ini)"));
    if (!file.isEmpty())
        Q_EMIT exportWanted(file);
}

void SettingsDialog::chooseImport() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Import settings"), {}, tr("Settings (*.ini)"));
    if (!file.isEmpty())
        Q_EMIT importWanted(file);
}

} // namespace rankscope
