// SPDX-License-Identifier: GPL-3.0-or-later
// What a search found, as a list; cells are made when they are looked at.
#pragma once
#include <memory>
#include <optional>

#include <QAbstractTableModel>

#include "core/analysis/search/event_search.h"

namespace rankscope {

/// Numbers of hits (SearchHits::at) in the order of the list; empty: by rank, lane and time.
using HitOrder = std::vector<std::uint32_t>;

class HitsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { nameColumn, kindColumn, rankColumn, laneColumn, startColumn, durationColumn, columnEnd };
    static constexpr int kMostRows = 100'000; ///< the list ends there, the search does not

    using QAbstractTableModel::QAbstractTableModel;
    /// hits may be nullptr; order may be nullptr: as found.
    void setHits(std::shared_ptr<const Run> run, std::shared_ptr<const SearchHits> hits,
                 std::shared_ptr<const HitOrder> order = nullptr);
    [[nodiscard]] const std::shared_ptr<const SearchHits>& hits() const { return hits_; }
    [[nodiscard]] std::size_t count() const { return hits_ ? hits_->count : 0; } ///< of all hits, listed or not
    /// The hit at a place of the list (beyond the rows, too). place < count().
    [[nodiscard]] EventPlace at(std::size_t place) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const EventPlace& place, int column) const;
    [[nodiscard]] QString wholeText(const EventPlace& place, int column) const; ///< for files; times in µs

    std::shared_ptr<const Run> run_;
    std::shared_ptr<const SearchHits> hits_;
    std::shared_ptr<const HitOrder> order_;
};

/// By start or duration (the column), or as found; ties as found. nullopt: cancelled.
std::optional<HitOrder> orderHits(const Run& run, const SearchHits& hits, int column, bool descending,
                                  const std::stop_token& cancel);

} // namespace rankscope
