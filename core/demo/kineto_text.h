// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed pieces of text of a simulated rank's Kineto file, and a buffer that puts numbers between them fast.
#pragma once
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/output_file.h"
#include "core/demo/run_simulator.h"

namespace rankscope {

/// Appends to a large block that goes to the file when it is full.
class KinetoText {
public:
    explicit KinetoText(OutputFile& file) : file_(file), block_(kBlock + kSlack) {}

    KinetoText& operator<<(std::string_view text) {
        if (text.size() > kSlack) {
            flush();
            file_.write(text);
            bytes_ += text.size();
            return *this;
        }
        make_room();
        std::copy(text.begin(), text.end(), block_.begin() + static_cast<std::ptrdiff_t>(used_));
        used_ += text.size();
        return *this;
    }
    KinetoText& operator<<(std::int64_t number) {
        make_room();
        char* begin = block_.data() + used_;
        used_ += static_cast<std::size_t>(std::to_chars(begin, begin + 24, number).ptr - begin);
        return *this;
    }
    /// Nanoseconds as microseconds with three decimals; must not be negative.
    KinetoText& us(TimeNs time) {
        *this << time / 1000;
        const auto rest = static_cast<int>(time % 1000);
        char* at = block_.data() + used_; // the number before made room for four characters more
        at[0] = '.';
        at[1] = static_cast<char>('0' + rest / 100);
        at[2] = static_cast<char>('0' + rest / 10 % 10);
        at[3] = static_cast<char>('0' + rest % 10);
        used_ += 4;
        return *this;
    }
    void flush() {
        file_.write({block_.data(), used_});
        bytes_ += used_;
        used_ = 0;
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_ + used_; }

private:
    static constexpr std::size_t kBlock = std::size_t{1} << 20;
    static constexpr std::size_t kSlack = std::size_t{1} << 14;
    void make_room() {
        if (used_ >= kBlock - 32)
            flush();
    }

    OutputFile& file_;
    std::vector<char> block_;
    std::size_t used_ = 0;
    std::uint64_t bytes_ = 0;
};

/// Text of everything that repeats for one kernel of a rank. Heads end where the thread or the time goes.
struct SpecText {
    std::vector<std::string> operator_heads; ///< up to the thread
    std::vector<std::string> operator_tails; ///< after "Ev Idx" of each operator: collective arguments, closing braces
    std::string annotation_head;             ///< of the "nccl:..." annotation, up to the thread
    std::string launch_head;                 ///< up to the thread
    std::string launch_middle;               ///< between External id and correlation
    std::string gpu_head;                    ///< up to the start
    std::string gpu_middle;                  ///< between External id and correlation
    std::string gpu_tail;            ///< after correlation, up to what differs between launches (Seq, bandwidth)
    std::string flow_end;            ///< after the time of the arrow's end at the kernel
    std::string gpu_flow_place;      ///< pid and tid of the kernel, up to the time
    std::string gpu_annotation_head; ///< of the annotation's copy on the GPU, up to the start
};

/// Identities of the rank as its file shows them.
struct RankIdentity {
    int rank = 0;
    int process = 0;
    int autograd_thread = 0;
    int device = 0;
    bool omit_collective_args = false;
};
RankIdentity rank_identity(const SimulatorOptions& options, int rank);

int stream_number(GpuVendor vendor, StreamSlot slot);
std::string device_name(const SimulatorOptions& options);
int multiprocessors(const SimulatorOptions& options);

SpecText spec_text(const SimulatorOptions& options, const RunTruth& truth, const RankIdentity& identity,
                   const KernelSpec& spec);
/// Everything up to and with "traceEvents": [.
std::string header_text(const SimulatorOptions& options, const RunTruth& truth, const RankIdentity& identity);
/// Names of processes and threads; every event ends with a comma. time_us: as they are written.
std::string metadata_text(const SimulatorOptions& options, const RankIdentity& identity, std::string_view time_us);

} // namespace rankscope
