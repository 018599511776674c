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
    /// Of the tabs while they are open, pixels; 0: they have not been open yet.
    [[nodiscard]] int openHeight() const { return restored_ > 0 ? restored_ : height_; }
    void setOpenHeight(int height);
    /// Of the tabs that are open: at least so high, but at most half of the splitter.
    void growTo(int height);
    /// Opens them, unless a hand folded them: until a tab is clicked.
    void offer();

Q_SIGNALS:
    void foldedChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void takeHeight(int wanted, double leastShare); ///< of the splitter's height
    void clickTab(int tab);

    bool folded_ = false;
    bool foldedByHand_ = false;
    int shown_ = 0;    ///< the tab before the click
    int height_ = 0;   ///< when they were open last, pixels
    int restored_ = 0; ///< the height that they get when they are shown
};

} // namespace rankscope
