// SPDX-License-Identifier: GPL-3.0-or-later
// SQL over the run on screen: editor, result, plot of two columns, and the way from a row to the timeline.
#pragma once
#include <memory>
#include <optional>

#include <QStringList>

#include "widgets/jobs.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/query_table_model.h"
#include "widgets/panels/sql_editor.h"

class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;
class QMenu;
class QPushButton;
class QTableView;
class QToolButton;

namespace rankscope {

class QueryPanel : public Panel {
    Q_OBJECT
public:
    static constexpr std::size_t kMostRows = 100'000; ///< kept of a result

    explicit QueryPanel(ViewState* state, QWidget* parent = nullptr);
    ~QueryPanel() override;

    void takeAnalysis(std::shared_ptr<const RunAnalysis> analysis) override;
    /// eventChosen() is the event of a row, zoom: by double-click.
    void useCommands(CommandTable& table) override;
    [[nodiscard]] int usefulHeight() const override; ///< of the query and ten rows of its result
    void runQuery();                                 ///< what is in the editor
    void showQuery(const QString& sql);              ///< in front, and its rows
    void stopQuery();
    /// The event that a row names by id or event_id, or else by rank and start_ns: the one that starts then, or the
    /// last that started before. Nothing: the row names none.
    [[nodiscard]] std::optional<EventRef> eventOfRow(int row) const;
    void markRows(); ///< the events of all rows as hits on the timeline

    [[nodiscard]] bool isBusy() const { return jobs_.isBusy(); }
    [[nodiscard]] QString status() const;
    [[nodiscard]] SqlEditor& editor() const { return *editor_; }
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] const QueryTableModel& model() const { return *model_; }
    [[nodiscard]] QCustomPlot& plot() const { return *plot_; }
    [[nodiscard]] QCheckBox& plotSwitch() const { return *plotSwitch_; }
    [[nodiscard]] QMenu& examples() const { return *examples_; }
    [[nodiscard]] QMenu& history() const { return *history_; }
    [[nodiscard]] QToolButton& markButton() const { return *mark_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Answer {
        std::shared_ptr<const QueryResult> result; ///< nullptr: failed
        QString message;                           ///< why, or how long it took
    };
    QTableView* buildTable();
    void fillExamples();
    void remember(const QString& sql);
    void take(const Answer& answer);
    void say(const QString& text, bool isError);
    void choose(int row, bool zoom);
    void offerColumns();
    void drawPlot();
    void showButtons();

    ViewState* state_;
    std::shared_ptr<const QueryModel> tables_; ///< nullptr: no run yet
    QueryTableModel* model_;
    SqlEditor* editor_;
    QPushButton* run_;
    QPushButton* stop_;
    QToolButton* examplesButton_;
    QToolButton* historyButton_;
    QToolButton* mark_;
    QMenu* examples_;
    QMenu* history_;
    QCheckBox* plotSwitch_;
    QComboBox* across_;
    QComboBox* up_;
    QLabel* status_;
    QTableView* table_;
    QCustomPlot* plot_;
    QStringList asked_;
    Jobs jobs_;
};

} // namespace rankscope
