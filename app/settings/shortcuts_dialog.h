// SPDX-License-Identifier: GPL-3.0-or-later
// All commands with their keys, and the place to change them; gestures for reading.
#pragma once
#include <map>

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace rankscope {

class CommandTable;
struct Command;

/// Changes hold at once and are told by CommandTable::shortcutsChanged.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(CommandTable& commands, QWidget* parent = nullptr);

    void select(const QString& commandId);
    [[nodiscard]] QString selected() const; ///< empty: none, or a gesture
    [[nodiscard]] QLineEdit& filter() const { return *filter_; }
    [[nodiscard]] QKeySequenceEdit& keyField() const { return *key_; }
    [[nodiscard]] QString verdict() const; ///< what is said about the key in the field

    void assign(); ///< the field's key in place of the command's; takes it from the commands it conflicts with
    void addKey(); ///< the field's key beside the command's
    void removeKeys();
    void reset(); ///< the keys it came with, taken from whoever has them
    void resetAll();

private:
    void buildList();
    void buildEditor(QVBoxLayout* layout);
    void addSection(const QString& title, const QString& place);
    void showKeys(const QString& id);
    void applyFilter(const QString& wanted);
    void judge();
    void give(const QString& id, const QList<QKeySequence>& keys); ///< and to no other
    [[nodiscard]] QKeySequence typedKey() const;

    CommandTable& commands_;
    QLineEdit* filter_;
    QTreeWidget* list_;
    QKeySequenceEdit* key_;
    QLabel* verdict_;
    QPushButton* assign_;
    QPushButton* add_;
    QPushButton* remove_;
    QPushButton* reset_;
    std::map<QString, QTreeWidgetItem*> items_;
};

} // namespace rankscope
