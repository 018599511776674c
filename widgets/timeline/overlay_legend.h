// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where overlays are switched, and where each that is on says in words what it shows.
#pragma once
#include <map>
#include <memory>

#include <QWidget>

#include "core/views/marked_spans.h"
#include "widgets/timeline/overlays.h"
#include "widgets/view_state.h"

class QLabel;
class QToolButton;

namespace rankscope {

class OverlayLegend : public QWidget {
    Q_OBJECT
public:
    explicit OverlayLegend(ViewState* state, QWidget* parent = nullptr);
    /// What there is to show; nullptr: the run is not analysed yet.
    void setMarks(const std::shared_ptr<const MarkedSpans>& marks, bool pathsReady);
    /// Why the overlay cannot be shown; empty: it can.
    [[nodiscard]] QString obstacle(const OverlayEntry& overlay) const;
    [[nodiscard]] QToolButton& button(const QString& overlay) const { return *parts_.at(overlay).button; }
    [[nodiscard]] QString explanation() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Part {
        QToolButton* button = nullptr;
        QWidget* line = nullptr;
        QLabel* text = nullptr;
    };
    void refresh();

    ViewState* state_;
    std::map<QString, Part> parts_; ///< by the overlay's id
    std::shared_ptr<const MarkedSpans> marks_;
    bool pathsReady_ = false;
};

} // namespace rankscope
