// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: what can be chosen, on pages. A change holds at once, except the tables of Analysis, which have a button of
// their own.
#pragma once
#include <functional>

#include <QDialog>

#include "app/settings/preferences.h"
#include "app/settings/setting_entries.h"

class QLabel;
class QListWidget;
class QStackedWidget;

namespace rankscope {

class AnalysisPage;

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    enum Page { appearancePage, analysisPage, performancePage, foldersPage, shortcutsPage };

    explicit SettingsDialog(const Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] const Preferences& preferences() const { return preferences_; }
    void setPreferences(const Preferences& preferences); ///< after an import; shown, not told
    void showPage(Page page);
    void showProblem(const QString& problem); ///< empty: none

Q_SIGNALS:
    void preferencesChanged(const Preferences& preferences);
    void shortcutsWanted();
    void exportWanted(const QString& file);
    void importWanted(const QString& file);

private:
    void addPage(const QString& title, QWidget* page);
    QWidget* formOf(SettingPage shown, const QString& note);
    QWidget* rulesPage();
    QWidget* folders();
    QWidget* shortcuts();
    void chooseExport();
    void chooseImport();
    void change(const std::function<void(Preferences&)>& what);

    Preferences preferences_;
    QListWidget* list_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    AnalysisPage* analysis_ = nullptr;
    QLabel* problem_ = nullptr;
    std::vector<std::function<void()>> readers_; ///< bring the controls to preferences_
};

} // namespace rankscope
