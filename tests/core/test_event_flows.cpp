// SPDX-License-Identifier: GPL-3.0-or-later
// Connections of events, in traces small enough to draw them by hand.
#include <memory>
#include <optional>

#include <QtTest>

#include "core/views/event_flows.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::event_flows_test {

namespace {

/// linear 0-30 > addmm 2-20 > two launches (gemm, and a graph of two kernels); backward on the other thread.
TraceBuilder network() {
    TraceBuilder builder(0);
    builder.cpu_op("aten::linear", 0, 30).cpu_op("aten::addmm", 2, 18);
    builder.launch(4, 2, "cudaLaunchKernel").kernel("gemm", 7, 40, 10);
    builder.launch(10, 4, "cudaGraphLaunch")
        .correlation(77)
        .kernel("node_a", 7, 55, 5)
        .correlation(77)
        .kernel("node_b", 7, 62, 5)
        .correlation(77);
    builder.cpu_op("AddmmBackward0", 50, 10, TraceBuilder::kAutogradThread);
    builder.forward_backward(1, TraceBuilder::kMainThread, 51, TraceBuilder::kAutogradThread);
    builder.kernel("orphan", 9, 70, 5);
    return builder;
}

CollectiveCall call(std::string name, std::vector<int> ranks) {
    CollectiveCall made{std::move(name), "Float", 100, 100, {"1", "dp", std::move(ranks), 0}, 1};
    return made;
}

std::shared_ptr<const FlowIndex> indexOf(std::shared_ptr<const Run> run) {
    return std::make_shared<const FlowIndex>(std::make_shared<const RunAnalysis>(std::move(run), Selection{}));
}

} // namespace

class TestEventFlows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { use(make_run({network()})); }

    void aKernelLeadsBackToItsLaunchOperatorAndPass() {
        const EventFlows flows = index_->of(place("gemm"));
        QCOMPARE(texts(flows), (QStringList{"op aten::addmm > cudaLaunchKernel", "launch cudaLaunchKernel > gemm",
                                            "backward aten::linear > AddmmBackward0"}));
    }
    void aLaunchLeadsToAllItLaunched() {
        QCOMPARE(texts(index_->of(place("cudaGraphLaunch"))),
                 (QStringList{"op aten::addmm > cudaGraphLaunch", "launch cudaGraphLaunch > node_a",
                              "launch cudaGraphLaunch > node_b"}));
    }
    void anOuterOperatorLeadsToEverythingInside() {
        QCOMPARE(texts(index_->of(place("aten::linear"))),
                 (QStringList{"op aten::linear > cudaLaunchKernel", "launch cudaLaunchKernel > gemm",
                              "op aten::linear > cudaGraphLaunch", "launch cudaGraphLaunch > node_a",
                              "launch cudaGraphLaunch > node_b", "backward aten::linear > AddmmBackward0"}));
    }
    void whatIsConnectedWithNothingHasNoFlows() {
        QVERIFY(index_->of(place("orphan")).links.empty());
        QVERIFY(!index_->next(place("orphan")) && !index_->previous(place("orphan")));
    }
    void walkingGoesFromOperatorToKernelAndBack() {
        QCOMPARE(nameAt(index_->next(place("aten::linear"))), "cudaLaunchKernel"); // the earlier of two
        QCOMPARE(nameAt(index_->next(place("cudaLaunchKernel"))), "gemm");
        QCOMPARE(nameAt(index_->next(place("gemm"))), "");
        QCOMPARE(nameAt(index_->next(place("node_a"))), "node_b");
        QCOMPARE(nameAt(index_->previous(place("node_b"))), "cudaGraphLaunch");
        QCOMPARE(nameAt(index_->previous(place("cudaGraphLaunch"))), "aten::addmm");
        QCOMPARE(nameAt(index_->previous(place("aten::addmm"))), "aten::linear");
        QCOMPARE(nameAt(index_->previous(place("aten::linear"))), "");
    }
    void aKernelOfKnownOperatorWithoutItsLaunchIsStillConnected() {
        TraceBuilder builder(0);
        builder.cpu_op("aten::mm", 0, 10).external_id(5).kernel("gemm", 7, 20, 5).external_id(5);
        use(make_run({builder}));
        QCOMPARE(texts(index_->of(place("gemm"))), (QStringList{"launch aten::mm > gemm"}));
        QCOMPARE(texts(index_->of(place("aten::mm"))), (QStringList{"launch aten::mm > gemm"}));
        QCOMPARE(nameAt(index_->next(place("aten::mm"))), "gemm");
        QCOMPARE(nameAt(index_->previous(place("gemm"))), "aten::mm");
    }
    /// Some recorders write one id everywhere: the operator around the launch is meant.
    void anIdThatAllOperatorsHaveTellsNothing() {
        TraceBuilder builder(0);
        builder.cpu_op("aten::mm", 0, 10)
            .external_id(1)
            .cpu_op("aten::add", 20, 10)
            .external_id(1)
            .launch(22, 1)
            .kernel("add", 7, 40, 5)
            .external_id(1);
        use(make_run({builder}));
        QCOMPARE(nameAt(index_->previous(place("cudaLaunchKernel"))), "aten::add");
        const RankTrace& rank = *run_->ranks.front();
        QCOMPARE(rank.event_name(rank.gpu.operator_event.front()), std::string_view("aten::add"));
    }
    void theMembersOfACollectiveAreChainedByRank() {
        std::vector<TraceBuilder> ranks;
        for (const int rank : {0, 1, 2}) {
            ranks.emplace_back(rank);
            ranks.back().collective("nccl_" + std::to_string(rank), 20, 100 - 10 * rank, 50 + 10 * rank,
                                    call("allreduce", {0, 1, 2}));
        }
        use(make_run(ranks));
        const QStringList chain{"collective nccl_0 > nccl_1", "collective nccl_1 > nccl_2"};
        QCOMPARE(texts(index_->of(place("nccl_0"))), chain);
        QCOMPARE(texts(index_->of(place("nccl_2", 2))), chain); // the same, whichever is selected
    }
    void aMessageGoesFromSenderToReceiver() {
        TraceBuilder receiver(0);
        TraceBuilder sender(1);
        CollectiveCall receive = call("recv", {0, 1});
        receive.source_rank = 1;
        receive.destination_rank = 0;
        CollectiveCall send = receive;
        send.collective = "send";
        receiver.collective("nccl_recv", 20, 10, 20, receive);
        sender.collective("nccl_send", 20, 15, 15, send);
        use(make_run({receiver, sender}));
        QCOMPARE(texts(index_->of(place("nccl_recv"))), (QStringList{"message nccl_send > nccl_recv"}));
        QCOMPARE(texts(index_->of(place("nccl_send", 1))), (QStringList{"message nccl_send > nccl_recv"}));
    }
    void anOperatorOfThousandsOfLaunchesSaysHowManyAreLeftOut() {
        TraceBuilder builder(0);
        builder.cpu_op("step", 0, 10'000);
        for (int i = 0; i < 150; ++i)
            builder.launch(10.0 * i, 1).kernel("k", 7, 10.0 * i + 5, 1);
        use(make_run({builder}));
        const EventFlows flows = index_->of(place("step"));
        QCOMPARE(flows.links.size(), 2 * FlowIndex::kMostLaunches);
        QCOMPARE(flows.left_out, std::size_t{50});
    }

private:
    void use(std::shared_ptr<const Run> run) {
        run_ = run;
        index_ = indexOf(std::move(run));
    }
    [[nodiscard]] EventPlace place(std::string_view name, std::uint32_t rank = 0) const {
        const RankTrace& trace = *run_->ranks[rank];
        for (EventIndex e = 0; e < trace.events.size(); ++e)
            if (trace.event_name(e) == name)
                return {rank, e};
        return {};
    }
    [[nodiscard]] QString nameAt(std::optional<EventPlace> at) const {
        if (!at)
            return {};
        const std::string_view name = run_->ranks[at->rank]->event_name(at->event);
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    [[nodiscard]] QStringList texts(const EventFlows& flows) const {
        const QStringList kinds{"op", "launch", "backward", "message", "collective"};
        QStringList lines;
        for (const FlowLink& link : flows.links)
            lines << kinds[static_cast<int>(link.kind)] + " " + nameAt(link.from) + " > " + nameAt(link.to);
        return lines;
    }
    std::shared_ptr<const Run> run_;
    std::shared_ptr<const FlowIndex> index_;
};

RANKSCOPE_TEST(TestEventFlows)

} // namespace rankscope::event_flows_test

#include "test_event_flows.moc"
