// SPDX-License-Identifier: GPL-3.0-or-later
// Writes down the instructions of one rank, and joins the transfers that other ranks have started.
#pragma once
#include <map>
#include <tuple>

#include "tests/support/simulator/draw.h"
#include "tests/support/simulator/job.h"

namespace rankscope::machine {

/// Streams of a rank, by their place in Program::streams.
enum Stream : std::int16_t {
    kCompute,
    kTensor,
    kData,    ///< gradients; FSDP: parameters
    kScatter, ///< FSDP: gradients, of the same group
    kSendNext,
    kSendPrevious,
    kReceivePrevious,
    kReceiveNext,
    kExpert,
    kWorld,
    kStreamCount
};

/// What the ranks have agreed on so far.
struct SharedProgram {
    const Job& job;
    Program program;
    std::map<std::vector<std::uint64_t>, int> transfers; ///< by what their members agree on
    std::map<std::string, int> names;

    int name(const std::string& text);
    int kernel(const KernelKind& kind);
};

class RankProgram {
public:
    RankProgram(SharedProgram& shared, int rank);

    void write_step(int step);
    int events() const { return events_; }
    std::vector<Instruction> instructions;

private:
    // -- the host
    Instruction& add(Instruction::Kind kind, int stream = -1);
    void begin(const std::string& name) { add(Instruction::Kind::begin).name = shared_.name(name); }
    void end(const std::string& name) { add(Instruction::Kind::end).name = shared_.name(name); }
    /// time without noise; name empty: no event shows it.
    Instruction& work(double time, const std::string& name = {});
    void pause(double time, const std::string& name); ///< of a fault: draws nothing
    void synchronise(int stream, const std::string& call);
    double host_time(double time);
    double host_factor() const;

    // -- its GPU
    double microbatch_work() const;
    void launch(const KernelKind& kind, double duration, int stream = kCompute);
    void compute(const char* operation, const char* name, double duration, const char* outer = "");
    void copy(const char* operation, const char* name, std::int64_t bytes);
    int record(int stream);
    void wait(int stream, int event);
    void follow(int stream, int after) { wait(stream, record(after)); }

    // -- communication
    Transfer& join(TransferKind kind, Dimension dimension, int stream, std::int64_t in, std::int64_t out);
    void all_reduce(Dimension dimension, int stream, std::int64_t elements);
    void message(bool send, int peer, int stream, int stage, int microbatch, bool forward);
    /// The kernel of this rank's part. number: the member.
    void launch_transfer(int index, int member, int stream, const KernelKind& kind);
    int group_index(Dimension dimension) const;

    // -- the program
    void faults_before_load();
    void pass(const Pass& pass);
    void forward(int stage, int microbatch);
    void backward(int stage, int microbatch, bool input, bool weight);
    void forward_layer(int layer);
    void backward_layer(int layer, bool input, bool weight);
    void backward_product(const char* operation, const char* node, const char* kernel, double duration, bool input,
                          bool weight);
    void expert_exchange(int layer, bool back, bool combine);
    [[nodiscard]] double expert_share(int layer) const;
    [[nodiscard]] std::vector<std::vector<int>> expert_rows(int layer) const;
    void receive_for(const Pass& pass);
    void send_after(const Pass& pass);
    void gather_parameters(int layer, bool for_backward);
    void scatter_gradients();
    void end_of_step();
    [[nodiscard]] bool uses_fsdp() const { return job_.data == DataParallel::fsdp && job_.dp > 1; }
    [[nodiscard]] bool has_experts() const { return job_.experts && job_.dp > 1; }
    [[nodiscard]] int stages() const { return job_.pp * job_.chunks; }

    SharedProgram& shared_;
    const Job& job_;
    int rank_;
    double speed_; ///< of its computation: time factor
    int step_ = 0;
    int microbatch_ = -1;
    int stage_ = -1;
    bool autograd_ = false;
    int events_ = 0;
    std::uint64_t draws_ = 0;
    std::map<std::pair<int, int>, std::uint64_t> calls_; ///< so far, by group and stream
    std::map<int, int> backwards_;                       ///< ended backward passes of this step, by stage
    int gathered_event_ = -1;                            ///< FSDP: the layer before has its parameters
    int scattered_event_ = -1;
};

} // namespace rankscope::machine
