// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks of operation timelines.
#include "core/input/load/operation_ranks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "core/base/text_match.h"
#include "core/input/find/bounded_config.h"
#include "core/input/operations/operation_groups.h"
#include "core/trace/operation_timeline.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostListed = 1024; ///< members of a group; of larger ones only the size is kept

bool is_meta_name(const std::string& name) {
    return name.starts_with("meta") && (name.ends_with(".yaml") || name.ends_with(".yml"));
}

/// "ST" of "timeline-ST.json.gz"
std::string job_of(const fs::path& timeline) {
    std::string name = timeline.filename().string();
    name = name.substr(0, name.find('.'));
    const std::size_t dash = name.find('-');
    return dash == std::string::npos ? std::string() : name.substr(dash + 1);
}

std::optional<fs::path> meta_file_of(const fs::path& timeline) {
    std::vector<fs::path> metas;
    std::error_code error;
    const fs::path folder = timeline.has_parent_path() ? timeline.parent_path() : fs::path(".");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (is_meta_name(lower_case(entry.path().filename().string())))
            metas.push_back(entry.path());
    const std::string job = job_of(timeline);
    for (const fs::path& meta : metas)
        if (!job.empty() && job_of(meta) == job)
            return meta;
    return metas.size() == 1 && job_of(metas.front()).empty() ? std::optional(metas.front()) : std::nullopt;
}

using MetaValues = std::map<std::string, std::string>;

MetaValues read_meta(const fs::path& path, Notices& notices) {
    MetaValues values;
    const auto broken = [&](Message why) {
        add_notice(notices, {"broken_config", std::move(why), path.string(), 1});
        return values;
    };
    const auto text = read_bounded_file(path);
    if (!text)
        return broken(text.error().message);
    try {
        const auto root = load_bounded_yaml(*text);
        if (!root)
            return broken(root.error().message);
        if (!root->IsMap())
            return broken("the meta file of the job is no list of keys and values"_text);
        for (const auto& member : *root)
            if (member.first.IsScalar() && member.second.IsScalar())
                values[member.first.Scalar()] = member.second.Scalar();
    } catch (const YAML::Exception& error) {
        return broken("the meta file of the job is not valid YAML: %1"_text(error.msg));
    }
    return values;
}

/// fallback where the key is absent; a notice where it holds no size.
int size_in(const MetaValues& values, const std::string& key, int fallback, const fs::path& path, Notices& notices) {
    const auto at = values.find(key);
    if (at == values.end())
        return fallback;
    int size = 0;
    const char* const end = at->second.data() + at->second.size();
    if (const auto [stop, error] = std::from_chars(at->second.data(), end, size);
        error == std::errc{} && stop == end && size >= 1 && size <= kMostRanks)
        return std::max(size, fallback);
    add_notice(notices, {"broken_config", "%1 is no size of a mesh: %2"_text(key, at->second), path.string(), 1});
    return fallback;
}

class RankNumbers {
public:
    explicit RankNumbers(const OperationMesh& mesh) : mesh_(mesh) {}
    [[nodiscard]] int of(int dp, int stage, int tp) const { return (stage * mesh_.dp + dp) * mesh_.tp + tp; }

    [[nodiscard]] ProcessGroup group(OperationGroup kind, const OperationTimeline& at) const {
        ProcessGroup group;
        group.name = operation_group_word(kind);
        switch (kind) {
        case OperationGroup::pp:
            group.description = "pp";
            return listed(group, mesh_.pp, [&](int stage) { return of(at.dp, stage, at.tp); });
        case OperationGroup::dp:
            group.description = "dp";
            return listed(group, mesh_.dp, [&](int dp) { return of(dp, at.stage, at.tp); });
        case OperationGroup::tp:
            group.description = "tp";
            return listed(group, mesh_.tp, [&](int tp) { return of(at.dp, at.stage, tp); });
        case OperationGroup::embedding:
            group.description = "embedding";
            return listed(group, mesh_.pp > 1 ? 2 : 1,
                          [&](int end) { return of(at.dp, end == 0 ? 0 : mesh_.pp - 1, at.tp); });
        case OperationGroup::world: break;
        }
        group.description = "world";
        return listed(group, mesh_.dp * mesh_.pp * mesh_.tp, [](int rank) { return rank; });
    }

private:
    template <typename Member>
    static ProcessGroup listed(ProcessGroup group, int size, Member member) {
        group.size = size;
        if (static_cast<std::size_t>(size) <= kMostListed)
            for (int i = 0; i < size; ++i)
                group.ranks.push_back(member(i));
        return group;
    }
    OperationMesh mesh_;
};

std::shared_ptr<const RankTrace> placed(const RankTrace& rank, const OperationMesh& mesh, const MetaValues& meta,
                                        std::int32_t microbatches, bool chunks) {
    auto copy = std::make_shared<RankTrace>(rank);
    auto timeline = std::make_shared<OperationTimeline>(*rank.operations);
    timeline->mesh = mesh;
    const RankNumbers numbers(mesh);
    copy->rank = numbers.of(timeline->dp, timeline->stage, timeline->tp);
    copy->world_size = mesh.dp * mesh.pp * mesh.tp;
    for (std::size_t g = 0; g < std::min(kOperationGroupCount, copy->process_groups.size()); ++g)
        copy->process_groups[g] = numbers.group(static_cast<OperationGroup>(g), *timeline);
    for (CollectiveArgs& args : copy->collective_args) {
        args.group_size = args.group < 0 ? kUnknown : copy->process_groups[static_cast<std::size_t>(args.group)].size;
        for (std::int32_t* peer : {&args.source_rank, &args.destination_rank}) {
            if (*peer < 0)
                continue;
            // The stage behind the last one is the first: of the next chunk of the model.
            const int stage = (*peer - 1 + mesh.pp) % mesh.pp;
            const bool around = *peer - 1 != stage;
            *peer = around && !chunks ? -1 : numbers.of(timeline->dp, stage, timeline->tp);
        }
    }
    for (const auto& [key, value] : meta)
        copy->header["job_meta." + key] = value;
    copy->header["parallelism.dp"] = std::to_string(mesh.dp);
    copy->header["parallelism.pp"] = std::to_string(mesh.pp);
    copy->header["parallelism.tp"] = std::to_string(mesh.tp);
    if (microbatches > 0)
        copy->header["parallelism.microbatches"] = std::to_string(microbatches);
    copy->operations = std::move(timeline);
    return copy;
}

/// What all operations of a run say together.
struct OperationExtent {
    OperationMesh mesh;
    std::int32_t microbatches = 0;
    bool chunks = false; ///< stages hold several parts of the model

    void add(const OperationTimeline& timeline) {
        mesh.dp = std::max(mesh.dp, timeline.dp + 1);
        mesh.pp = std::max(mesh.pp, timeline.stage + 1);
        mesh.tp = std::max(mesh.tp, timeline.tp + 1);
        for (const Operation& operation : timeline.operations) {
            microbatches = std::max(microbatches, operation.microbatch + 1);
            chunks = chunks || operation.chunk > 0;
        }
    }
};

bool is_possible(const OperationMesh& mesh) {
    const std::int64_t stages = std::int64_t{mesh.pp} * mesh.tp;
    return stages <= kMostRanks && stages * mesh.dp <= kMostRanks;
}

} // namespace

void place_operation_ranks(const std::vector<RankFile>& files, std::vector<Result<RankTraces>>& results,
                           Notices& notices) {
    OperationExtent extent;
    MetaValues meta;
    std::map<fs::path, bool> asked;
    bool any = false;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i] || results[i]->empty() || !results[i]->front()->operations)
            continue;
        any = true;
        for (const auto& rank : *results[i])
            if (rank->operations)
                extent.add(*rank->operations);
        const auto path = meta_file_of(files[i].path);
        if (path && asked.emplace(*path, true).second && meta.empty())
            meta = read_meta(*path, notices);
        if (path && asked.size() == 1) {
            OperationMesh larger = extent.mesh;
            const auto size = [&](const char* key, int known) { return size_in(meta, key, known, *path, notices); };
            larger = {size("dp_size", larger.dp), size("pp_size", larger.pp), size("tp_size", larger.tp),
                      size("dsp_size", 1)};
            if (is_possible(larger))
                extent.mesh = larger;
        }
    }
    if (!any)
        return;
    if (!is_possible(extent.mesh)) {
        for (auto& result : results)
            if (result && !result->empty() && result->front()->operations)
                result = input_error("the ranks of the operation timeline are more than any job has"_text);
        return;
    }
    for (auto& result : results) {
        if (!result)
            continue;
        for (auto& rank : *result)
            if (rank->operations)
                rank = placed(*rank, extent.mesh, meta, extent.microbatches, extent.chunks);
    }
}

} // namespace rankscope
