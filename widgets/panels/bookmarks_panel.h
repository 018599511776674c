// SPDX-License-Identifier: GPL-3.0-or-later
// The list of bookmarks: adding, going there, notes, removing.
#pragma once
#include <QWidget>

#include "widgets/panels/bookmarks_model.h"

class QLabel;
class QTreeView;

namespace rankscope {

/// Enter or a double click on time or place goes there; F2 or a double click on a note edits it; Ctrl+Enter
/// compares its range with others; Delete removes.
class BookmarksPanel : public QWidget {
    Q_OBJECT
public:
    explicit BookmarksPanel(ViewState* state, QWidget* parent = nullptr);
    ~BookmarksPanel() override;

    /// Marks what is in view and what is selected, and returns the row; -1 without a run.
    int addHere();
    void editNote(int row); ///< the field opens; leaving it tells noteDone()
    void goTo(int row);
    void compare(int row); ///< its range, with others in the Range panel
    [[nodiscard]] BookmarksModel* model() const { return model_; }
    [[nodiscard]] QTreeView& list() const { return *list_; }
    [[nodiscard]] QSize sizeHint() const override { return {270, 200}; }

Q_SIGNALS:
    void goToRequested(const rankscope::Bookmark& bookmark); ///< the view state is there already
    void noteDone();

private:
    void removeCurrent();
    void showHint();
    [[nodiscard]] QString labelOf(const EventRef& event) const;

    ViewState* state_;
    BookmarksModel* model_;
    QLabel* hint_;
    QTreeView* list_;
};

} // namespace rankscope
