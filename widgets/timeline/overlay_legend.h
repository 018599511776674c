// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where overlays are switched, and where each that is on says in words what it shows.
#pragma once
#include <array>
#include <memory>

#include <QWidget>

#include "core/views/marked_spans.h"
#include "widgets/view_state.h"

class QLabel;
class QToolButton;

namespace rankscope {

QString overlayTitle(Overlay overlay); ///< "Straggler lag"

class OverlayLegend : public QWidget {
    Q_OBJECT
public:
    explicit OverlayLegend(ViewState* state, QWidget* parent = nullptr);
    /// What there is to show; nullptr: the run is not analysed yet.
    void setMarks(const std::shared_ptr<const MarkedSpans>& marks, bool pathsReady);
    /// Why the overlay cannot be shown; empty: it can.
    [[nodiscard]] QString obstacle(Overlay overlay) const;
    [[nodiscard]] QToolButton& button(Overlay overlay) const { return *buttons_[static_cast<std::size_t>(overlay)]; }
    [[nodiscard]] QString explanation() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    [[nodiscard]] QString explain(Overlay overlay) const;

    ViewState* state_;
    std::array<QToolButton*, kOverlayCount> buttons_{};
    std::array<QWidget*, kOverlayCount> lines_{};
    std::array<QLabel*, kOverlayCount> texts_{};
    std::shared_ptr<const MarkedSpans> marks_;
    bool pathsReady_ = false;
};

} // namespace rankscope
