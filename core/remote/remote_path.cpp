// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_path.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/text.h"

namespace rankscope {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestPath = 4095;

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// ssh hands user and host to commands of its configuration (ProxyCommand, Match exec): none of these means anything
/// to a shell.
bool is_name(std::string_view name, std::string_view also) {
    return !name.empty() && name.size() <= kLongestName && name.front() != '-' &&
           std::ranges::all_of(
               name, [&](char c) { return is_letter_or_digit(c) || also.find(c) != also.npos; });
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

tl::unexpected<Error> no_address(std::string_view text, const Message& why) {
    return tl::unexpected<Error>(
        Error{Error::Code::usage, "%1: %2; expected ssh://[user@]host[:port]/path"_text(std::string(text), why)});
}

} // namespace

std::string RemotePath::place() const {
    const bool bracketed = host.find(':') != std::string::npos;
    return fmt::format("{}{}{}{}{}{}", user, user.empty() ? "" : "@", bracketed ? "[" : "", host, bracketed ? "]" : "",
                       port > 0 ? fmt::format(":{}", port) : std::string());
}

std::filesystem::path RemotePath::text() const {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(path[i]); };
    std::string readable;
    for (std::size_t i = 0; i < path.size();) {
        std::size_t length = 1; // of the character that starts here
        if (byte(i) >= 0xC0U)   // else a byte that continues nothing would take a "/" before it along
            while (i + length < path.size() && (byte(i + length) & 0xC0U) == 0x80U)
                ++length;
        const std::string_view character = std::string_view(path).substr(i, length);
        const bool shown = character != "%" && terminal_safe(character) == character;
        if (shown)
            readable += character;
        else
            for (const char c : character)
                readable += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        i += length;
    }
    return std::string(kScheme) + place() + readable;
}

bool is_remote(const std::filesystem::path& path) { return path.native().starts_with(kScheme); }

Result<RemotePath> parse_remote_path(std::string_view text) {
    if (!text.starts_with(kScheme))
        return no_address(text, "it does not start with ssh://"_text);
    std::string_view rest = text.substr(kScheme.size());
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos)
        return no_address(text, "a path is missing"_text);
    const auto path = unescaped_word(rest.substr(slash));
    if (!path)
        return no_address(text, "% starts an escape such as %1 (% itself is %2)"_text("%20", "%25"));
    if (path->find('\0') != std::string::npos || path->size() > kLongestPath)
        return no_address(text, "there is no such path"_text);
    RemotePath remote;
    remote.path = *path;
    rest = rest.substr(0, slash);
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
        remote.user = rest.substr(0, at);
        rest.remove_prefix(at + 1);
        if (remote.user.find(':') != std::string::npos)
            return no_address("ssh://", "an address holds no password: ssh asks its agent, or for a key"_text);
        if (!is_name(remote.user, "._-+@"))
            return no_address(text, "no user is called so"_text);
    }
    std::string_view port;
    if (rest.starts_with('[')) {
        const std::size_t end = std::min(rest.find(']'), rest.size());
        remote.host = rest.substr(1, end - 1);
        const bool closed = end < rest.size();
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!closed || !is_name(remote.host, ":.") || (!rest.empty() && !rest.starts_with(':')))
            return no_address(text, "this is no address between brackets"_text);
        port = rest;
    } else {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        remote.host = rest.substr(0, colon);
        port = rest.substr(colon);
        if (!is_name(remote.host, "._-"))
            return no_address(text, "no host is called so"_text);
    }
    if (!port.empty()) {
        const auto [end, error] = std::from_chars(port.data() + 1, port.data() + port.size(), remote.port);
        if (error != std::errc() || end != port.data() + port.size() || remote.port < 1 || remote.port > 65535)
            return no_address(text, "a port is a number from 1 to 65535"_text);
    }
    return remote;
}

std::string escaped_word(std::string_view bytes) {
    std::string text;
    for (const char c : bytes)
        if (is_letter_or_digit(c) || std::string_view("/._-").find(c) != std::string_view::npos)
            text += c;
        else
            text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return text;
}

std::optional<std::string> unescaped_word(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            bytes += text[i];
            continue;
        }
        const bool whole = i + 2 < text.size();
        const int high = whole ? hex_digit(text[i + 1]) : -1;
        const int low = whole ? hex_digit(text[i + 2]) : -1;
        if (high < 0 || low < 0)
            return {};
        bytes += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return bytes;
}

bool is_safe_below(const std::string& name) {
    if (name.empty() || name.size() > 1024 || name.front() == '/' || terminal_safe(name) != name)
        return false;
    std::string_view rest = name;
    for (int parts = 0; parts < 16; ++parts) {
        const std::size_t slash = std::min(rest.find('/'), rest.size());
        const std::string_view part = rest.substr(0, slash);
        if (part.empty() || part == "." || part == ".." || part.size() > 250)
            return false;
        if (slash == rest.size())
            return true;
        rest.remove_prefix(slash + 1);
    }
    return false;
}

} // namespace rankscope
