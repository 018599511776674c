// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/flight_recorder/pickle.h"

namespace rankscope {

Message refused_pickle_opcode(unsigned char code) {
    switch (code) {
    case 'c': return "%1, which imports"_text("GLOBAL");
    case 0x93: return "%1, which imports"_text("STACK_GLOBAL");
    case 'R': return "%1, which calls"_text("REDUCE");
    case 'b': return "%1, which sets up an object"_text("BUILD");
    case 'i': return "%1, which makes an object"_text("INST");
    case 'o': return "%1, which makes an object"_text("OBJ");
    case 0x81: return "%1, which makes an object"_text("NEWOBJ");
    case 0x92: return "%1, which makes an object"_text("NEWOBJ_EX");
    case 'P': return "%1, which asks for something outside"_text("PERSID");
    case 'Q': return "%1, which asks for something outside"_text("BINPERSID");
    case 0x82: return "%1, which imports"_text("EXT1");
    case 0x83: return "%1, which imports"_text("EXT2");
    case 0x84: return "%1, which imports"_text("EXT4");
    case 0x97: return "%1, which asks for something outside"_text("NEXT_BUFFER");
    case 0x98: return "%1, which asks for something outside"_text("READONLY_BUFFER");
    default: return {};
    }
}

namespace {

/// A whole text, and all that it holds.
class WholePickle {
public:
    WholePickle(std::string_view bytes, PlainData& data) : bytes_(bytes), data_(data) {}
    std::string_view take(std::uint64_t count) {
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += taken.size();
        return taken;
    }
    [[nodiscard]] std::uint64_t position() const { return at_; }
    static PlainValue text(std::string_view characters) { return PlainData::view(characters); }
    bool append(const PlainValue& into, std::span<const PlainValue> values) { return data_.append(into, values); }
    static Message problem() { return "too many values"_text; }
    PlainData& data() { return data_; }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    PlainData& data_;
};

} // namespace

bool begins_as_pickle(std::string_view text) {
    return text.size() >= 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
}

Result<const PlainData*> PickleReader::read(std::string_view bytes, const PlainLimits& limits) {
    data_.clear(limits);
    memory_.stack.clear();
    memory_.marks.clear();
    memory_.memo.clear();
    if (!begins_as_pickle(bytes))
        return input_error("it does not start as a pickle of protocol 2 to 5"_text);
    if (bytes.size() > limits.bytes)
        return input_error("larger than %1 bytes"_text(limits.bytes));
    WholePickle whole(bytes, data_);
    if (const Message problem = PickleInterpreter(whole, memory_).run(); !problem.empty())
        return input_error(problem);
    return &data_;
}

Result<PlainData> parse_pickle(std::string_view bytes, const PlainLimits& limits) {
    PickleReader reader;
    if (const auto data = reader.read(bytes, limits); !data)
        return tl::unexpected(data.error());
    return reader.take();
}

std::size_t PickleReader::memory_bytes() const {
    return data_.memory_bytes() + (memory_.stack.capacity() + memory_.memo.capacity()) * sizeof(PlainValue);
}

} // namespace rankscope
