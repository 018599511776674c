// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as text.
#include "core/base/text.h"
#include "core/base/text_match.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace rankscope {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Length of the well-formed UTF-8 sequence at the start of the text, or 0 (overlong forms and surrogates are not).
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0 || text.size() < length || !std::ranges::all_of(text.substr(1, length - 1), is_continuation))
        return 0;
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

/// C0 controls, DEL, and the C1 controls U+0080..U+009F, some of which start terminal sequences too.
bool is_control(std::string_view sequence) {
    const auto first = static_cast<unsigned char>(sequence[0]);
    return first < 0x20 || first == 0x7F ||
           (first == 0xC2 && sequence.size() == 2 && static_cast<unsigned char>(sequence[1]) < 0xA0);
}

/// U+FFFE and U+FFFF are no characters, and XML does not have them.
bool is_no_character(std::string_view sequence) { return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF"; }

/// Marks that turn the order of what stands around them on the screen: U+061C, U+200E, U+200F, U+202A..U+202E,
/// U+2066..U+2069.
bool turns_order(std::string_view sequence) {
    if (sequence == "\xD8\x9C")
        return true;
    if (sequence.size() != 3 || sequence[0] != '\xE2')
        return false;
    const auto second = static_cast<unsigned char>(sequence[1]);
    const auto third = static_cast<unsigned char>(sequence[2]);
    return (second == 0x80 && (third == 0x8E || third == 0x8F || (third >= 0xAA && third <= 0xAE))) ||
           (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

bool can_steer(std::string_view sequence) {
    return is_control(sequence) || is_no_character(sequence) || turns_order(sequence);
}

std::string cleaned(std::string_view text, bool (*is_harmful)(std::string_view)) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
        out += length == 0 || is_harmful(sequence) ? kReplacement : sequence;
        text.remove_prefix(sequence.size());
    }
    return out;
}

} // namespace

std::string microseconds_text(TimeNs ns) {
    const std::uint64_t size = ns < 0 ? ~static_cast<std::uint64_t>(ns) + 1 : static_cast<std::uint64_t>(ns);
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string number_text(double value) { return fmt::format("{}", value); }

std::string valid_utf8(std::string_view text) {
    return cleaned(
        text, [](std::string_view) { return false; });
}

std::string terminal_safe(std::string_view text) { return cleaned(text, can_steer); }

std::string table_safe(std::string_view text) {
    return cleaned(
        text,
        [](std::string_view sequence) {
            const bool blank = sequence == "\t" || sequence == "\n" || sequence == "\r";
            return !blank && can_steer(sequence);
        });
}

std::size_t text_width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return !is_continuation(c); }));
}

std::string shortened(std::string_view text, std::size_t width) {
    if (text_width(text) <= width)
        return std::string(text);
    std::size_t end = 0;
    for (std::size_t characters = 0; end < text.size(); ++end)
        if (!is_continuation(text[end]) && ++characters >= width)
            break;
    return std::string(text.substr(0, end)) + "…";
}

namespace {

/// The number that starts here, without leading zeros, and where it ends.
std::string_view digits_at(std::string_view text, std::size_t at, std::size_t& end) {
    end = at;
    while (end < text.size() && is_digit(text[end]))
        ++end;
    std::string_view digits = text.substr(at, end - at);
    while (digits.size() > 1 && digits.front() == '0')
        digits.remove_prefix(1);
    return digits;
}

} // namespace

bool by_numbers_inside(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() && k < b.size()) {
        if (is_digit(a[i]) && is_digit(b[k])) {
            const std::string_view left = digits_at(a, i, i);
            const std::string_view right = digits_at(b, k, k);
            if (left != right)
                return left.size() != right.size() ? left.size() < right.size() : left < right;
        } else if (a[i] != b[k]) {
            return a[i] < b[k];
        } else {
            ++i;
            ++k;
        }
    }
    return a.size() - i != b.size() - k ? a.size() - i < b.size() - k : a < b;
}

} // namespace rankscope
