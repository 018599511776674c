// SPDX-License-Identifier: GPL-3.0-or-later
// A field for SQL that completes tables, columns, functions and words of the language.
#pragma once
#include <QPlainTextEdit>

class QCompleter;

namespace rankscope {

class SqlEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit SqlEditor(QWidget* parent = nullptr);
    [[nodiscard]] QCompleter& completer() const { return *completer_; }

Q_SIGNALS:
    void runWanted(); ///< Ctrl+Enter

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;

private:
    [[nodiscard]] QString wordBeforeCursor() const;
    void complete(bool asked);
    void insert(const QString& completion);
    QCompleter* completer_;
};

} // namespace rankscope
