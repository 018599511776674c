// SPDX-License-Identifier: GPL-3.0-or-later
// Databases put together page by page, as no program writes them: pages that several others lead to, and rows that
// share the pages of their texts. Format: https://www.sqlite.org/fileformat2.html
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rankscope::test {

using SqliteValue = std::variant<std::monostate, std::int64_t, std::string>;

class SqlitePages {
public:
    explicit SqlitePages(std::size_t page_bytes = 512) : page_bytes_(page_bytes), pages_(1) {}

    static std::string record(const std::vector<SqliteValue>& values);
    static std::string cell(std::int64_t row_id, const std::string& payload);
    /// A row whose payload of that many bytes starts with `start`; what has no room goes on in the pages from `page`
    /// on.
    [[nodiscard]] std::string cell_in_pages(std::int64_t row_id, const std::string& start, std::size_t payload_bytes,
                                            std::uint32_t page) const;
    /// Bytes of such a payload that stand in the row itself.
    [[nodiscard]] std::size_t own_bytes(std::size_t payload_bytes) const;

    /// Each returns the number of its (first) page.
    std::uint32_t leaf(const std::vector<std::string>& cells);
    std::uint32_t interior(const std::vector<std::uint32_t>& children);
    std::uint32_t tree(const std::vector<std::string>& cells);
    std::uint32_t text_pages(std::size_t bytes);
    /// Each level leads to the next one `fan` times: fan^levels times the leaf.
    std::uint32_t endless_tree(std::uint32_t leaf, int levels, int fan);

    /// The file, whose tables are: CREATE TABLE name(columns), root page.
    [[nodiscard]] std::string file(const std::vector<std::pair<std::string, std::uint32_t>>& tables) const;
    /// The file, whose list of tables is a tree with these children.
    [[nodiscard]] std::string file_of_schema(const std::vector<std::uint32_t>& children) const;

private:
    [[nodiscard]] std::string page(const std::vector<std::string>& cells, std::uint32_t right, std::size_t from) const;
    [[nodiscard]] std::string whole(std::string first) const;
    std::uint32_t add(std::string page);

    std::size_t page_bytes_;
    std::vector<std::string> pages_; ///< the first is the schema
};

} // namespace rankscope::test
