// SPDX-License-Identifier: GPL-3.0-or-later
// What a rankscope and one on another machine say to each other over ssh, on stdin and stdout of the latter. Lines of
// words; file contents in chunks. The one that is asked says first what it is (hello_line), then answers:
//
//   run MODE HASH PATH          → same | listing N + N bytes of a Listing | error TEXT
//   get ITEM[:OFFSET]...        → for each, in any order: part ITEM SIZE OFFSET NAME, chunks, end | failed ITEM TEXT;
//                                 ITEM is done: done ITEM; after all of them: ready
//   file BYTES TIME OFFSET PATH → part 0 SIZE OFFSET NAME, chunks, end, ready | error TEXT
//   text BYTES TIME OFFSET SKIP PATH → one event of a trace, likewise
//   runs PATH                   → path PATH for each run there, ready | error TEXT
//   tick                        ← now and then, while there is nothing else to say
//
// MODE is ProfileMode as a number, HASH that of a listing known from before; paths, names and texts are escaped_word().
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Between two that differ in it nothing is said but that.
inline constexpr int kRemoteProtocol = 1;
inline constexpr std::string_view kRemoteHello = "rankscope-remote";
inline constexpr std::size_t kRemoteChunk = std::size_t{1} << 20; ///< bytes of a file in one chunk, at most
inline constexpr std::size_t kLongestRemoteLine = std::size_t{4} << 20;
inline constexpr std::size_t kLargestListing = std::size_t{64} << 20; ///< bytes
inline constexpr std::size_t kMostRemoteItems = 200'000;              ///< of a listing
inline constexpr int kRemoteTickSeconds = 2;

/// "rankscope-remote PROTOCOL DIGEST_FORMAT VERSION"
std::string hello_line();
struct RemoteHello {
    int protocol = 0;
    std::uint32_t format = 0;
    std::string version;
};
std::optional<RemoteHello> parse_hello(std::string_view line);

/// A file of the run there: a digest is made of it, or it travels as it is, as does the configuration beside it.
struct RemoteItem {
    enum class Kind { digest, file, config };
    Kind kind = Kind::file;
    std::string key;         ///< of the state that the file is in: 32 digits
    std::uint64_t bytes = 0; ///< of the file there
    std::string name;        ///< below the folder of the run
};

struct RemoteListing {
    bool single = false;              ///< the path names a file that travels as it is
    std::vector<TraceSource> sources; ///< RunFiles::sources
    Notices notices;                  ///< of looking for the files
    std::vector<RemoteItem> items;

    [[nodiscard]] std::string text() const;
    /// Nothing where something in it is not as text() writes it, or not safe.
    static std::optional<RemoteListing> parse(std::string_view text);
};

/// "chunk PLAIN STORED\n" and the bytes, compressed where that makes them fewer.
std::string chunk_of(std::string_view bytes);
/// The bytes of a chunk. Nothing where it is damaged. plain: at most kRemoteChunk.
std::optional<std::string> bytes_of_chunk(std::string_view stored, std::size_t plain);

/// The words of a line, at single blanks.
std::vector<std::string_view> words_of(std::string_view line);
/// Decimal digits and nothing else.
std::optional<std::uint64_t> number_of(std::string_view word);

} // namespace rankscope
