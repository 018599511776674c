// SPDX-License-Identifier: GPL-3.0-or-later
// What a rankscope on another machine says, and addresses of other machines; the first letter says which.
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/remote/remote_path.h"
#include "core/remote/remote_protocol.h"

using namespace rankscope;

namespace {

void expect(bool holds) {
    if (!holds)
        std::abort();
}

void listing(std::string_view text) {
    const auto read = RemoteListing::parse(text);
    if (!read)
        return;
    for (const RemoteItem& item : read->items)
        expect(is_safe_below(item.name) && item.name.find("..") != 0 && item.name.front() != '/');
    const std::string told = read->text();
    const auto again = RemoteListing::parse(told);
    expect(again && again->text() == told && again->items.size() == read->items.size());
}

void address(std::string_view text) {
    const auto read = parse_remote_path(text);
    if (!read)
        return;
    expect(!read->host.empty() && read->host.front() != '-' && !read->user.starts_with('-'));
    expect(read->path.starts_with('/') && read->path.find('\0') == std::string::npos);
    const auto again = parse_remote_path(read->text().string());
    expect(again && again->user == read->user && again->host == read->host && again->port == read->port &&
           again->path == read->path);
}

/// Two bytes of the size that is told, then what was stored.
void chunk(std::string_view text) {
    if (text.size() < 2)
        return;
    const auto plain =
        static_cast<std::size_t>(static_cast<unsigned char>(text[0])) << 12U | static_cast<unsigned char>(text[1]);
    if (const auto bytes = bytes_of_chunk(text.substr(2), plain))
        expect(bytes->size() == plain);
    const std::string told = chunk_of(text);
    const std::size_t start = told.find('\n') + 1;
    expect(bytes_of_chunk(std::string_view(told).substr(start), text.size()) == text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0]) {
    case 'h': (void)parse_hello(text); break;
    case 'l': listing(text); break;
    case 'a': address(text); break;
    case 'w': expect(unescaped_word(escaped_word(text)) == text); break;
    case 'u': (void)unescaped_word(text); break;
    case 'c': chunk(text); break;
    default: break;
    }
    return 0;
}
