// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_protocol.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <zstd.h>

#include "core/base/text.h"
#include "core/input/bytes/section_file_version.h"
#include "core/remote/remote_path.h"
#include "core/version.h"

namespace rankscope {
namespace {

constexpr int kFastCompression = 1;
constexpr std::size_t kLongestMessage = 2000;
constexpr std::array<std::string_view, 3> kKinds{"digest", "file", "config"}; ///< as RemoteItem::Kind
constexpr auto kLastSource = static_cast<int>(TraceSource::memory_snapshot);

std::optional<TraceSource> source_of_word(std::string_view word) {
    for (int i = 0; i <= kLastSource; ++i)
        if (trace_source_word(static_cast<TraceSource>(i)) == word)
            return static_cast<TraceSource>(i);
    return {};
}

std::optional<RemoteItem> item_of(const std::vector<std::string_view>& words) {
    const auto kind = words.size() == 5 ? std::ranges::find(kKinds, words[1]) : kKinds.end();
    if (kind == kKinds.end())
        return {};
    RemoteItem item;
    item.kind = static_cast<RemoteItem::Kind>(kind - kKinds.begin());
    item.key = words[2];
    const auto bytes = number_of(words[3]);
    const auto name = unescaped_word(words[4]);
    const bool is_key = item.key.size() == 32 && item.key.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!is_key || !bytes || !name || !is_safe_below(*name))
        return {};
    item.bytes = *bytes;
    item.name = *name;
    return item;
}

} // namespace

std::string hello_line() {
    return fmt::format("{} {} {} {}\n", kRemoteHello, kRemoteProtocol, kSectionFileVersion, kVersion);
}

std::optional<RemoteHello> parse_hello(std::string_view line) {
    const auto words = words_of(line);
    if (words.size() != 4 || words[0] != kRemoteHello)
        return {};
    const auto protocol = number_of(words[1]);
    const auto format = number_of(words[2]);
    if (!protocol || !format || *protocol > 1'000'000 || *format > 1'000'000)
        return {};
    return RemoteHello{static_cast<int>(*protocol), static_cast<std::uint32_t>(*format),
                       shortened(terminal_safe(words[3]), 40)};
}

std::string RemoteListing::text() const {
    std::string text = fmt::format("listing {}", single ? 1 : 0);
    for (const TraceSource source : sources)
        text += fmt::format(" {}", trace_source_word(source));
    text += '\n';
    for (const Notice& notice : notices)
        text += fmt::format("notice {} {} {} {}\n", notice.code.word(), notice.count, escaped_word("/" + notice.file),
                            escaped_word("/" + english(notice.message)));
    for (const RemoteItem& item : items)
        text += fmt::format("item {} {} {} {}\n", kKinds[static_cast<std::size_t>(item.kind)], item.key, item.bytes,
                            escaped_word(item.name));
    return text;
}

std::optional<RemoteListing> RemoteListing::parse(std::string_view text) {
    RemoteListing listing;
    for (bool first = true; !text.empty(); first = false) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos)
            return {};
        const auto words = words_of(text.substr(0, end));
        text.remove_prefix(end + 1);
        if (first != (words[0] == "listing"))
            return {};
        if (first) {
            listing.single = words.size() > 1 && words[1] == "1";
            for (std::size_t i = 2; i < words.size(); ++i)
                if (const auto source = source_of_word(words[i]))
                    listing.sources.push_back(*source);
        } else if (words[0] == "notice" && words.size() == 5) {
            const auto code = NoticeCode::of(words[1]);
            const auto count = number_of(words[2]);
            const auto file = unescaped_word(words[3]);
            const auto message = unescaped_word(words[4]);
            if (!count || !file || file->empty() || !message || message->empty() || *count > 1'000'000'000)
                return {};
            if (code)
                add_notice(listing.notices, {*code, shortened(terminal_safe(message->substr(1)), kLongestMessage),
                                             terminal_safe(file->substr(1)), static_cast<std::int64_t>(*count)});
        } else if (words[0] == "item") {
            auto item = item_of(words);
            if (!item || listing.items.size() == kMostRemoteItems)
                return {};
            listing.items.push_back(std::move(*item));
        } else {
            return {};
        }
    }
    return listing;
}

std::string chunk_of(std::string_view bytes) {
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kFastCompression);
    const bool smaller = ZSTD_isError(size) == 0 && size < bytes.size();
    const std::string_view stored = smaller ? std::string_view(packed).substr(0, size) : bytes;
    return fmt::format("chunk {} {}\n", bytes.size(), stored.size()).append(stored);
}

std::optional<std::string> bytes_of_chunk(std::string_view stored, std::size_t plain) {
    if (plain > kRemoteChunk || stored.size() > plain)
        return {};
    if (stored.size() == plain)
        return std::string(stored);
    std::string bytes(plain, '\0');
    const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), stored.data(), stored.size());
    if (ZSTD_isError(size) != 0 || size != plain)
        return {};
    return bytes;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t end = std::min(line.find(' '), line.size());
        words.push_back(line.substr(0, end));
        if (end == line.size())
            return words;
        line.remove_prefix(end + 1);
    }
}

std::optional<std::uint64_t> number_of(std::string_view word) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || error != std::errc() || end != word.data() + word.size())
        return {};
    return number;
}

} // namespace rankscope
