// SPDX-License-Identifier: GPL-3.0-or-later
// A job of tensor, data and pipeline parallel groups, run until it stands still because of one rank: whatever the
// fault, and wherever it strikes, nobody else is convicted, and the faulty rank is not overlooked.
#include <QtTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/hang_jobs.h"
#include "tests/support/test_program.h"

namespace rankscope::hang_simulated_test {

using hang_jobs::Ranks;
using hang_jobs::ranks_with;

enum class Fault {
    host_stops,  ///< never makes its next call: a lock, a signal, an exception
    gpu_stops,   ///< calls go on, and the GPU never gets to them
    gpu_hangs,   ///< the GPU enters a call and stays in it
    crash,       ///< as host_stops, and leaves no dump
    leaves_out,  ///< leaves one call out and goes on
    other_kind,  ///< makes another kind of call
    other_sizes, ///< makes it with other sizes
};

struct Shape {
    int tensor, data, pipeline;
    [[nodiscard]] int ranks() const { return tensor * data * pipeline; }
};

/// Tensor parallel ranks are neighbours, pipeline stages furthest apart.
class SimulatedJob {
public:
    /// buffered: messages are sent before anybody receives them.
    SimulatedJob(Shape shape, bool timing, bool buffered) : shape_(shape), timing_(timing), buffered_(buffered) {
        all_.resize(static_cast<std::size_t>(shape.ranks()));
        std::iota(all_.begin(), all_.end(), 0);
        members_["0"] = all_;
        const auto rank_at = [&](int t, int d, int p) { return t + shape.tensor * (d + shape.data * p); };
        for (const int rank : all_) {
            const int t = rank % shape.tensor, d = rank / shape.tensor % shape.data,
                      p = rank / (shape.tensor * shape.data);
            Ranks tensor, data, pipeline, model;
            for (int i = 0; i < shape.tensor; ++i)
                tensor.push_back(rank_at(i, d, p));
            for (int i = 0; i < shape.data; ++i)
                data.push_back(rank_at(t, i, p));
            for (int i = 0; i < shape.pipeline; ++i)
                pipeline.push_back(rank_at(t, d, i));
            for (int i = 0; i < shape.pipeline; ++i)
                for (int k = 0; k < shape.tensor; ++k)
                    model.push_back(rank_at(k, d, i));
            write_program(rank, p, group("TENSOR", tensor), group("DATA", data), group("PIPELINE", pipeline),
                          group("MODEL", model));
        }
    }

    [[nodiscard]] std::size_t length(int rank) const { return programs_.at(rank).size(); }

    /// What the dumps of such a run say. `at`: the place in the rank's program.
    DumpedJob run(Fault fault, int rank, std::size_t at) {
        if (fault == Fault::leaves_out)
            programs_[rank].erase(programs_[rank].begin() + static_cast<std::ptrdiff_t>(at));
        if (fault == Fault::other_kind)
            programs_[rank][at].kind = "broadcast";
        if (fault == Fault::other_sizes)
            programs_[rank][at].size = 77;
        number();
        fault_ = fault;
        faulty_ = rank;
        at_ = at;
        std::map<int, State> states;
        for (const int r : all_)
            states[r];
        for (int tick = 0, idle = 0; idle < 3; ++tick)
            idle = advance(states, tick) ? 0 : idle + 1;
        return dumps(states);
    }

    [[nodiscard]] bool is_collective(int rank, std::size_t at) const { return programs_.at(rank)[at].peer < 0; }
    [[nodiscard]] std::size_t members_of_call(int rank, std::size_t at) const {
        return members_.at(programs_.at(rank)[at].group).size();
    }

private:
    struct Op {
        std::string kind;
        std::string group;
        int peer = -1; ///< rank within the group
        std::int64_t size = 1024;
        bool last_of_step = false; ///< the host waits here for its GPU
        std::int64_t seq = 0;
        std::int64_t in_pair = 0; ///< of messages: which one between these two
    };
    struct State {
        std::size_t called = 0;                 ///< calls that the host has made
        std::size_t finished = 0;               ///< in order
        bool entered = false;                   ///< the GPU is in the call behind the finished ones
        std::vector<int> created, began, ended; ///< ticks
    };

    std::string group(const std::string& description, const Ranks& members) {
        const auto known = names_.find({description, members});
        if (known != names_.end())
            return known->second;
        const std::string name = std::to_string(names_.size() + 1);
        names_[{description, members}] = name;
        members_[name] = members;
        return name;
    }

    void write_program(int rank, int stage, const std::string& tensor, const std::string& data,
                       const std::string& pipeline, const std::string& model) {
        std::vector<Op>& program = programs_[rank];
        const auto message = [&](const char* kind, int peer) { program.push_back({kind, pipeline, peer}); };
        const auto call = [&](const char* kind, const std::string& in) {
            if (members_[in].size() > 1)
                program.push_back({kind, in});
        };
        constexpr int kSteps = 2, kMicrobatches = 2;
        for (int step = 0; step < kSteps; ++step) {
            for (int m = 0; m < kMicrobatches; ++m) {
                if (stage > 0)
                    message("recv", stage - 1);
                call("all_reduce", tensor);
                call("all_reduce", tensor);
                if (stage + 1 < shape_.pipeline)
                    message("send", stage + 1);
            }
            for (int m = 0; m < kMicrobatches; ++m) {
                if (stage + 1 < shape_.pipeline)
                    message("recv", stage + 1);
                call("all_reduce", tensor);
                if (stage > 0)
                    message("send", stage - 1);
            }
            call("_reduce_scatter_base", data);
            call("all_reduce", model);
            call("_all_gather_base", data);
            program.push_back({"all_reduce", "0"});
            program.back().last_of_step = true;
        }
    }

    /// Counts calls as each rank does: collectives and messages of a group apart.
    void number() {
        for (auto& [rank, program] : programs_) {
            std::map<std::string, std::int64_t> collectives, messages;
            std::map<std::tuple<std::string, std::string, int>, std::int64_t> pairs;
            for (Op& op : program) {
                op.seq = op.peer < 0 ? ++collectives[op.group] : ++messages[op.group];
                op.in_pair = op.peer < 0 ? 0 : ++pairs[{op.group, op.kind, op.peer}];
            }
        }
    }

    [[nodiscard]] const Op* current(const std::map<int, State>& states, int rank) const {
        const State& state = states.at(rank);
        return state.entered ? &programs_.at(rank)[state.finished] : nullptr;
    }
    /// Whether all that take part in a call are in it.
    [[nodiscard]] bool all_in(const std::map<int, State>& states, int rank, const Op& op) const {
        const Ranks& members = members_.at(op.group);
        if (op.peer >= 0) {
            const int place = static_cast<int>(std::ranges::find(members, rank) - members.begin());
            const int peer = members[static_cast<std::size_t>(op.peer)];
            if (buffered_ && op.kind == "send")
                return true;
            if (buffered_) {
                const std::vector<Op>& program = programs_.at(peer);
                const auto sent = std::ranges::find_if(program, [&](const Op& made) {
                    return made.group == op.group && made.peer == place && made.kind == "send" &&
                           made.in_pair == op.in_pair;
                });
                return sent != program.end() &&
                       states.at(peer).finished > static_cast<std::size_t>(sent - program.begin());
            }
            const Op* other = current(states, peer);
            return other != nullptr && other->group == op.group && other->peer == place && other->kind != op.kind &&
                   other->in_pair == op.in_pair && other->size == op.size;
        }
        return std::ranges::all_of(members, [&](int member) {
            const Op* other = current(states, member);
            return other != nullptr && other->group == op.group && other->seq == op.seq && other->kind == op.kind &&
                   other->size == op.size;
        });
    }

    bool advance(std::map<int, State>& states, int tick) const {
        bool moved = false;
        for (auto& [rank, state] : states) {
            const std::vector<Op>& program = programs_.at(rank);
            constexpr std::size_t kAhead = 6; // calls that a host makes before its GPU gets to them
            const bool stopped =
                rank == faulty_ && state.called >= at_ && (fault_ == Fault::host_stops || fault_ == Fault::crash);
            const bool waits =
                state.called > 0 && program[state.called - 1].last_of_step && state.finished < state.called;
            if (state.called < program.size() && !stopped && !waits && state.called - state.finished < kAhead) {
                ++state.called;
                state.created.push_back(tick);
                moved = true;
            }
            const bool gpu_stopped = rank == faulty_ && fault_ == Fault::gpu_stops && state.finished >= at_;
            if (!state.entered && state.finished < state.called && !gpu_stopped) {
                state.entered = moved = true;
                state.began.push_back(tick);
            }
        }
        Ranks done;
        for (const auto& [rank, state] : states) {
            const Op* op = current(states, rank);
            const auto hangs = [&] {
                // Nobody gets out of a call in which a GPU stays.
                const State& of_faulty = states.at(faulty_);
                const Op* stuck =
                    fault_ == Fault::gpu_hangs && of_faulty.finished == at_ ? current(states, faulty_) : nullptr;
                if (stuck == nullptr || op->group != stuck->group)
                    return false;
                if (op->peer < 0 || stuck->peer < 0)
                    return op->peer == stuck->peer && op->seq == stuck->seq;
                const int peer = members_.at(op->group)[static_cast<std::size_t>(op->peer)];
                return op == stuck || (peer == faulty_ && op->kind != stuck->kind && op->in_pair == stuck->in_pair);
            };
            if (op != nullptr && all_in(states, rank, *op) && !hangs())
                done.push_back(rank);
        }
        for (const int rank : done) {
            State& state = states[rank];
            ++state.finished;
            state.entered = false;
            state.ended.push_back(tick);
        }
        return moved || !done.empty();
    }

    [[nodiscard]] DumpedJob dumps(const std::map<int, State>& states) const {
        DumpedJob job(shape_.ranks());
        std::vector<std::pair<int, std::pair<std::string, Ranks>>> groups;
        for (const auto& [key, name] : names_)
            groups.push_back({std::stoi(name), key});
        std::ranges::sort(groups);
        for (const auto& [number, key] : groups)
            job.group(std::to_string(number), key.first, key.second);
        for (const auto& [rank, state] : states)
            for (std::size_t i = 0; i < state.called; ++i) {
                const Op& op = programs_.at(rank)[i];
                const bool finished = i < state.finished, began = i < state.began.size();
                DumpCall call{.kind = op.kind, .group = op.group, .seq = op.seq};
                call.state = finished ? "completed" : began && timing_ ? "started" : "scheduled";
                call.created_ms = state.created[i];
                call.started_ms = began && timing_ ? state.began[i] : -1;
                call.completed_ms = finished ? state.ended[i] : -1;
                call.inputs = call.outputs = {{op.size}};
                call.peer = op.peer;
                job.call(rank, call);
            }
        if (fault_ == Fault::crash)
            job.crash(faulty_);
        return job;
    }

    Shape shape_;
    bool timing_;
    bool buffered_;
    Ranks all_;
    std::map<std::pair<std::string, Ranks>, std::string> names_; ///< of groups but the one of all
    std::map<std::string, Ranks> members_;
    std::map<int, std::vector<Op>> programs_;
    Fault fault_ = Fault::host_stops;
    int faulty_ = 0;
    std::size_t at_ = 0;
};

enum class Buffer { whole, short_one, active_only };

/// How many ranks were convicted, of how many.
struct Score {
    int runs = 0, convicted = 0, possible = 0, overlooked = 0, innocent = 0;
};

class TestHangSimulated : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nobodyElseIsConvicted_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("buffer");
        QTest::addColumn<bool>("timing");
        QTest::addColumn<bool>("buffered");
        const std::pair<const char*, Fault> faults[] = {
            {"host stops", Fault::host_stops},  {"GPU stops", Fault::gpu_stops},
            {"GPU hangs", Fault::gpu_hangs},    {"crash", Fault::crash},
            {"leaves out", Fault::leaves_out},  {"other kind", Fault::other_kind},
            {"other sizes", Fault::other_sizes}};
        const std::pair<const char*, Buffer> buffers[] = {
            {"whole buffer", Buffer::whole}, {"short buffer", Buffer::short_one}, {"open calls", Buffer::active_only}};
        for (const auto& [fault_name, fault] : faults)
            for (const auto& [buffer_name, buffer] : buffers)
                for (const auto& [timing, buffered] : {std::pair(false, false), {true, false}, {false, true}})
                    QTest::addRow("%s, %s%s%s", fault_name, buffer_name, timing ? ", timing" : "",
                                  buffered ? ", messages are buffered" : "")
                        << static_cast<int>(fault) << static_cast<int>(buffer) << timing << buffered;
    }
    void nobodyElseIsConvicted() {
        QFETCH(int, fault);
        QFETCH(int, buffer);
        QFETCH(bool, timing);
        QFETCH(bool, buffered);
        const auto kind = static_cast<Fault>(fault);
        Score score;
        for (const Shape shape : {Shape{2, 2, 2}, Shape{4, 1, 2}, Shape{1, 2, 4}, Shape{2, 4, 1}})
            for (const int rank : {0, shape.ranks() / 2, shape.ranks() - 1}) {
                const std::size_t length = SimulatedJob(shape, timing, buffered).length(rank);
                for (std::size_t at = 1; at < length; at += 5)
                    judge(SimulatedJob(shape, timing, buffered), shape, kind, rank, at, static_cast<Buffer>(buffer),
                          score);
            }
        qInfo("%d runs: %d convicted, %d possible, %d overlooked, %d innocent", score.runs, score.convicted,
              score.possible, score.overlooked, score.innocent);
        QVERIFY(score.runs > 30);
        QCOMPARE(score.innocent, 0);
        QCOMPARE(score.overlooked, 0);
        if (kind == Fault::host_stops)
            QCOMPARE(score.convicted, score.runs);
        if (kind == Fault::gpu_stops && timing)
            QVERIFY(10 * score.convicted >= 9 * score.runs);
        if (kind == Fault::crash)
            QCOMPARE(score.possible, score.runs);
    }

    /// Each dump but the faulty rank's is taken away: nobody else is convicted, and what is proved is told first.
    void aMissingDumpOfAnotherRankClearsNobody() {
        const SimulatedJob job({2, 2, 2}, true, false);
        for (const Fault fault : {Fault::host_stops, Fault::gpu_stops, Fault::leaves_out, Fault::other_kind})
            for (const int rank : {0, 5})
                for (std::size_t at = 1; at < job.length(rank); at += 4)
                    if (fault != Fault::other_kind || job.is_collective(rank, at))
                        judge_without_each(SimulatedJob(job).run(fault, rank, at), rank);
    }

private:
    static void judge_without_each(const DumpedJob& job, int faulty) {
        const bool convicted = !job.hang().with(HangVerdict::culprit).empty();
        for (int missing = 0; missing < 8; ++missing) {
            if (missing == faulty)
                continue;
            const Hang hang = DumpedJob(job).crash(missing).hang();
            const Ranks culprits = ranks_with(hang, HangVerdict::culprit);
            QVERIFY(std::ranges::all_of(culprits, [&](int r) { return r == faulty; }));
            QVERIFY(culprits.empty() || hang.problem != HangProblem::no_dump);
            QVERIFY(!convicted || hang.rank(faulty)->verdict != HangVerdict::victim || !hang.rank(faulty)->why.empty());
        }
    }
    static void judge(SimulatedJob simulated, Shape shape, Fault fault, int rank, std::size_t at, Buffer buffer,
                      Score& score) {
        const bool mismatch = fault == Fault::other_kind || fault == Fault::other_sizes;
        if ((mismatch || fault == Fault::leaves_out) && !simulated.is_collective(rank, at))
            return;
        DumpedJob job = simulated.run(fault, rank, at);
        if (buffer == Buffer::short_one)
            for (int r = 0; r < shape.ranks(); ++r)
                job.keep_last(r, static_cast<std::size_t>(8 + r % 3));
        if (buffer == Buffer::active_only)
            job.only_active();
        const Hang hang = job.hang();
        const Ranks culprits = ranks_with(hang, HangVerdict::culprit),
                    possible = ranks_with(hang, HangVerdict::possible),
                    circle = ranks_with(hang, HangVerdict::deadlock);
        ++score.runs;
        const auto innocent = std::ranges::count_if(culprits, [&](int r) { return r != rank; });
        score.innocent += innocent > 0 ? 1 : 0;
        const auto among = [&](const Ranks& ranks) { return std::ranges::find(ranks, rank) != ranks.end(); };
        score.convicted += among(culprits) ? 1 : 0;
        score.possible += among(possible) ? 1 : 0;
        const bool found = among(culprits) || among(possible) || among(circle);
        score.overlooked += found ? 0 : 1;
        if (innocent > 0 || !found)
            qWarning("%d x %d x %d, rank %d, call %zu: %s", shape.tensor, shape.data, shape.pipeline, rank, at,
                     english(hang_headline(hang)).c_str());
    }
};

RANKSCOPE_TEST(TestHangSimulated)

} // namespace rankscope::hang_simulated_test

#include "test_hang_simulated.moc"
