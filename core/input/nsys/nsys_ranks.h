// SPDX-License-Identifier: GPL-3.0-or-later
// Deals the rows of an Nsight Systems export out to ranks: one per process and GPU.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/input/format/trace_format.h"
#include "core/input/nsys/nsys_report.h"
#include "core/input/nsys/nsys_tables.h"
#include "core/trace/rank_builder.h"

namespace rankscope {

/// Feed it the blocks of all tables in the order of nsys_tables(), then finish().
class NsysRanks {
public:
    /// most_bytes: append() stops beyond it, within a block; 0: no limit.
    NsysRanks(const NsysReport& report, std::shared_ptr<StringTable> names, std::uint64_t most_bytes = 0);

    void append(const NsysTable& table, const NsysBlock& block);
    /// A table of events that is not read.
    void count_unread(const std::string& table, std::uint64_t rows);

    [[nodiscard]] std::uint64_t memory_bytes() const; ///< of what was appended so far, in the main
    [[nodiscard]] std::uint64_t event_count() const;

    /// Ranks by GPU where every one has its own, else by process and GPU; none when cancelled. A process with several
    /// GPUs is a rank for each of them, and its threads are shown with each.
    RankTraces finish(const std::filesystem::path& path, std::uint64_t file_bytes, const ReadOptions& options);

private:
    struct Part {
        std::int64_t process = 0; ///< globalPid
        std::int64_t device = -1; ///< CUDA's number of it in that process
        std::int64_t gpu = -1;    ///< of the machine, where the report tells
        std::uint32_t events = 0;
        std::unique_ptr<RankBuilder> builder;
        std::vector<RawEvent> open; ///< ranges nobody closed
        std::vector<NcclRange> nccl;
        NumberSet<std::int64_t> graph_nodes; ///< correlations of graphs whose nodes are there
        std::uint64_t dealt = 0;             ///< rows that are counted with this part
        std::uint64_t doubled = 0;           ///< of these, graphs whose nodes are there
        bool has_copies = false;             ///< of host rows, which another device of the process counts
    };
    /// A text of NVTX: PyTorch's emit_nvtx writes "aten::mul, seq = 5, op_id = 7, sizes = [[2, 3]]".
    struct Label {
        NameId name = 0;
        EventKind kind = EventKind::annotation;
        std::int64_t sequence = kUnknown;
        NameId sizes = 0;
    };

    /// One, or none where there are more than a machine has.
    std::vector<Part*> part(std::int64_t process, std::int64_t device);
    [[nodiscard]] std::vector<Part*> parts_of(const NsysPlace& place, EventKind kind);
    void add(Part& part, const NsysBlock& block, const NsysRow& row, TrackId track);
    void add_nccl(Part& part, const NsysBlock& block, const NsysRow& row, TrackId track, NameId name);
    void add_gpu_columns(Part& part, const NsysBlock& block, const NsysRow& row, std::uint32_t ordinal);
    void append_samples(const NsysTable& table, const NsysBlock& block);
    TrackId track_of(Part& part, const NsysPlace& place, const NsysRow& row);
    Label label_of(std::string_view text);
    Label label_of(const NsysBlock& block, std::int64_t name, std::uint32_t text);
    NameId call_name(std::int64_t id);
    void note_defects(RankTrace& trace) const;
    static std::uint64_t own_events(const Part& part);

    const NsysReport& report_;
    std::shared_ptr<StringTable> names_;
    std::uint64_t most_bytes_;
    TimeNs clock_ = 0;
    bool too_many_parts_ = false;
    std::vector<std::unique_ptr<Part>> parts_;
    NumberMap<std::int64_t, Label> labels_; ///< by StringIds.id
    NumberMap<std::int64_t, NameId> calls_; ///< likewise
    std::vector<Label> block_labels_;       ///< of the texts of the block being appended
    std::set<std::int64_t> other_processes_;
    std::int64_t other_rows_ = 0;
    std::int64_t whole_graphs_ = 0;
    std::int64_t open_ranges_ = 0;
    NcclSizes nccl_sizes_;
    std::map<std::string, std::int64_t> malformed_; ///< by table
    std::int64_t negative_ = 0;
    Accounting accounting_;                  ///< of what no part has
    std::map<std::string, Message> damaged_; ///< why, by table
};

} // namespace rankscope
