// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once: menus, palette, help, editable shortcuts and the widgets' own keys read this
// table.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QPointer>
#include <QString>

class QKeyEvent;
class QWidget;

namespace rankscope {

struct Command {
    QString id;                    ///< "open-folder"
    QString menu;                  ///< title of the menu it stands in, "&File"; "&View/&Theme": a submenu
    QString title;                 ///< "Open &folder…"
    QList<QKeySequence> shortcuts; ///< as delivered; the user may change them
    QString help;                  ///< one sentence
    std::function<void()> run;     ///< of a held command: one step
    QString choice = {};           ///< commands of one choice exclude each other and show a mark
    bool separated = false;        ///< a line above it
    /// Where its keys work: a place made with addPlace(). Empty: anywhere in the window. A place's command is disabled
    /// while the place is not on screen.
    QString place = {};
    std::function<bool()> enabled = {};  ///< empty: always
    std::function<bool()> checked = {};  ///< set: the command shows a mark where it says so
    std::function<void(bool)> hold = {}; ///< of a place: works as long as the key is down; told true, then false
    bool yields = false; ///< of the window: its key is a text field's or a place's own where one of these has the focus
};

/// What mouse and keys do that is no command; for the help only.
struct Gesture {
    QString place;
    QString keys; ///< "Ctrl+wheel"
    QString help;
};

/// A widget with keys of its own.
struct CommandPlace {
    QString id;    ///< "timeline"
    QString title; ///< "Timeline"
    QWidget* widget = nullptr;
};

/// Owns the actions. Keys of commands without a place are Qt shortcuts of the window. A place's widget hands its key
/// events to pressKey() and releaseKey(), so it takes no key from its text fields, and held keys are possible.
class CommandTable : public QObject {
    Q_OBJECT
public:
    explicit CommandTable(QWidget* window);
    ~CommandTable() override;

    void addPlace(CommandPlace place);
    void add(Command command); ///< its place first
    void addGesture(Gesture gesture) { gestures_.push_back(std::move(gesture)); }

    [[nodiscard]] const std::vector<CommandPlace>& places() const { return places_; }
    [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }
    [[nodiscard]] const std::vector<Gesture>& gestures() const { return gestures_; }
    [[nodiscard]] const Command* command(const QString& id) const; ///< nullptr: no such command
    [[nodiscard]] QAction* action(const QString& id) const;        ///< nullptr: no such command

    /// In force now: the user's, else those delivered.
    [[nodiscard]] QList<QKeySequence> shortcuts(const QString& id) const;
    /// Of a known command; an empty list takes its keys away.
    void setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts);
    void resetShortcuts(const QString& id);
    [[nodiscard]] bool isChanged(const QString& id) const { return changed_.contains(id); }
    /// The commands that would react to the key where `id` does, without `id`; more than one reacting is a conflict.
    [[nodiscard]] std::vector<const Command*> conflicts(const QString& id, const QKeySequence& key) const;

    /// Asks every command whether it is enabled and marked. Menus, palette and changes of the view call it.
    void refresh();
    /// Runs the place's command for the key. False: there is none that is enabled; the event is the caller's.
    bool pressKey(const QString& place, const QKeyEvent& event);
    bool releaseKey(const QString& place, const QKeyEvent& event);
    void releaseHeldKeys(const QString& place); ///< when the focus goes

    [[nodiscard]] static QString plainTitle(const Command& command); ///< without "&" and "…"
    /// "W, Ctrl+Up" as this desktop writes keys.
    [[nodiscard]] static QString keysText(const QList<QKeySequence>& keys);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void shortcutsChanged(const QString& id);

private:
    [[nodiscard]] const CommandPlace* place(const QString& id) const;
    [[nodiscard]] const Command* commandFor(const QString& place, const QKeyEvent& event) const;
    /// Whether the widget with the focus has a use of its own for the key of a command that yields.
    [[nodiscard]] bool keepsKey(const QKeyEvent& event) const;
    void applyShortcuts(const Command& command);
    void refresh(const Command& command);

    QWidget* window_;
    std::vector<CommandPlace> places_;
    std::vector<Command> commands_;
    std::vector<Gesture> gestures_;
    std::map<QString, QPointer<QAction>> actions_;
    std::map<QString, QList<QKeySequence>> changed_; ///< the user's, by command
    std::map<int, QString> held_;                    ///< commands of keys that are down
};

} // namespace rankscope
