// SPDX-License-Identifier: GPL-3.0-or-later
// An interpreter of the opcodes that make plain data. It has a stack, as pickle itself, and does not recurse. Where the
// bytes come from, and what becomes of a container that is filled, a host says: whole trees, or what is left of them.
#pragma once
#include <bit>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/input/flight_recorder/plain_data.h"

namespace rankscope {

/// What an opcode would do that is refused; empty for others.
Message refused_pickle_opcode(unsigned char code);

struct PickleMemory {
    std::vector<PlainValue> stack;
    std::vector<std::size_t> marks;
    std::vector<PlainValue> memo;
};

/// A host has
///   std::string_view take(std::uint64_t count)   the next bytes, fewer at the end; valid until the next call
///   std::uint64_t position()                     of the next byte
///   PlainValue text(std::string_view)            a text that outlives these bytes
///   bool append(const PlainValue& into, std::span<const PlainValue>)   false: problem() says why
///   Message problem()
///   PlainData& data()                            the values
template <typename Host>
class PickleInterpreter {
public:
    PickleInterpreter(Host& host, PickleMemory& memory)
        : host_(host), data_(host.data()), stack_(memory.stack), marks_(memory.marks), memo_(memory.memo) {}

    /// Empty, or what is wrong.
    Message run() {
        while (problem_.empty() && !stopped_)
            step();
        return problem_.empty() ? Message() : "%1 (byte %2)"_text(problem_, opcode_at_);
    }

private:
    using Kind = PlainValue::Kind;

    void fail(Message why) {
        if (problem_.empty())
            problem_ = std::move(why);
    }

    /// Little-endian, as all of a pickle but its floats; 0 at the end of the bytes, with a problem.
    std::uint64_t number(std::size_t width) {
        const std::string_view bytes = host_.take(width);
        if (bytes.size() < width) {
            fail("it ends early"_text);
            return 0;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < width; ++i)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
        return value;
    }
    std::string_view characters(std::uint64_t count) {
        const std::string_view found = count <= UINT32_MAX ? host_.take(count) : std::string_view();
        if (found.size() < count) {
            fail("it ends early"_text);
            return {};
        }
        return found;
    }

    void push(const PlainValue& value) {
        if (stack_.size() >= data_.limits().values)
            fail("too many values"_text);
        else
            stack_.push_back(value);
    }
    PlainValue pop() {
        if (stack_.size() <= bottom()) {
            fail("it takes a value that is not there"_text);
            return {};
        }
        const PlainValue value = stack_.back();
        stack_.pop_back();
        return value;
    }
    /// What lies above the last mark belongs to it.
    [[nodiscard]] std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }
    void mark() {
        // Containers are nested as their marks are.
        if (marks_.size() >= data_.limits().depth)
            fail("nested too deeply"_text);
        else
            marks_.push_back(stack_.size());
    }
    /// Where the values behind the last mark begin, which is taken away.
    std::size_t take_mark() {
        if (marks_.empty()) {
            fail("it looks for a mark that is not there"_text);
            return stack_.size();
        }
        const std::size_t from = marks_.back();
        marks_.pop_back();
        return from;
    }
    /// A container of what lies on the stack from there on, in place of it.
    void make(Kind kind, std::size_t from) {
        const PlainValue made = data_.container(kind);
        if (!data_.count(1)) {
            fail("too many values"_text);
            return;
        }
        fill(made, from);
        push(made);
    }
    void fill(const PlainValue& into, std::size_t from) {
        const auto values = std::span(stack_).subspan(from);
        if (into.kind == Kind::dict && values.size() % 2 != 0)
            fail("a key without a value"_text);
        else if (!values.empty() && !host_.append(into, values))
            fail(host_.problem());
        stack_.resize(from);
    }
    /// Adds what lies on the stack from there on to the container below it.
    void add_to(Kind kind, std::size_t from) {
        if (from <= bottom() || stack_[from - 1].kind != kind) {
            fail(kind == Kind::dict ? "it fills a dict that is none"_text : "it fills a list that is none"_text);
            return;
        }
        fill(stack_[from - 1], from);
    }
    void last_into_tuple(std::size_t count) {
        if (stack_.size() - bottom() < count)
            fail("it takes a value that is not there"_text);
        else
            make(Kind::list, stack_.size() - count);
    }

    void get(std::uint64_t index) {
        if (index >= memo_.size())
            fail("it recalls what was never stored"_text);
        else
            push(memo_[index]);
    }
    void put(std::uint64_t index) {
        if (stack_.size() <= bottom()) {
            fail("it stores a value that is not there"_text);
            return;
        }
        // Pickles count their memo upwards: an index beyond what could have been stored is made to fill the memory.
        if (index > host_.position()) {
            fail("it stores under a number that is out of order"_text);
            return;
        }
        if (index >= memo_.size()) {
            if (!data_.count(index + 1 - memo_.size())) {
                fail("too many values"_text);
                return;
            }
            memo_.resize(index + 1);
        }
        memo_[index] = stack_.back();
    }
    /// A whole number of so many bytes, in two's complement.
    void long_number(std::uint64_t width) {
        const std::string_view digits = characters(width);
        if (width > 8) {
            fail("a whole number beyond 64 bits"_text);
            return;
        }
        std::uint64_t value = !digits.empty() && static_cast<signed char>(digits.back()) < 0 ? ~std::uint64_t{0} : 0;
        for (std::size_t i = digits.size(); i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(digits[i]);
        push(PlainData::number(static_cast<std::int64_t>(value)));
    }
    void real() {
        std::uint64_t bits = 0;
        for (const char c : characters(8))
            bits = bits << 8 | static_cast<unsigned char>(c);
        push(PlainData::real(std::bit_cast<double>(bits)));
    }
    void begin() {
        if (const std::uint64_t protocol = number(1); protocol < 2 || protocol > 5)
            fail("a pickle of protocol %1; 2 to 5 are read"_text(protocol));
    }

    void step() {
        opcode_at_ = host_.position();
        const auto code = static_cast<unsigned char>(number(1));
        if (!problem_.empty())
            return;
        switch (code) {
        case 0x80: return begin();
        case 0x95: number(8); return; // FRAME: how the pickle was written, nothing more
        case '.':
            data_.set_root(pop());
            stopped_ = true;
            return;
        case 'N': return push(PlainData::none());
        case 0x88: return push(PlainData::boolean(true));
        case 0x89: return push(PlainData::boolean(false));
        case 'J': return push(PlainData::number(static_cast<std::int32_t>(static_cast<std::uint32_t>(number(4)))));
        case 'K': return push(PlainData::number(static_cast<std::int64_t>(number(1))));
        case 'M': return push(PlainData::number(static_cast<std::int64_t>(number(2))));
        case 0x8a: return long_number(number(1));
        case 0x8b: return long_number(number(4));
        case 'G': return real();
        case 'U':
        case 'C':
        case 0x8c: return push(host_.text(characters(number(1))));
        case 'X':
        case 'T':
        case 'B': return push(host_.text(characters(number(4))));
        case 0x8d:
        case 0x8e:
        case 0x96: return push(host_.text(characters(number(8))));
        case ']':
        case ')':
        case 0x8f: return make(Kind::list, stack_.size());
        case '}': return make(Kind::dict, stack_.size());
        case '(': return mark();
        case 't':
        case 'l':
        case 0x91: return make(Kind::list, take_mark());
        case 'd': return make(Kind::dict, take_mark());
        case 0x85: return last_into_tuple(1);
        case 0x86: return last_into_tuple(2);
        case 0x87: return last_into_tuple(3);
        case 'e':
        case 0x90: return add_to(Kind::list, take_mark());
        case 'u': return add_to(Kind::dict, take_mark());
        case 'a':
            if (stack_.size() - bottom() >= 2)
                return add_to(Kind::list, stack_.size() - 1);
            return fail("it takes a value that is not there"_text);
        case 's':
            if (stack_.size() - bottom() >= 3)
                return add_to(Kind::dict, stack_.size() - 2);
            return fail("it takes a value that is not there"_text);
        case 'q': return put(number(1));
        case 'r': return put(number(4));
        case 0x94: return put(memo_.size());
        case 'h': return get(number(1));
        case 'j': return get(number(4));
        case '0': (void)pop(); return;
        case '1': stack_.resize(take_mark()); return;
        case '2':
            if (stack_.size() > bottom())
                return push(stack_.back());
            return fail("it takes a value that is not there"_text);
        default: break;
        }
        const Message refused = refused_pickle_opcode(code);
        fail(refused.empty() ? "opcode 0x%1 is not one of plain data"_text(fmt::format("{:02x}", code))
                             : "%1: refused, nothing of it is executed"_text(refused));
    }

    Host& host_;
    std::uint64_t opcode_at_ = 0;
    PlainData& data_;
    std::vector<PlainValue>& stack_;
    std::vector<std::size_t>& marks_; ///< where on the stack each starts
    std::vector<PlainValue>& memo_;
    Message problem_;
    bool stopped_ = false;
};

} // namespace rankscope
