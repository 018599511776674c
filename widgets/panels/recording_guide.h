// SPDX-License-Identifier: GPL-3.0-or-later
// How to record a run, for who has none yet: what a trace folder is, and the recording templates to copy.
#pragma once
#include <QFrame>

class QPlainTextEdit;
class QTabBar;
class QLabel;

namespace rankscope {

class RecordingGuide : public QFrame {
    Q_OBJECT
public:
    explicit RecordingGuide(QWidget* parent = nullptr);

    [[nodiscard]] QString shownText() const; ///< of the template on screen: what Copy copies
    [[nodiscard]] QTabBar& tabs() const { return *tabs_; }
    /// Writes all templates into the folder; those that are there under the same name are left alone. Returns why not;
    /// empty: written.
    static QString saveTemplates(const QString& folder);

private:
    void show(int tab);
    void copy();
    void chooseFolder();

    QTabBar* tabs_ = nullptr;
    QPlainTextEdit* text_ = nullptr;
    QLabel* note_ = nullptr;
};

} // namespace rankscope
