// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the selected event: what the model knows at once, its arguments as soon as they are read.
#pragma once
#include <functional>

#include <QWidget>

#include "core/trace/notice.h"
#include "widgets/background_queue.h"
#include "widgets/view_state.h"

class QLabel;
class QPlainTextEdit;
class QTableView;

namespace rankscope {

class DetailsModel;

/// Text from the trace is plain text everywhere here, never HTML.
class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    /// The JSON text of an event; called off the window's thread.
    using TextReader = std::function<Result<std::string>(const RankTrace&, EventIndex)>;

    explicit DetailsPanel(ViewState* state, QWidget* parent = nullptr);
    ~DetailsPanel() override;

    /// In place of core's read_event_text.
    void setTextReader(TextReader reader);
    [[nodiscard]] DetailsModel* model() const { return model_; }
    /// The selected rows as "key<tab>value" lines.
    [[nodiscard]] QString selectedText() const;

    [[nodiscard]] QSize sizeHint() const override { return {320, 400}; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showSelection();
    void readArguments(const EventRef& event);
    void takeArguments(const Result<std::string>& text);
    void fitRows();
    void copyRows();

    ViewState* state_;
    DetailsModel* model_;
    QLabel* hint_;
    QPlainTextEdit* name_;
    QTableView* table_;
    TextReader read_;
    quint64 asked_ = 0; ///< number of the latest question; answers to earlier ones are dropped
    BackgroundQueue queue_;
};

} // namespace rankscope
