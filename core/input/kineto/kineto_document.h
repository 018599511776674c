// SPDX-License-Identifier: GPL-3.0-or-later
// The outside of a Kineto file: finds traceEvents, keeps every other key as header, hands out the events in blocks.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/input/bytes/byte_source.h"
#include "core/input/bytes/text_buffer.h"
#include "core/input/kineto/json_scan.h"

namespace rankscope {

class KinetoDocument {
public:
    /// How much memory there is for reading: a larger event ends what is read. 0: no limit.
    void keep_to(std::uint64_t memory_bytes);
    enum class Start {
        events,    ///< standing at the first event
        no_events, ///< a JSON object without traceEvents, read to its end
        not_json
    };

    explicit KinetoDocument(std::unique_ptr<ByteSource> source, std::size_t piece_bytes = 512 * 1024)
        : source_(std::move(source)), piece_bytes_(piece_bytes) {}

    /// Reads up to the first event; at most max_bytes of text before it.
    Start start(std::uint64_t max_bytes = kHeaderLimit);

    /// Text as it comes from the source.
    struct Piece {
        TextBuffer text; ///< behind blanks, into whose place the start of an event goes whose end is in this piece
        std::uint64_t consumed = 0; ///< bytes of the file used by then
        Message damage;             ///< what the source had to say by then
    };
    /// The next piece; the last one is without text. It may be read while the one before is cut. memory: that of a
    /// text that is not needed any more, to be used again.
    std::optional<Piece> next_piece(TextBuffer memory = {});

    /// Consecutive events as "[...]".
    struct Block {
        TextBuffer bracketed;       ///< blanks may stand before it
        std::uint32_t elements = 0; ///< objects and arrays in it, counted by brackets alone
        std::uint64_t offset = 0;   ///< where its first character stands in the text; what stands before the events
                                    ///< counts, so it may wrap around below 0
        bool salvaged = false;      ///< in the file, something stands between its events that is none
    };
    /// The events that end in the piece, if any do; pieces in order. When the text is damaged no more do, and damage()
    /// says how.
    std::optional<Block> cut(Piece piece);
    /// Reads the keys behind the events. Call it after the last piece was cut.
    void finish();
    /// Elements that are in no block: those whose end is missing, events and keys whose quotes or brackets do not
    /// match, and what is neither object nor array behind the last.
    [[nodiscard]] std::uint64_t cut_off() const { return cut_off_; }
    [[nodiscard]] std::uint64_t torn() const { return torn_; }
    [[nodiscard]] std::uint64_t trailing_scalars() const { return trailing_scalars_; }
    /// Behind the document another one begins, as where a recorder appends to a file that is there.
    [[nodiscard]] bool is_followed_by_another() const { return followed_; }

    /// Every key but traceEvents: its name to the JSON text of its value.
    [[nodiscard]] const std::map<std::string, std::string>& header() const { return header_; }
    /// True when the file is {"traceEvents": [...]}, false when it is the bare array.
    [[nodiscard]] bool is_object() const { return in_object_; }
    [[nodiscard]] const Message& damage() const { return damage_; }
    [[nodiscard]] std::uint64_t text_bytes() const { return buffer_offset_ + buffer_.size(); }

private:
    static constexpr std::uint64_t kHeaderLimit = 256u << 20;

    bool fill();
    int peek();
    void skip_blanks();
    std::optional<std::string> read_string();
    bool read_value(std::string& text);
    bool read_members();
    bool to_next_line();
    void end_events(std::string_view behind);
    void note_damage(const Message& what, const Message& of_source);

    std::unique_ptr<ByteSource> source_;
    std::size_t piece_bytes_;
    std::string buffer_;
    std::size_t position_ = 0;        ///< next character of buffer_ to look at
    std::uint64_t buffer_offset_ = 0; ///< of buffer_'s first character in the text
    std::uint64_t limit_ = kHeaderLimit;
    std::uint64_t largest_event_ = 512u << 20;
    bool in_object_ = false;
    std::string ahead_;   ///< what start() has read of the events
    bool at_end_ = false; ///< the last piece was read
    std::atomic<bool> array_closed_ = false;
    ArrayScanner scanner_;
    std::uint64_t cut_off_ = 0;
    std::uint64_t torn_ = 0;
    std::uint64_t trailing_scalars_ = 0;
    bool followed_ = false;
    TextBuffer carry_; ///< a bracket and the start of an event whose end is not read yet; already scanned
    std::map<std::string, std::string> header_;
    Message damage_;
};

} // namespace rankscope
