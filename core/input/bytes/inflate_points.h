// SPDX-License-Identifier: GPL-3.0-or-later
// Places in a gzip file from which it can be inflated without starting over.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rankscope {

/// Bytes of text between two points from which a file can be decompressed.
inline constexpr std::uint64_t kPointStride = 32u << 20;

/// A memo: threads that read the same file add to it and use it. Kept compressed, some 20 KB a point.
class InflatePoints {
public:
    struct Point {
        std::uint64_t text_offset = 0; ///< of the next byte that is delivered
        std::uint64_t file_offset = 0; ///< of the next byte that is read
        int members = 0;
        bool at_member_start = false;
    };

    /// Points may come in any order; one that is there already is not added again.
    void add(const Point& point, std::string_view state) const;
    /// The last one at or before that offset of the text.
    [[nodiscard]] std::optional<Point> before(std::uint64_t text_offset) const;
    /// The state saved with it; false when it has not that size.
    bool load(const Point& point, std::span<char> state) const;
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    struct Saved {
        Point point;
        std::string state;
    };
    mutable std::mutex mutex_;
    mutable std::vector<Saved> points_; ///< by text_offset
};

} // namespace rankscope
