// SPDX-License-Identifier: GPL-3.0-or-later
// A flame graph of what is selected on the timeline: a slice, all of its name, its step, the marked range, what a
// search found, or a rank. Computed in the background, while one looks at it.
#pragma once
#include <memory>
#include <optional>

#include <QTimer>

#include "core/views/operator_tree.h"
#include "widgets/charts/flame_layout.h"
#include "widgets/jobs.h"
#include "widgets/panels/panel.h"
#include "widgets/view_state.h"

class QAbstractButton;
class QButtonGroup;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace rankscope {

class FlameGraph;

class FlamePanel : public Panel {
    Q_OBJECT
public:
    enum class Of { slice, name, step, range, found, run };
    static constexpr std::size_t kOfCount = 6;
    enum class Part { annotations, modules, python };
    static constexpr std::size_t kPartCount = 3;

    explicit FlamePanel(ViewState* state, QWidget* parent = nullptr);
    ~FlamePanel() override;

    /// instancesAsked() is for a box of the graph; left() comes with Escape, from the outermost call.
    void useCommands(CommandTable& table) override;
    [[nodiscard]] bool followsRange() const override { return true; }
    void showRank(int rank); ///< all of it; comes to the screen

    [[nodiscard]] Of of() const { return of_; }
    [[nodiscard]] bool isBusy() const { return delay_.isActive() || jobs_.isBusy(); }
    [[nodiscard]] QString summary() const; ///< what it is of, and its sums; or why there is nothing
    [[nodiscard]] FlameGraph& flames() const { return *flames_; }
    [[nodiscard]] QAbstractButton& button(Of of) const;
    [[nodiscard]] QAbstractButton& button(Part part) const;
    [[nodiscard]] QComboBox& rankChoice() const { return *ranks_; }
    [[nodiscard]] QComboBox& weightChoice() const { return *weight_; }
    [[nodiscard]] QSize sizeHint() const override { return {900, 240}; }

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Tree {
        OperatorTree tree;
        std::int64_t events = 0; ///< those chosen; of name and found
    };
    QWidget* buildControls();
    void takeRun();
    void takeSelection();
    void takeRange();
    [[nodiscard]] bool isPossible(Of of) const;
    [[nodiscard]] std::optional<EventPlace> slice() const;
    [[nodiscard]] RankChoice rank() const;
    void choose(Of of);
    void change(); ///< of something else now: computed anew, if anybody looks
    void showChoices();
    void ask();
    void answer(std::shared_ptr<const Tree> tree);
    void showWeight();
    void say(const QString& text);
    [[nodiscard]] QString words(std::int64_t events) const;

    ViewState* state_;
    FlameGraph* flames_;
    QButtonGroup* ofButtons_;
    QButtonGroup* partButtons_;
    QComboBox* ranks_;
    QComboBox* weight_;
    QLabel* summary_;
    QLabel* empty_;
    QStackedWidget* pages_;
    Of of_ = Of::slice;
    FlameWeight wished_ = FlameWeight::gpu; ///< shown where the tree has it
    bool stale_ = true;                     ///< what is shown is of something else
    bool fresh_ = true;                     ///< of something else than before: from its root
    std::shared_ptr<const Tree> tree_;
    QTimer delay_; ///< while an edge is dragged or slices are walked along
    Jobs jobs_;
};

} // namespace rankscope
