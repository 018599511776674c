// SPDX-License-Identifier: GPL-3.0-or-later
// Allocator peaks and transfer bandwidths worked out by hand.
#include <QtTest>

#include <cmath>

#include "core/analysis/memory/memory_use.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::memory_use_test {

namespace {

MemorySample sample(std::int64_t bytes, std::int64_t allocated, std::uint64_t address, std::int32_t type = 1) {
    return {0, bytes, allocated, allocated + 1000, address, type, 0};
}

MemoryUse memory(const TraceBuilder& rank, const Selection& selection = {}) {
    return RunAnalysis(make_run({rank}), selection).memory()[0];
}

/// 500 bytes were there before. +100 at A, +200 at B, -100 at A, +200 at C (peak: 500 + 200 + 200), -200 at B.
TraceBuilder allocating() {
    return TraceBuilder(0)
        .cpu_op("first", 0, 1)
        .memory_sample(1, sample(100, 600, 0xA))
        .memory_sample(2, sample(200, 800, 0xB))
        .memory_sample(3, sample(-100, 700, 0xA))
        .memory_sample(4, sample(200, 900, 0xC))
        .memory_sample(5, sample(-200, 700, 0xB))
        .memory_sample(6, sample(5000, 5000, 0xD, 0));
}

} // namespace

class TestMemoryUse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePeakAndWhatWasLiveThen() {
        const MemoryUse use = memory(allocating());
        QCOMPARE(use.devices.size(), std::size_t{2}); // the CPU's allocator and the GPU's
        const DeviceMemory& gpu = use.devices[1];
        QCOMPARE(gpu.device_type, 1);
        QCOMPARE(gpu.samples, std::int64_t{5});
        QCOMPARE(gpu.allocated_peak, std::int64_t{900});
        QCOMPARE(gpu.reserved_peak, std::int64_t{1900});
        QCOMPARE(gpu.peak_time, TimeNs{4'000});
        QCOMPARE(gpu.live_bytes, std::int64_t{400}); // B and C
        QCOMPARE(gpu.live.size(), std::size_t{1});
        QCOMPARE(gpu.live[0].bytes, std::int64_t{200});
        QCOMPARE(gpu.live[0].count, std::int64_t{2});
    }

    void onlySamplesInsideTheTimeRangeCount() {
        const Selection until_third{TimeRange{0, 3'500}, {}};
        QCOMPARE(memory(allocating(), until_third).devices.at(0).allocated_peak, std::int64_t{800});
    }

    void transfersByKind() {
        // Host to device: 4000 bytes in 2 us and 8000 in 4 us = 2 GB/s; the third says no bytes and only counts.
        const MemoryUse use = memory(TraceBuilder(0)
                                         .memory_copy("Memcpy HtoD (Pinned -> Device)", 7, 0, 2, 4000)
                                         .memory_copy("Memcpy HtoD (Pageable -> Device)", 7, 5, 4, 8000)
                                         .memory_copy("Memcpy HtoD (Pinned -> Device)", 7, 10, 50)
                                         .memory_copy("MEMORY_COPY_DEVICE_TO_HOST", 7, 100, 1)
                                         .memory_set("Memset (Device)", 7, 110, 1, 3000)
                                         .kernel("gemm", 7, 120, 1));
        QCOMPARE(use.transfers.size(), std::size_t{3});
        QVERIFY(use.transfers[0].kind == TransferKind::host_to_device);
        QCOMPARE(use.transfers[0].count, std::int64_t{3});
        QCOMPARE(use.transfers[0].without_bytes, std::int64_t{1});
        QCOMPARE(use.transfers[0].bytes, std::int64_t{12000});
        QCOMPARE(use.transfers[0].time, TimeNs{56'000});
        QCOMPARE(use.transfers[0].gb_s(), 2.0);
        QVERIFY(use.transfers[1].kind == TransferKind::device_to_host);
        QVERIFY(std::isnan(use.transfers[1].gb_s()));
        QVERIFY(use.transfers[2].kind == TransferKind::set);
        QCOMPARE(use.transfers[2].gb_s(), 3.0);
    }

    void theMetricIsThePeakOfAGpuAndSaysWhatItNeeds() {
        const std::vector<std::string> ids{"memory"};
        const auto value = [&](const TraceBuilder& rank) {
            return compute_metrics(RunAnalysis(make_run({rank}), {}), ids).entries.at(0).result;
        };
        QCOMPARE(value(TraceBuilder(0).memory_sample(1, sample(1, 3 << 20, 1))).value, 3.0);
        QCOMPARE(value(allocating()).details["per_rank"][0]["devices"][1]["live_at_peak_bytes"].get<int>(), 400);
        const MetricResult none = value(TraceBuilder(0).memory_copy("Memcpy DtoD", 7, 0, 2, 4000));
        QVERIFY(!none.available);
        QVERIFY(english(none.reason).find("profile_memory") != std::string::npos);
        QCOMPARE(none.details["per_rank"][0]["transfers"]["device_to_device"]["bandwidth_gb_s"].get<double>(), 2.0);
    }
};

RANKSCOPE_TEST(TestMemoryUse)

} // namespace rankscope::memory_use_test

#include "test_memory_use.moc"
