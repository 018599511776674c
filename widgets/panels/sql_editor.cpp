// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/sql_editor.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>

#include "core/query/query.h"
#include "core/query/sql_functions.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString textFrom(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QStringList words() {
    QStringList list;
    for (const QueryTable* table : query_tables()) {
        list << textFrom(table->name);
        for (const QueryColumn& column : table->columns)
            if (!column.old)
                list << textFrom(column.name);
    }
    for (const QueryFunction& function : query_functions())
        if (const QString form = textFrom(function.form); form.contains(u'('))
            list << form.section(u'(', 0, 0);
    list << u"select from where group by order having limit join left using with as and or not in between like glob "
            u"regexp "
            "distinct count sum avg min max case when then else end over partition desc is null filter"_s.split(u' ');
    list.sort(Qt::CaseInsensitive);
    list.removeDuplicates();
    return list;
}

} // namespace

SqlEditor::SqlEditor(QWidget* parent) : QPlainTextEdit(parent), completer_(new QCompleter(words(), this)) {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    setTabChangesFocus(true);
    completer_->setWidget(this);
    completer_->setCompletionMode(QCompleter::PopupCompletion);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &SqlEditor::insert);
}

QString SqlEditor::wordBeforeCursor() const {
    const QString line = textCursor().block().text().left(textCursor().positionInBlock());
    qsizetype start = line.size();
    while (start > 0 && (line[start - 1].isLetterOrNumber() || line[start - 1] == u'_'))
        --start;
    return line.mid(start);
}

void SqlEditor::insert(const QString& completion) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                        static_cast<int>(completer_->completionPrefix().size()));
    cursor.insertText(completion);
    setTextCursor(cursor);
}

void SqlEditor::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers().testFlag(Qt::ControlModifier)) {
        completer_->popup()->hide();
        Q_EMIT runWanted();
        return;
    }
    if (completer_->popup()->isVisible() &&
        (enter || event->key() == Qt::Key_Escape || event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab)) {
        event->ignore(); // the popup's
        return;
    }
    const bool asked = event->key() == Qt::Key_Space && event->modifiers().testFlag(Qt::ControlModifier);
    if (!asked)
        QPlainTextEdit::keyPressEvent(event);
    if (asked || !event->text().isEmpty())
        complete(asked);
}

/// Qt 6.4 ends the program where nobody owns the clipboard.
void SqlEditor::insertFromMimeData(const QMimeData* source) {
    if (source != nullptr && source->hasText())
        insertPlainText(source->text());
}

void SqlEditor::complete(bool asked) {
    constexpr qsizetype kLettersToAskUnasked = 2;
    const QString word = wordBeforeCursor();
    if (!asked && word.size() < kLettersToAskUnasked) {
        completer_->popup()->hide();
        return;
    }
    completer_->setCompletionPrefix(word);
    const bool done = completer_->completionCount() == 1 && completer_->currentCompletion() == word;
    if (completer_->completionCount() == 0 || done) {
        completer_->popup()->hide();
        return;
    }
    QRect at = cursorRect();
    at.setWidth(completer_->popup()->sizeHintForColumn(0) +
                completer_->popup()->verticalScrollBar()->sizeHint().width());
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
    completer_->complete(at);
}

} // namespace rankscope
