// SPDX-License-Identifier: GPL-3.0-or-later
// The Study screen: any number of runs as one series. It has runs of its own: those of folders that are dropped on it
// or chosen, each read, measured and dropped again.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QElapsedTimer>

#include "core/compare/study_reading.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/study_plot.h"

class QComboBox;
class QListWidget;
class QPushButton;
class QTableView;

namespace rankscope {

class ColumnModel;
class ColumnOrder;
class MessagePage;

/// What a study is made of, to be taken up again.
struct StudyLeft {
    QStringList runs; ///< paths
    QString key;      ///< ordered by
    QString metric;   ///< plotted
    QString against;
};

class StudyScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit StudyScreen(QWidget* parent = nullptr);
    ~StudyScreen() override;

    /// A study does not depend on the run on screen.
    void takeRun(std::shared_ptr<const Run> run, std::shared_ptr<const AnalysedRun> analysed) override;
    void useCommands(CommandTable& table) override;
    [[nodiscard]] bool isReady() const override { return !reading_.isBusy(); }

    void setReading(const LoadOptions& how) { how_.load = how; } ///< of runs added from now on
    void setRules(const AnalysisRules& rules);                   ///< the runs are read and measured again
    /// Runs, or folders of them. Those that the study has already are passed over.
    void addPaths(const QStringList& paths);
    void addRuns(std::vector<StudyRun> runs);
    void clear();
    void stopReading(); ///< what was read stays

    [[nodiscard]] StudyLeft left() const;
    void resume(StudyLeft left); ///< its runs are read once the screen is shown

    void orderBy(const QString& key);
    void showMetric(const QString& id); ///< an id, "strong" or "weak"
    void plotAgainst(const QString& key);

    [[nodiscard]] const std::optional<Study>& study() const { return study_; }
    [[nodiscard]] QString status() const;
    [[nodiscard]] QString hint() const; ///< what to do, while there are no runs
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] QListWidget& changes() const { return *changes_; }
    [[nodiscard]] StudyPlot& plot() const { return *plot_; }
    [[nodiscard]] StudyMultiples& multiples() const { return *multiples_; }
    [[nodiscard]] QComboBox& keys() const { return *order_; }
    [[nodiscard]] QComboBox& metrics() const { return *metric_; }
    [[nodiscard]] QComboBox& against() const { return *against_; }

Q_SIGNALS:
    void openRunsAsked();                   ///< all open runs are to be added
    void runActivated(const QString& path); ///< to be opened

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// A run that could not be read.
    struct Unread {
        Message why;
        std::vector<std::filesystem::path> instead; ///< runs_instead_of()
    };
    void wait(const std::vector<std::filesystem::path>& paths); ///< to be read
    void readNext();
    void rebuild();
    void fillTable();
    void fillChanges();
    void fillChoices();
    void drawPlots();
    void say();
    [[nodiscard]] StudySeries seriesOf(const QString& metric, const QString& key) const;
    [[nodiscard]] std::optional<std::size_t> chosenRun() const;
    void chooseRun(std::size_t run);

    StudyReading how_;
    std::vector<StudyRun> runs_;
    std::vector<std::filesystem::path> waiting_;
    std::optional<StudyLeft> left_;    ///< not taken up yet
    std::optional<StudyLeft> choices_; ///< of it, once its runs are read
    std::size_t all_ = 0;              ///< paths asked for since nothing was waiting
    QStringList problems_;
    std::optional<Study> study_;
    std::vector<QString> small_; ///< metrics of the small multiples

    QPushButton* stop_;
    QPushButton* clear_ = nullptr;
    QComboBox* order_;
    QComboBox* metric_;
    QComboBox* against_;
    QLabel* status_;
    ColumnModel* model_;
    ColumnOrder* shown_;
    QWidget* choicesRow_ = nullptr; ///< order and plots; hidden while there are no runs, as contents_ is
    QWidget* contents_ = nullptr;   ///< tables and plots
    MessagePage* hint_ = nullptr;   ///< in their place
    QTableView* table_;
    QListWidget* changes_;
    StudyPlot* plot_;
    StudyMultiples* multiples_;
    QWidget* page_;
    QElapsedTimer clock_; ///< since nothing was waiting
    Jobs reading_;
};

} // namespace rankscope
