// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels of different stages are the same, worked out by hand.
#include <QTest>

#include "core/analysis/usual/aligned_kernels.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::aligned_kernels_test {

namespace {

constexpr std::uint64_t kNone = kNotAligned;
using Places = std::vector<std::vector<std::uint64_t>>; ///< of each rank's kernels, in order

constexpr const char* kPause = "";

/// One step in which each rank launches these kernels; before kPause the host does something else.
RunAnalysis run_of(const std::vector<std::vector<const char*>>& kernels) {
    std::vector<TraceBuilder> ranks;
    for (std::size_t r = 0; r < kernels.size(); ++r) {
        TraceBuilder& rank = ranks.emplace_back(static_cast<int>(r)).world_size(static_cast<int>(kernels.size()));
        rank.step(1, 0, 1000);
        double at = 0;
        for (const char* name : kernels[r]) {
            if (name == kPause) {
                at += 100;
                continue;
            }
            rank.launch(at, 2).kernel(name, 7, at + 3, 5);
            at += 10;
        }
    }
    return {make_run(ranks), {}};
}

Places by_rank(const RunAnalysis& analysis, const std::vector<std::uint64_t>& places) {
    const StepGraph& graph = analysis.step_graph();
    Places result;
    for (std::size_t r = 0; r < analysis.run().ranks.size(); ++r) {
        result.emplace_back();
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
            result.back().push_back(places[n]);
    }
    return result;
}

Places aligned(const RunAnalysis& analysis) {
    const std::vector<std::uint32_t> one_class(analysis.run().ranks.size());
    return by_rank(analysis, aligned_kernels(analysis.run(), analysis.step_graph(), {}, one_class));
}

} // namespace

class TestAlignedKernels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aHeadShiftsNoOtherKernels() {
        const RunAnalysis analysis = run_of({{"gemm", "attention", "gemm", "attention"},
                                             {"gemm", "attention", "gemm", "attention"},
                                             {"gemm", "attention", "gemm", "loss", "gemm", "attention"}});
        QCOMPARE(aligned(analysis), (Places{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, kNone, kNone, 2, 3}}));
    }

    void anEmbeddingAndAHeadAreOnEitherSide() {
        const RunAnalysis analysis =
            run_of({{"embedding", "gemm", "relu"}, {"gemm", "relu"}, {"gemm", "relu", "gemm", "loss"}});
        // The middle number of kernels is that of the first rank.
        QCOMPARE(aligned(analysis), (Places{{0, 1, 2}, {1, 2}, {1, 2, kNone, kNone}}));
    }

    /// Backward passes begin with what only a head has.
    void ofSeveralThatFitTheLastOnesDo() {
        const RunAnalysis analysis = run_of({{"gemm", "gemm"}, {"gemm", "gemm"}, {"gemm", "gemm", "gemm"}});
        QCOMPARE(aligned(analysis), (Places{{0, 1}, {0, 1}, {kNone, 0, 1}}));
    }

    /// Rank 2 has one more in its second pass, which begins with it.
    void afterAPauseComesWhatOnlyAHeadHas() {
        const RunAnalysis analysis = run_of({{"gemm", "gemm", kPause, "gemm", "gemm"},
                                             {"gemm", "gemm", kPause, "gemm", "gemm"},
                                             {"gemm", "gemm", kPause, "gemm", "gemm", "gemm"}});
        QCOMPARE(aligned(analysis), (Places{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, kNone, 2, 3}}));
    }

    /// The first stage's passes end with an embedding's, and those of the last begin with a head's: names alone leave
    /// open which "gemm" of rank 2 is the first one of the others.
    void anEmbeddingBeforeAPauseIsNoHeadAfterIt() {
        const RunAnalysis analysis = run_of({{"gemm", "embedding", kPause, "relu", "gemm"},
                                             {"gemm", "embedding", kPause, "relu", "gemm"},
                                             {"gemm", kPause, "loss", "gemm", "relu", "gemm"}});
        QCOMPARE(aligned(analysis), (Places{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, kNone, kNone, 2, 3}}));
    }

    void passesInAnotherOrderAreNotAligned() {
        const RunAnalysis analysis =
            run_of({{"forward", "forward", "backward", "backward"}, {"forward", "backward", "forward", "backward"}});
        QCOMPARE(aligned(analysis), (Places{{kNone, kNone, kNone, kNone}, {kNone, kNone, kNone, kNone}}));
    }
};

RANKSCOPE_TEST(TestAlignedKernels)

} // namespace rankscope::aligned_kernels_test

#include "test_aligned_kernels.moc"
