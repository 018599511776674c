// SPDX-License-Identifier: GPL-3.0-or-later
// A list one picks from by typing: behind the command palette and the jump to a rank or lane.
#pragma once
#include <vector>

#include <QDialog>

class QAbstractItemModel;
class QLineEdit;
class QTreeView;

namespace rankscope {

struct QuickPickItem {
    QString title;  ///< what is matched, together with the detail
    QString detail; ///< where it belongs; shown paler
    QString keys;   ///< at the right
    bool enabled = true;
};

class QuickPickModel;

/// At the top of its window; Up and Down move, Enter or a click picks, Escape leaves.
class QuickPick : public QDialog {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 200; ///< rows shown

    QuickPick(const QString& title, const QString& hint, std::vector<QuickPickItem> items, QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit& field() const { return *field_; }
    [[nodiscard]] QAbstractItemModel* model() const;
    [[nodiscard]] const std::vector<std::size_t>& shown() const; ///< items, best first

Q_SIGNALS:
    void picked(std::size_t item); ///< after the dialog has closed

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void pickCurrent();

    QLineEdit* field_;
    QTreeView* list_;
    QuickPickModel* model_;
};

} // namespace rankscope
