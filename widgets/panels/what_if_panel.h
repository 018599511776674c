// SPDX-License-Identifier: GPL-3.0-or-later
// What a step would take if something were different: changes to try, and the predicted time at once.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "core/analysis/findings/findings.h"
#include "core/analysis/whatif/what_if.h"
#include "core/run/run_analysis.h"
#include "widgets/jobs.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;
class QToolButton;

namespace rankscope {

class SpeedSlider;

/// The change that would undo what a finding tells, as --what-if takes it; empty: none of those that can be predicted.
/// groups: of the run.
QString changeOf(const Finding& finding, std::span<const CommGroup> groups);

class WhatIfPanel : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPanel(QWidget* parent = nullptr);
    /// Its findings() and step_graph() must be computed already. Nothing is changed at first; nullptr: blank.
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const;
    /// Sets one change, "comm.tp=2x", and opens; false: no control is for it.
    bool apply(const QString& change);
    void reset();

    [[nodiscard]] QStringList changes() const; ///< as --what-if takes them
    [[nodiscard]] QString commandLine() const; ///< "--what-if 'comm.tp=2x' --what-if 'host=0'"
    [[nodiscard]] const std::optional<Prediction>& prediction() const {
        return prediction_;
    } ///< of all changes together
    [[nodiscard]] bool isBusy() const { return delay_.isActive() || jobs_.isBusy({predictionJob}); }
    [[nodiscard]] QString result() const;
    [[nodiscard]] QString notes() const;

Q_SIGNALS:
    void predicted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Job { offersJob, plansJob, predictionJob };
    struct Row {
        QString name; ///< what stands before "=": "comm.tp"
        QLabel* label = nullptr;
        SpeedSlider* speed = nullptr; ///< one of these
        QCheckBox* check = nullptr;   ///< its value is `on`
        QString on;
        QComboBox* choice = nullptr; ///< its data are changes; empty: as recorded
        QLabel* effect = nullptr;    ///< of this change alone
    };
    struct Choice {
        QString words;
        QString change; ///< as --what-if takes it
    };
    /// What the replay can change of a pipeline.
    struct Plans {
        std::vector<Choice> schedules;
        std::optional<int> microbatches; ///< of a step as recorded
    };
    struct Offers {
        std::vector<QString> dimensions;  ///< words of those that communicate
        std::vector<std::string> kernels; ///< names, most time first
        std::vector<Choice> evened;
        Plans plans;
        bool host = true;         ///< launches are recorded
        bool communicates = true; ///< there is communication to change
    };
    struct Asked {
        QStringList changes;  ///< those that are predicted
        QStringList problems; ///< of the others
    };
    static Offers offersOf(const RunAnalysis& analysis);
    static std::vector<Choice> evenedChoices(const RunAnalysis& analysis);
    static Plans plansOf(const RunAnalysis& analysis);
    QWidget* buildBody();
    QWidget* buildResult();
    void arrange();
    void addSpeed(const QString& name, const QString& label);
    void addCheck(const QString& name, const QString& on, const QString& label);
    void addChoice(const QString& label, const std::vector<Choice>& choices);
    void addKernel();
    void addMicrobatches();
    void addPlans();
    void finishRow(Row row, QWidget* control);
    void findOffers();
    void findPlans();
    void takeOffers(const Offers& offers);
    void fillRows();
    [[nodiscard]] QString changeOf(const Row& row) const;
    void changed();
    void ask();
    void answer(std::vector<Prediction> predictions, Asked asked);
    void clearDetails(); ///< of the prediction: what each change does alone, and notes
    void showProblem(const QString& words);

    std::shared_ptr<const RunAnalysis> analysis_;
    Offers offers_;
    QString pending_; ///< a change asked for before its control was there
    QToolButton* opener_ = nullptr;
    QLabel* short_ = nullptr; ///< the result, beside the opener
    QWidget* body_ = nullptr;
    QBoxLayout* row_ = nullptr; ///< of the body
    QWidget* controls_ = nullptr;
    QGridLayout* grid_ = nullptr;
    std::vector<Row> rows_;
    QComboBox* kernel_ = nullptr;
    QSpinBox* microbatches_ = nullptr;
    QLabel* result_ = nullptr;
    QLabel* notes_ = nullptr;
    QToolButton* copy_ = nullptr;
    QToolButton* reset_ = nullptr;
    std::optional<Prediction> prediction_;
    QTimer delay_;
    Jobs jobs_;
};

} // namespace rankscope
