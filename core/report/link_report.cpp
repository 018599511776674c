// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/link_report.h"

#include <cmath>

#include "core/analysis/collectives/link_fits.h"
#include "core/metrics/numbers.h"
#include "core/report/csv.h"

namespace rankscope {
namespace {

double bus_at(const LinkFit& fit, const LinkSize& size, double time) {
    return fit.bus_factor * static_cast<double>(size.bytes) / time;
}

double nccl_tests_at(const Run& run, const LinkFit& fit, std::int64_t bytes) {
    const NcclTestCurve* curve = nccl_test_for(run.nccl_tests, fit.kind, fit.group_size);
    return curve == nullptr ? std::numeric_limits<double>::quiet_NaN() : bus_gb_s_of(*curve, bytes);
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(rounded(value)) : Json(nullptr); }

Json size_json(const Run& run, const LinkFit& fit, const LinkSize& size) {
    return {{"bytes", size.bytes},
            {"calls", size.calls},
            {"transfer_us", rounded_us(size.median_transfer)},
            {"best_transfer_us", rounded_us(size.best_transfer)},
            {"fitted_us", fit.model ? Json(rounded_us(fit.model->transfer(size.bytes))) : Json(nullptr)},
            {"busbw_gb_s", number_or_null(bus_at(fit, size, size.median_transfer))},
            {"best_busbw_gb_s", number_or_null(bus_at(fit, size, size.best_transfer))},
            {"nccl_tests_busbw_gb_s", number_or_null(nccl_tests_at(run, fit, size.bytes))}};
}

/// Sums over the calls of a fit.
struct SplitSums {
    double skew = 0, latency = 0, size = 0, rest = 0;
};

Json fit_json(const RunAnalysis& analysis, const LinkFit& fit, const SplitSums& sums) {
    const CommGroup& group = analysis.collectives().groups[fit.group];
    Json sizes = Json::array();
    for (const LinkSize& size : fit.sizes)
        sizes.push_back(size_json(analysis.run(), fit, size));
    Json json{{"kind", collective_kind_word(fit.kind)}, {"group", group.name},
              {"group_description", group.description}, {"dimension", parallel_dimension_word(fit.dimension)},
              {"group_size", fit.group_size},           {"calls", fit.calls},
              {"without_size", fit.without_size},       {"available", fit.model.has_value()},
              {"skew_us", rounded_us(sums.skew)},       {"sizes", std::move(sizes)}};
    if (!fit.model) {
        json["reason"] = english(fit.why_not);
        return json;
    }
    json["latency_us"] = rounded_us(fit.model->latency);
    json["bandwidth_gb_s"] = rounded(fit.model->bandwidth);
    json["bus_bandwidth_gb_s"] = rounded(fit.model->bandwidth * fit.bus_factor);
    json["residual_percent"] = rounded(100 * fit.model->residual);
    json["calls_latency_us"] = rounded_us(sums.latency);
    json["calls_size_us"] = rounded_us(sums.size);
    json["calls_rest_us"] = rounded_us(sums.rest);
    return json;
}

} // namespace

Json links_json(const RunAnalysis& analysis) {
    const LinkFits& links = analysis.link_fits();
    std::vector<SplitSums> sums(links.fits.size());
    for (const CallSplit& split : links.splits) {
        SplitSums& of = sums[split.fit];
        of.skew += static_cast<double>(split.skew);
        if (std::isfinite(split.rest)) {
            of.latency += split.latency;
            of.size += split.size;
            of.rest += split.rest;
        }
    }
    Json fits = Json::array();
    for (std::size_t i = 0; i < links.fits.size(); ++i)
        fits.push_back(fit_json(analysis, links.fits[i], sums[i]));
    Json tests = Json::array();
    for (const NcclTestCurve& curve : analysis.run().nccl_tests) {
        Json points = Json::array();
        for (const NcclTestPoint& point : curve.points)
            points.push_back({{"bytes", point.bytes},
                              {"busbw_gb_s", number_or_null(point.out_of_place_busbw_gb_s)},
                              {"in_place_busbw_gb_s", number_or_null(point.in_place_busbw_gb_s)}});
        tests.push_back({{"file", curve.file.string()},
                         {"kind", collective_kind_word(curve.kind)},
                         {"ranks", curve.ranks},
                         {"points", std::move(points)}});
    }
    return {{"fits", std::move(fits)}, {"nccl_tests", std::move(tests)}};
}

std::string links_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"kind",
                   "group",
                   "group_description",
                   "dimension",
                   "group_size",
                   "latency_us",
                   "bandwidth_gb_s",
                   "residual_percent",
                   "why_not",
                   "bytes",
                   "calls",
                   "transfer_us",
                   "best_transfer_us",
                   "busbw_gb_s",
                   "best_busbw_gb_s",
                   "fitted_busbw_gb_s",
                   "nccl_tests_busbw_gb_s",
                   "run"};
    for (const AnalysedRun& run : runs)
        for (const LinkFit& fit : run.analysis->link_fits().fits)
            for (const LinkSize& size : fit.sizes) {
                const CommGroup& group = run.analysis->collectives().groups[fit.group];
                const double not_told = std::numeric_limits<double>::quiet_NaN();
                table.text(collective_kind_word(fit.kind))
                    .text(group.name)
                    .text(group.description)
                    .text(parallel_dimension_word(fit.dimension))
                    .integer(fit.group_size)
                    .decimals(fit.model ? fit.model->latency / 1e3 : not_told, 3)
                    .number(fit.model ? rounded(fit.model->bandwidth) : not_told)
                    .number(fit.model ? rounded(100 * fit.model->residual) : not_told)
                    .text(english(fit.why_not))
                    .integer(size.bytes)
                    .integer(size.calls)
                    .decimals(size.median_transfer / 1e3, 3)
                    .decimals(size.best_transfer / 1e3, 3)
                    .number(rounded(bus_at(fit, size, size.median_transfer)))
                    .number(rounded(bus_at(fit, size, size.best_transfer)))
                    .number(rounded(fit.bus_gb_s(size.bytes)))
                    .number(rounded(nccl_tests_at(run.run(), fit, size.bytes)))
                    .text(run.label)
                    .end_row();
            }
    return table.content();
}

std::string collective_split_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"call",        "kind",       "group",   "bytes",   "skew_us",
                   "transfer_us", "latency_us", "size_us", "rest_us", "run"};
    for (const AnalysedRun& run : runs) {
        const LinkFits& links = run.analysis->link_fits();
        for (const CallSplit& split : links.splits) {
            const CollectiveTiming& timing = run.analysis->call_table().all[split.call];
            const LinkFit& fit = links.fits[split.fit];
            table.integer(split.call)
                .text(collective_kind_word(fit.kind))
                .text(run.analysis->collectives().groups[fit.group].name);
            if (timing.bytes == kUnknown)
                table.empty();
            else
                table.integer(timing.bytes);
            table.microseconds(split.skew)
                .microseconds(split.transfer)
                .decimals(split.latency / 1e3, 3)
                .decimals(split.size / 1e3, 3)
                .decimals(split.rest / 1e3, 3)
                .text(run.label)
                .end_row();
        }
    }
    return table.content();
}

} // namespace rankscope
