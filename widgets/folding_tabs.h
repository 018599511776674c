// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs in a vertical splitter that fold to their tab bar, so that what stands above has the room.
#pragma once
#include <QTabWidget>

namespace rankscope {

class FoldingTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit FoldingTabs(QWidget* parent = nullptr);
    [[nodiscard]] bool isFolded() const { return folded_; }
    /// Opened, they have the height again that they had; at least a quarter of the splitter.
    void setFolded(bool folded);
    /// Opens them, unless a hand folded them: until a tab is clicked.
    void offer();

Q_SIGNALS:
    void foldedChanged();

private:
    void clickTab(int tab);

    bool folded_ = false;
    bool foldedByHand_ = false;
    int shown_ = 0;  ///< the tab before the click
    int height_ = 0; ///< before folding, pixels
};

} // namespace rankscope
