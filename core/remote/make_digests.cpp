// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/make_digests.h"

#include "core/analysis/digest/digest.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/load/load_run.h"

namespace rankscope {

bool has_digests(TraceSource source) {
    switch (source) {
    case TraceSource::nsys_stats:
    case TraceSource::operations:
    case TraceSource::memory_snapshot:
    case TraceSource::execution_trace:
    case TraceSource::flight_recorder:
    case TraceSource::inspector:
    case TraceSource::digest: return false;
    default: return true;
    }
}

Result<std::vector<Result<MadeDigest>>> make_digests(const RankFile& file, const Run& beside,
                                                     const ReadOptions& options) {
    const auto stamp = stamp_of(file.path); // before it is read: one that changes meanwhile does not fit later
    const auto ranks = read_run_file(file, std::make_shared<StringTable>(), options);
    if (!ranks)
        return tl::unexpected<Error>(ranks.error());
    std::vector<Result<MadeDigest>> digests;
    for (std::size_t i = 0; i < ranks->size(); ++i) {
        const RankTrace& rank = *(*ranks)[i];
        if (rank.events.size() == 0 || rank.digest || !rank.can_be_copied() || !stamp) {
            digests.push_back(input_error(
                rank.digest ? "%1 is a digest already"_text(file.path.string())
                : rank.flight_recorder
                    ? "%1 is a dump of the Flight Recorder, and small as it is"_text(file.path.string())
                : rank.source == TraceSource::memory_snapshot
                    ? "%1 is a memory snapshot, of which no digest is made"_text(file.path.string())
                : rank.operations ? "%1 is an operation timeline, and small as it is"_text(file.path.string())
                                  : "%1 holds no events"_text(file.path.string())));
            continue;
        }
        auto digest = std::make_shared<RankTrace>(*digest_of(rank, *stamp, beside));
        // Of several files with several ranks each only the first one's are known without the others.
        const bool is_known = ranks->size() == 1 || (file.rank == 0 && rank.rank >= 0);
        digest->rank = is_known ? rank.rank : file.rank * static_cast<int>(ranks->size()) + static_cast<int>(i);
        digests.push_back(MadeDigest{std::move(digest), rank.text_bytes});
    }
    return digests;
}

} // namespace rankscope
