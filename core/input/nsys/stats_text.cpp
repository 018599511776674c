// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nsys/stats_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace rankscope {
namespace {

/// nsys prints up to 25. With very many, finding their places takes longer than anybody waits.
constexpr std::size_t kMostStatsColumns = 64;

/// Nothing is left: still in its place, so that what follows can be found.
std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? text.substr(0, 0)
                                           : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view next_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

bool is_csv_header(std::string_view line) { return line.find(',') != std::string_view::npos; }

/// Cells of a CSV line; quotes around a cell are dropped, doubled ones inside stay (names of kernels have none).
std::vector<std::string_view> csv_cells(std::string_view line) {
    std::vector<std::string_view> cells;
    std::size_t begin = 0;
    bool quoted = false;
    const auto add = [&](std::size_t end) {
        std::string_view cell = without_blanks(line.substr(begin, end - begin));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
            cell = cell.substr(1, cell.size() - 2);
        cells.push_back(cell);
        begin = end + 1;
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        quoted ^= line[i] == '"';
        if (line[i] == ',' && !quoted)
            add(i);
    }
    add(line.size());
    return cells;
}

struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Words of a header: parted by two blanks or more.
std::vector<Span> header_words(std::string_view line) {
    std::vector<Span> words;
    std::size_t at = line.find_first_not_of(" \t\r");
    while (at != std::string_view::npos && at < line.size()) {
        std::size_t end = line.find("  ", at);
        end = std::min(end, line.find_last_not_of(" \t\r") + 1);
        words.push_back({at, end});
        at = line.find_first_not_of(" \t\r", end);
    }
    return words;
}

StatsHeader header_of(std::string_view text) {
    text = without_blanks(text);
    const std::size_t open = text.rfind('(');
    if (open == std::string_view::npos || open == 0 || !text.ends_with(')'))
        return {std::string(text), {}};
    return {std::string(without_blanks(text.substr(0, open))),
            std::string(text.substr(open + 1, text.size() - open - 2))};
}

/// Columns count characters, not bytes: a cut cell ends in "…", which has three. Places are positions of characters;
/// the result is the byte of each.
std::size_t byte_of(std::string_view line, std::size_t character, bool ascii) {
    if (ascii)
        return std::min(character, line.size());
    for (std::size_t byte = 0; byte < line.size(); ++byte) {
        if ((static_cast<unsigned char>(line[byte]) & 0xC0) == 0x80)
            continue;
        if (character-- == 0)
            return byte;
    }
    return line.size();
}

bool is_ascii(std::string_view line) {
    return std::ranges::all_of(
        line, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_dashes(std::string_view line) {
    const std::string_view inner = without_blanks(line);
    return inner.find("--") != std::string_view::npos && inner.find_first_not_of("- ") == std::string_view::npos;
}

/// A row starts with a number: the start of an event, or a share of the time.
bool looks_like_row(std::string_view line) {
    const std::string_view inner = without_blanks(line);
    return !inner.empty() &&
           ((inner.front() >= '0' && inner.front() <= '9') || inner.front() == '"' || inner.front() == '.');
}

/// Where columns part: between two names of the header, at a character that is blank in every row. Empty when there is
/// no such character in some place: header and rows were moved against each other.
std::vector<std::size_t> borders_between(const std::vector<Span>& words, const std::vector<std::string_view>& lines) {
    std::vector<std::size_t> borders;
    std::vector<char> blank(words.empty() ? 0 : words.back().begin, 1);
    for (const std::string_view line : lines) {
        std::size_t character = 0;
        for (std::size_t byte = 0; byte < line.size() && character < blank.size(); ++byte) {
            if ((static_cast<unsigned char>(line[byte]) & 0xC0) == 0x80)
                continue;
            blank[character++] &= line[byte] == ' ' || line[byte] == '\t';
        }
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        // Of the blanks in the gap the widest run is the one between the columns; other runs are inside of cells.
        std::size_t best = words[i].begin, width = 0;
        for (std::size_t at = words[i - 1].begin; at < words[i].begin;) {
            std::size_t end = at;
            while (end < words[i].begin && blank[end] != 0)
                ++end;
            // A run that lies under the header's own name may be the blank side of a centred cell.
            const std::size_t begin = std::max(at, words[i - 1].end);
            if (end > begin && end - begin >= width) {
                best = begin;
                width = end - begin;
            }
            at = std::max(end, at + 1);
        }
        if (width == 0)
            return {};
        borders.push_back(best);
    }
    return borders;
}

std::vector<std::size_t> borders_of_dashes(std::string_view line) {
    std::vector<std::size_t> borders;
    for (std::size_t at = line.find('-'); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        at = line.find('-', end);
        if (at != std::string_view::npos)
            borders.push_back(end);
    }
    return borders;
}

std::vector<std::string_view> sliced(std::string_view line, const std::vector<std::size_t>& borders) {
    const bool ascii = is_ascii(line);
    std::vector<std::string_view> cells;
    std::size_t begin = 0;
    for (const std::size_t border : borders) {
        const std::size_t end = std::max(begin, byte_of(line, border, ascii));
        cells.push_back(without_blanks(line.substr(begin, end - begin)));
        begin = end;
    }
    cells.push_back(without_blanks(line.substr(begin)));
    return cells;
}

/// Words of a row go to the names of the header they lie nearest to, in order; the last name takes all that follows.
/// For rows that were moved against the header.
std::vector<std::string_view> fitted(std::string_view line, const std::vector<Span>& header) {
    const std::vector<Span> words = header_words(line);
    const auto distance = [](const Span& a, const Span& b) {
        const auto apart = [](std::size_t x, std::size_t y) { return x > y ? x - y : y - x; };
        return std::min({apart(a.begin, b.begin), apart(a.end, b.end), apart(a.begin + a.end, b.begin + b.end) / 2});
    };
    constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max() / 4;
    const std::size_t columns = header.size() - 1; // before the last
    // cost[w][c]: the first w words lie in the first c columns.
    const std::size_t most = std::min(words.size(), columns);
    std::vector<std::vector<std::size_t>> cost(most + 1, std::vector<std::size_t>(columns + 1, kNever));
    std::ranges::fill(cost[0], 0);
    for (std::size_t w = 1; w <= most; ++w)
        for (std::size_t c = w; c <= columns; ++c)
            cost[w][c] = std::min(cost[w][c - 1], cost[w - 1][c - 1] + distance(words[w - 1], header[c - 1]));
    std::size_t before_last = 0, best = kNever;
    for (std::size_t w = 0; w <= most && w < words.size(); ++w) {
        const std::size_t begin = words[w].begin, wanted = header.back().begin;
        const std::size_t total = cost[w][columns] + (begin > wanted ? begin - wanted : wanted - begin);
        if (total < best) {
            best = total;
            before_last = w;
        }
    }
    std::vector<std::string_view> cells(header.size());
    if (words.empty())
        return cells;
    cells.back() = without_blanks(line.substr(words[before_last].begin));
    for (std::size_t w = before_last, c = columns; w > 0; --c)
        if (cost[w][c] != cost[w][c - 1]) {
            --w;
            cells[c - 1] = line.substr(words[w].begin, words[w].end - words[w].begin);
        }
    return cells;
}

StatsTable csv_table(StatsTable::Kind kind, std::string_view header, const std::vector<std::string_view>& lines) {
    StatsTable table;
    table.kind = kind;
    for (const std::string_view cell : csv_cells(header))
        table.header.push_back(header_of(cell));
    if (table.header.size() > kMostStatsColumns) {
        table.unreadable = static_cast<std::int64_t>(lines.size());
        return table;
    }
    for (const std::string_view line : lines) {
        auto cells = csv_cells(line);
        // A name with commas that was not quoted: it is the last column.
        if (cells.size() > table.header.size()) {
            const char* begin = cells[table.header.size() - 1].data();
            cells.resize(table.header.size());
            cells.back() = without_blanks({begin, static_cast<std::size_t>(line.data() + line.size() - begin)});
        }
        if (cells.size() == table.header.size())
            table.rows.push_back(std::move(cells));
        else
            ++table.unreadable;
    }
    return table;
}

StatsTable column_table(StatsTable::Kind kind, std::string_view header, std::string_view dashes,
                        const std::vector<std::string_view>& lines) {
    StatsTable table;
    table.kind = kind;
    const std::vector<Span> names = header_words(header);
    std::vector<std::size_t> borders = borders_of_dashes(dashes);
    if (std::max(names.size(), borders.size() + 1) > kMostStatsColumns) {
        table.unreadable = static_cast<std::int64_t>(lines.size());
        return table;
    }
    if (dashes.empty())
        borders = borders_between(names, lines);
    if (borders.empty())
        for (const Span& name : names)
            table.header.push_back(header_of(header.substr(name.begin, name.end - name.begin)));
    else
        for (const std::string_view cell : sliced(header, borders))
            table.header.push_back(header_of(cell));
    for (const std::string_view line : lines) {
        table.rows.push_back(borders.empty() ? fitted(line, names) : sliced(line, borders));
        if (table.rows.back().front().empty()) {
            table.rows.pop_back();
            ++table.unreadable;
        }
    }
    return table;
}

} // namespace

int StatsTable::column(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names)
        for (std::size_t i = 0; i < header.size(); ++i)
            if (header[i].name == name)
                return static_cast<int>(i);
    return -1;
}

std::optional<StatsTable::Kind> stats_header_kind(std::string_view line) {
    const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
    if ((has("Start (") || has("Start(")) && (has("Duration (") || has("Duration(")) && (has("Strm") || has("Stream")))
        return StatsTable::Kind::trace;
    if ((has("Total Time (") || has("Total Time(")) && has("Instances"))
        return StatsTable::Kind::sum;
    return {};
}

std::vector<StatsTable> parse_stats_text(std::string_view text) {
    std::vector<StatsTable> tables;
    std::optional<StatsTable::Kind> kind;
    std::string_view header, dashes;
    std::vector<std::string_view> lines;
    const auto finish = [&] {
        if (kind)
            tables.push_back(is_csv_header(header) ? csv_table(*kind, header, lines)
                                                   : column_table(*kind, header, dashes, lines));
        lines.clear();
        dashes = {};
    };
    while (!text.empty()) {
        std::string_view line = next_line(text);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (const auto found = stats_header_kind(line)) {
            if (kind == found && line == header)
                continue; // a header repeated by pagers and by joined files
            finish();
            kind = found;
            header = line;
        } else if (kind && lines.empty() && dashes.empty() && is_dashes(line)) {
            dashes = line;
        } else if (kind && looks_like_row(line)) {
            lines.push_back(line);
        }
    }
    finish();
    return tables;
}

std::optional<TimeNs> scaled_integer(std::string_view number, std::int64_t scale) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
    // So many digits behind the point that fraction * scale fits.
    const std::int64_t most_divisor = scale > 1'000'000'000 ? 1'000'000 : 1'000'000'000;
    bool negative = false;
    if (number.starts_with('-')) {
        negative = true;
        number.remove_prefix(1);
    }
    if (number.empty() || scale <= 0)
        return {};
    std::int64_t whole = 0;
    std::int64_t fraction = 0;
    std::int64_t divisor = 1;
    bool behind_point = false, digits = false, rounded = false;
    for (const char c : number) {
        if (c == '.' && !behind_point) {
            behind_point = true;
        } else if (c == ',' && !behind_point) {
            continue; // thousands
        } else if (c < '0' || c > '9') {
            return {};
        } else if (digits = true; !behind_point) {
            if (whole > kMost / 10 / scale)
                return {};
            whole = whole * 10 + (c - '0');
        } else if (divisor < most_divisor) {
            fraction = fraction * 10 + (c - '0');
            divisor *= 10;
        } else if (!rounded) {
            rounded = true;
            fraction += c >= '5';
        }
    }
    if (!digits)
        return {};
    const std::int64_t part = (fraction * scale + divisor / 2) / divisor;
    return (negative ? -1 : 1) * (whole * scale + part);
}

std::optional<CellNumber> cell_number(std::string_view cell, std::int64_t scale) {
    const auto whole = scaled_integer(cell, scale);
    if (whole)
        return CellNumber{*whole, 0};
    for (const std::string_view mark : {std::string_view("…"), std::string_view("...")})
        if (cell.ends_with(mark)) {
            cell.remove_suffix(mark.size());
            break;
        }
    const std::size_t point = cell.find('.');
    const auto told = scaled_integer(cell, scale);
    if (point == std::string_view::npos || !told || *told < 0)
        return {};
    std::int64_t step = scale;
    for (std::size_t i = point + 1; i < cell.size(); ++i)
        step /= 10;
    return CellNumber{*told, std::max<std::int64_t>(step, 1)};
}

std::int64_t unit_ns(std::string_view unit) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 11> units{{{"ns", 1},
                                                                                      {"nsec", 1},
                                                                                      {"us", 1'000},
                                                                                      {"usec", 1'000},
                                                                                      {"µs", 1'000},
                                                                                      {"μs", 1'000},
                                                                                      {"ms", 1'000'000},
                                                                                      {"msec", 1'000'000},
                                                                                      {"s", 1'000'000'000},
                                                                                      {"sec", 1'000'000'000},
                                                                                      {"seconds", 1'000'000'000}}};
    const auto found = std::ranges::find(units, unit, [](const auto& known) { return known.first; });
    return found == units.end() ? 0 : found->second;
}

std::int64_t unit_bytes(std::string_view unit) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> units{{{"B", 1},
                                                                                     {"KB", 1'000},
                                                                                     {"MB", 1'000'000},
                                                                                     {"GB", 1'000'000'000},
                                                                                     {"KiB", 1 << 10},
                                                                                     {"MiB", 1 << 20},
                                                                                     {"GiB", 1 << 30}}};
    const auto found = std::ranges::find(units, unit, [](const auto& known) { return known.first; });
    return found == units.end() ? 0 : found->second;
}

} // namespace rankscope
