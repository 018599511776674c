// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the selected event: what the model knows at once; its arguments, the statistics of its name and the
// peers of a collective as soon as they are read and computed in the background.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "core/base/notice.h"
#include "core/views/collective_peers.h"
#include "widgets/jobs.h"
#include "widgets/panels/panel.h"
#include "widgets/view_state.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QScrollArea;
class QSplitter;
class QTableView;

namespace rankscope {

class DetailsModel;
class NameStatisticsPane;
class PeersPane;
struct DetailRow;

/// Text from the trace is plain text everywhere here, never HTML.
class DetailsPanel : public Panel {
    Q_OBJECT
public:
    /// The JSON text of an event; called off the window's thread.
    using TextReader = std::function<Result<std::string>(const RankTrace&, EventIndex)>;

    explicit DetailsPanel(ViewState* state, QWidget* parent = nullptr);
    ~DetailsPanel() override;

    /// In place of core's read_event_text.
    void setTextReader(TextReader reader);
    /// Of the run on screen, for the peers of collectives; nullptr while it is being made.
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    void takeAnalysis(std::shared_ptr<const RunAnalysis> analysis) override { setAnalysis(std::move(analysis)); }
    [[nodiscard]] DetailsModel* model() const { return model_; }
    [[nodiscard]] QLineEdit& filter() const { return *filter_; }
    [[nodiscard]] NameStatisticsPane& statistics() const { return *statistics_; }
    [[nodiscard]] PeersPane& peers() const { return *peers_; }
    /// The selected rows as "key<tab>value" lines.
    [[nodiscard]] QString selectedText() const;

    [[nodiscard]] QString allText() const; ///< likewise all rows that the filter leaves
    [[nodiscard]] QSize sizeHint() const override { return {900, 240}; }

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Job { argumentsJob, statisticsJob };
    void showSelection();
    void readArguments(const EventRef& event);
    void takeArguments(const Result<std::string>& text);
    void readStatistics(const EventRef& event);
    void takePeers(const EventRef& event, const std::optional<CollectivePeers>& peers);
    [[nodiscard]] std::shared_ptr<const RankTrace> owner(const EventRef& event) const;
    void layOut();
    void addActions();
    void fitRows();
    [[nodiscard]] QString textOf(const std::vector<DetailRow>& rows) const;

    ViewState* state_;
    DetailsModel* model_;
    QLabel* hint_;
    QPlainTextEdit* name_;
    QLineEdit* filter_;
    QSplitter* panes_ = nullptr;
    QScrollArea* area_ = nullptr; ///< in which the panes scroll as one
    QWidget* selected_ = nullptr; ///< all but the hint
    QTableView* table_;
    NameStatisticsPane* statistics_;
    PeersPane* peers_;
    std::shared_ptr<const RunAnalysis> analysis_;
    TextReader read_;
    Jobs jobs_{2}; ///< a slow file does not keep the statistics waiting
};

} // namespace rankscope
