// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sqlite_pages.h"

#include <algorithm>

namespace rankscope::test {
namespace {

std::string big_endian(std::uint64_t number, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i)
        text += static_cast<char>(number >> (8 * i) & 0xFF);
    return text;
}

std::string varint(std::uint64_t number) {
    std::string text(1, static_cast<char>(number & 0x7F));
    while ((number >>= 7) != 0)
        text.insert(text.begin(), static_cast<char>((number & 0x7F) | 0x80));
    return text;
}

} // namespace

std::string SqlitePages::record(const std::vector<SqliteValue>& values) {
    std::string types, body;
    for (const SqliteValue& value : values) {
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            types += varint(6);
            body += big_endian(static_cast<std::uint64_t>(*number), 8);
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            types += varint(13 + 2 * text->size());
            body += *text;
        } else {
            types += varint(0);
        }
    }
    return varint(types.size() + 1) + types + body; // of less than 127 bytes
}

std::string SqlitePages::cell(std::int64_t row_id, const std::string& payload) {
    return varint(payload.size()) + varint(static_cast<std::uint64_t>(row_id)) + payload;
}

std::size_t SqlitePages::own_bytes(std::size_t payload_bytes) const {
    const std::size_t least = (page_bytes_ - 12) * 32 / 255 - 23;
    const std::size_t own = least + (payload_bytes - least) % (page_bytes_ - 4);
    return own <= page_bytes_ - 35 ? own : least;
}

std::string SqlitePages::cell_in_pages(std::int64_t row_id, const std::string& start, std::size_t payload_bytes,
                                       std::uint32_t page) const {
    std::string own = start;
    own.resize(own_bytes(payload_bytes), 'B');
    return varint(payload_bytes) + varint(static_cast<std::uint64_t>(row_id)) + own + big_endian(page, 4);
}

std::string SqlitePages::page(const std::vector<std::string>& cells, std::uint32_t right, std::size_t from) const {
    std::string places, contents;
    for (const std::string& cell : cells) {
        contents = cell + contents;
        places += big_endian(page_bytes_ - contents.size(), 2);
    }
    std::string text(from, '\0');
    text += static_cast<char>(right != 0 ? 5 : 13);
    text += big_endian(0, 2) + big_endian(cells.size(), 2) + big_endian(page_bytes_ - contents.size(), 2) + '\0';
    text += (right != 0 ? big_endian(right, 4) : std::string()) + places;
    text.resize(page_bytes_ - contents.size(), '\0');
    return text + contents;
}

std::uint32_t SqlitePages::add(std::string page) {
    pages_.push_back(std::move(page));
    return static_cast<std::uint32_t>(pages_.size());
}

std::uint32_t SqlitePages::leaf(const std::vector<std::string>& cells) { return add(page(cells, 0, 0)); }

namespace {

std::vector<std::string> interior_cells(const std::vector<std::uint32_t>& children) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i + 1 < children.size(); ++i)
        cells.push_back(big_endian(children[i], 4) + varint(i + 1));
    return cells;
}

} // namespace

std::uint32_t SqlitePages::interior(const std::vector<std::uint32_t>& children) {
    return add(page(interior_cells(children), children.back(), 0));
}

std::uint32_t SqlitePages::tree(const std::vector<std::string>& cells) {
    std::vector<std::uint32_t> level;
    std::vector<std::string> own;
    std::size_t bytes = 0;
    for (const std::string& cell : cells) {
        if (bytes + cell.size() + 2 > page_bytes_ - 8) {
            level.push_back(leaf(own));
            own.clear();
            bytes = 0;
        }
        own.push_back(cell);
        bytes += cell.size() + 2;
    }
    level.push_back(leaf(own));
    constexpr std::size_t kFan = 32;
    while (level.size() > 1) {
        std::vector<std::uint32_t> above;
        for (std::size_t i = 0; i < level.size(); i += kFan) {
            const std::vector<std::uint32_t> children(
                level.begin() + static_cast<std::ptrdiff_t>(i),
                level.begin() + static_cast<std::ptrdiff_t>(std::min(i + kFan, level.size())));
            above.push_back(children.size() == 1 ? children.front() : interior(children));
        }
        level = std::move(above);
    }
    return level.front();
}

std::uint32_t SqlitePages::text_pages(std::size_t bytes) {
    const std::size_t own = page_bytes_ - 4, first = pages_.size() + 1, count = (bytes + own - 1) / own;
    for (std::size_t i = 1; i <= count; ++i)
        add(big_endian(i < count ? first + i : 0, 4) + std::string(own, 'A'));
    return static_cast<std::uint32_t>(first);
}

std::uint32_t SqlitePages::endless_tree(std::uint32_t leaf, int levels, int fan) {
    for (int level = 0; level < levels; ++level)
        leaf = interior(std::vector<std::uint32_t>(static_cast<std::size_t>(fan), leaf));
    return leaf;
}

std::string SqlitePages::whole(std::string first) const {
    std::string head("SQLite format 3\0", 16);
    head += big_endian(page_bytes_, 2) + std::string{1, 1, 0, 64, 32, 32};
    head += big_endian(1, 4) + big_endian(pages_.size(), 4);        // changes, pages
    head += big_endian(0, 8) + big_endian(1, 4) + big_endian(4, 4); // no free ones; cookie and format of the schema
    head += big_endian(0, 8) + big_endian(1, 4);                    // UTF-8
    head.resize(92, '\0');
    head += big_endian(1, 4) + big_endian(3'040'000, 4);
    first.replace(0, head.size(), head);
    for (std::size_t i = 1; i < pages_.size(); ++i)
        first += pages_[i];
    return first;
}

std::string SqlitePages::file(const std::vector<std::pair<std::string, std::uint32_t>>& tables) const {
    std::vector<std::string> rows;
    for (const auto& [sql, root] : tables) {
        const std::string name = sql.substr(0, sql.find('('));
        rows.push_back(cell(static_cast<std::int64_t>(rows.size()) + 1,
                            record({"table", name, name, std::int64_t{root}, "CREATE TABLE " + sql})));
    }
    return whole(page(rows, 0, 100));
}

std::string SqlitePages::file_of_schema(const std::vector<std::uint32_t>& children) const {
    return whole(page(interior_cells(children), children.back(), 100));
}

} // namespace rankscope::test
