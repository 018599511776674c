// SPDX-License-Identifier: GPL-3.0-or-later
// The selected collective on all ranks, side by side.
#pragma once
#include <QWidget>

#include "core/views/collective_peers.h"
#include "widgets/view_state.h"

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace rankscope {

class PeersModel;

class PeersPane : public QWidget {
    Q_OBJECT
public:
    explicit PeersPane(QWidget* parent = nullptr);
    void setPeers(const CollectivePeers& peers, int ownRank);
    void setMessage(const QString& message); ///< why there are none
    [[nodiscard]] PeersModel* model() const { return model_; }
    [[nodiscard]] QString headline() const;
    void choose(int rank); ///< as a click on the rank's row

Q_SIGNALS:
    void peerChosen(const rankscope::EventRef& event);

private:
    PeersModel* model_;
    QSortFilterProxyModel* sorted_;
    QLabel* headline_;
    QTableView* table_;
};

} // namespace rankscope
