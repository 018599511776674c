// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: the frame around the pages, and the pages that are a few controls.
#include "app/settings/settings_dialog.h"

#include <functional>

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "app/settings/analysis_page.h"
#include "app/settings/folder_openers.h"

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

} // namespace

SettingsDialog::SettingsDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent), preferences_(preferences), list_(new QListWidget), pages_(new QStackedWidget),
      analysis_(new AnalysisPage), problem_(words({}, false)) {
    setWindowTitle(tr("Settings"));
    resize(760, 520);
    list_->setFixedWidth(kListWidth);
    list_->setAccessibleName(tr("Pages of settings"));
    addPage(tr("Appearance"),
            formOf(SettingPage::appearance, tr("Language and scale change at the next start, and so does the font "
                                               "of headings.")));
    addPage(tr("Analysis"), rulesPage());
    addPage(tr("Performance"), formOf(SettingPage::performance,
                                      tr("Numbers depend on neither. Ranks beyond the memory stay on disk and come "
                                         "back when looked at. Both hold from the next run that is read; "
                                         "--jobs and --memory on the command line come first.")));
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

/// The settings of one page of their table, and what is to be said of all of them.
QWidget* SettingsDialog::formOf(SettingPage shown, const QString& note) {
    auto* page = new QWidget;
    QFormLayout* layout = form(page);
    for (const SettingEntry& entry : settingEntries()) {
        if (entry.page != shown || !entry.control)
            continue;
        const SettingControl control = entry.control([this](const auto& what) { change(what); });
        for (const SettingRow& row : control.rows)
            layout->addRow(row.label, row.control);
        readers_.push_back([this, show = control.show] { show(preferences_); });
    }
    layout->addRow({}, words(note));
    return page;
}

/// The tables, which hold from Apply on, and below them what holds at once.
QWidget* SettingsDialog::rulesPage() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins({});
    layout->addWidget(analysis_, 1);
    layout->addWidget(formOf(SettingPage::analysis, tr("Host names in files, the workload card and "
                                                       "--gpus-per-machine come first.")));
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
