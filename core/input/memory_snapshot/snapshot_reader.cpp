// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/memory_snapshot/snapshot_reader.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/text_match.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/flight_recorder/pickle.h"
#include "core/input/memory_snapshot/snapshot_builder.h"

namespace rankscope {
namespace {

/// A pickle that comes piece by piece.
class StreamedPickle {
public:
    StreamedPickle(ByteSource& source, SnapshotBuilder& builder, const ReadOptions& options)
        : source_(source), builder_(builder), options_(options) {}

    std::string_view take(std::uint64_t count) {
        if (count > buffer_.size() - at_ && !fill(count))
            count = std::min<std::uint64_t>(count, buffer_.size() - at_);
        const std::string_view taken = std::string_view(buffer_).substr(at_, count);
        at_ += taken.size();
        return taken;
    }
    [[nodiscard]] std::uint64_t position() const { return before_ + at_; }
    PlainValue text(std::string_view characters) { return builder_.text(characters); }
    bool append(const PlainValue& into, std::span<const PlainValue> values) { return builder_.append(into, values); }
    [[nodiscard]] Message problem() const { return builder_.problem(); }
    PlainData& data() { return builder_.data(); }
    [[nodiscard]] bool was_cancelled() const { return cancelled_; }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20;
    static constexpr std::uint64_t kLongestText = std::uint64_t{1} << 24;

    /// Until so many bytes are there; false at the end of the text.
    bool fill(std::uint64_t count) {
        cancelled_ = cancelled_ || options_.cancel.stop_requested();
        if (count > kLongestText || cancelled_)
            return false;
        before_ += at_;
        buffer_.erase(0, at_);
        at_ = 0;
        while (buffer_.size() < count) {
            const std::size_t known = buffer_.size();
            buffer_.resize(known + kPiece);
            const std::size_t got = source_.read({buffer_.data() + known, kPiece});
            buffer_.resize(known + got);
            if (options_.on_bytes) {
                options_.on_bytes(source_.consumed() - reported_);
                reported_ = source_.consumed();
            }
            if (got == 0)
                return false;
        }
        return true;
    }

    ByteSource& source_;
    SnapshotBuilder& builder_;
    const ReadOptions& options_;
    std::string buffer_;
    std::size_t at_ = 0;       ///< in the buffer
    std::uint64_t before_ = 0; ///< bytes that are no longer in the buffer
    std::uint64_t reported_ = 0;
    bool cancelled_ = false;
};

/// Values on the stack, in containers that stay, and in the memo, which has one for each object.
PlainLimits limits_of_snapshot(std::uint64_t memory_bytes) {
    PlainLimits limits;
    limits.values = std::size_t{1} << 27;
    if (memory_bytes > 0)
        limits.values = std::min<std::uint64_t>(limits.values, memory_bytes / (6 * sizeof(PlainValue)));
    return limits;
}

} // namespace

bool begins_as_snapshot(std::string_view text) {
    using namespace std::string_view_literals;
    static constexpr std::array kKeys{"segments"sv, "device_traces"sv, "allocator_settings"sv};
    return begins_as_pickle(text) && contains_any(text.substr(0, 256), kKeys);
}

bool is_memory_snapshot(const FileStart& file) {
    const auto source = file.open();
    if (!source)
        return false;
    std::array<char, 256> beginning{};
    const std::size_t got = (*source)->read(beginning);
    return begins_as_snapshot({beginning.data(), got});
}

bool is_snapshot_name(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"})
        if (name.ends_with(ending))
            name.remove_suffix(ending.size());
    return name.ends_with(".pickle") || name.ends_with(".pkl");
}

Result<MemorySnapshot> read_memory_snapshot(const std::filesystem::path& path, StringTable& names,
                                            const ReadOptions& options, std::uint64_t* text_bytes) {
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    SnapshotBuilder builder(names, limits_of_snapshot(options.memory_bytes));
    StreamedPickle pickle(**source, builder, options);
    PickleMemory memory;
    Message problem = PickleInterpreter(pickle, memory).run();
    if (pickle.was_cancelled())
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    if (text_bytes != nullptr)
        *text_bytes = pickle.position();
    if (problem.empty() && !(*source)->damage().empty())
        problem = (*source)->damage();
    Result<MemorySnapshot> snapshot = problem.empty() ? builder.take() : input_error(problem);
    if (!snapshot)
        return input_error("%1 cannot be read as a memory snapshot: %2"_text(path.string(), snapshot.error().message));
    snapshot->file = path;
    return snapshot;
}

} // namespace rankscope
