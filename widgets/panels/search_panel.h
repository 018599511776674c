// SPDX-License-Identifier: GPL-3.0-or-later
// Search: the box, what it found, and going from hit to hit. Searching goes on in the background while one types.
#pragma once
#include <memory>
#include <optional>
#include <stop_token>

#include <QTimer>

#include "core/analysis/search/event_search.h"
#include "widgets/jobs.h"
#include "widgets/panels/hits_model.h"
#include "widgets/panels/panel.h"
#include "widgets/view_state.h"

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace rankscope {

class SearchPanel : public Panel {
    Q_OBJECT
public:
    explicit SearchPanel(ViewState* state, QWidget* parent = nullptr);
    ~SearchPanel() override;

    /// eventChosen() is a hit, zoom: by double-click; left() comes with Escape.
    void useCommands(CommandTable& table) override;
    void startTyping(); ///< comes to the screen; focus to the box, what is in it selected
    void setQuery(const QString& text);
    [[nodiscard]] QString query() const;
    /// To the next hit after the last one or after the selection, or to the previous one; goes round at the ends.
    void step(int direction);
    void clear();

    [[nodiscard]] bool isBusy() const { return delay_.isActive() || jobs_.isBusy(); }
    [[nodiscard]] QString status() const; ///< count and time, or what is wrong with the query
    [[nodiscard]] QLineEdit& box() const { return *box_; }
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] const HitsModel& model() const { return *model_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Found {
        std::shared_ptr<const RunClasses> classes;
        std::shared_ptr<const SearchHits> hits;
        std::shared_ptr<const HitOrder> order;
    };
    QTableView* buildTable();
    void takeRun();
    void changed();
    void ask();
    void answer(const Found& found);
    void showNothing(const QString& status, bool isError);
    void showStatus();
    void choose(std::size_t place, bool zoom);
    void sortBy(int column);

    ViewState* state_;
    HitsModel* model_;
    QLineEdit* box_;
    QLabel* status_;
    QToolButton* previous_;
    QToolButton* next_;
    QTableView* table_;
    QTimer delay_;
    std::shared_ptr<const RunClasses> classes_;
    std::optional<std::size_t> current_;     ///< place in the list of the hit gone to last
    int pendingStep_ = 0;                    ///< asked for before the hits were there
    int sortColumn_ = HitsModel::nameColumn; ///< nameColumn: as found
    bool descending_ = false;
    Jobs jobs_;
};

} // namespace rankscope
