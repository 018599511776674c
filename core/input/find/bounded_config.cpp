// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/bounded_config.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "core/input/find/python_json.h"

namespace rankscope {
namespace {

Message more_than_nodes(const ConfigBounds& bounds) { return "more than %1 values"_text(bounds.nodes); }
Message deeper_than(const ConfigBounds& bounds) { return "deeper than %1 levels"_text(bounds.depth); }
Message larger_than(const ConfigBounds& bounds) { return "larger than %1"_text(bound_text(bounds.bytes)); }

/// Of bytes a tree may have, aliases written out, this many times those of its file.
constexpr std::uint64_t kMostRepeated = 4;

/// Thrown out of yaml-cpp's parser.
struct BeyondBounds {
    Message reason;
};

/// Counts what a tree would hold, with each alias written out, before one is made.
class YamlCounter : public YAML::EventHandler {
public:
    explicit YamlCounter(const ConfigBounds& bounds) : bounds_(bounds) {}

    void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t anchor) override { leaf(anchor, 0); }
    void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t anchor,
                  const std::string& value) override {
        leaf(anchor, value.size());
    }
    void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t anchor) override {
        const auto known = anchored_.find(anchor);
        if (known == anchored_.end())
            throw BeyondBounds{"an alias inside of what it stands for"_text};
        add(known->second);
    }
    void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open(anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        open(anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Size {
        std::size_t nodes = 0;
        std::uint64_t bytes = 0;
        int depth = 0; ///< of lists inside each other
    };
    struct Open {
        YAML::anchor_t anchor;
        Size before;     ///< the total when it started
        int deepest = 0; ///< below it
    };

    void add(const Size& size) {
        total_.nodes += size.nodes;
        total_.bytes += size.bytes;
        if (!open_.empty())
            open_.back().deepest = std::max(open_.back().deepest, size.depth);
        if (total_.nodes > bounds_.nodes)
            throw BeyondBounds{more_than_nodes(bounds_)};
        if (total_.bytes > kMostRepeated * bounds_.bytes)
            throw BeyondBounds{
                "more than %1 with its aliases written out"_text(bound_text(kMostRepeated * bounds_.bytes))};
        if (static_cast<int>(open_.size()) + size.depth > bounds_.depth)
            throw BeyondBounds{deeper_than(bounds_)};
    }
    void leaf(YAML::anchor_t anchor, std::uint64_t bytes) {
        const Size size{1, bytes, 0};
        add(size);
        if (anchor != YAML::NullAnchor)
            anchored_[anchor] = size;
    }
    void open(YAML::anchor_t anchor) {
        const Size before = total_;
        add({1, 0, 1});
        open_.push_back({anchor, before, 0});
    }
    void close() {
        const Open closed = open_.back();
        open_.pop_back();
        const Size size{total_.nodes - closed.before.nodes, total_.bytes - closed.before.bytes, closed.deepest + 1};
        if (!open_.empty())
            open_.back().deepest = std::max(open_.back().deepest, size.depth);
        if (closed.anchor != YAML::NullAnchor)
            anchored_[closed.anchor] = size;
    }

    ConfigBounds bounds_;
    Size total_;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, Size> anchored_;
};

/// yaml-cpp looks ahead along a line: brackets without an end fill its memory before one of them is told.
bool brackets_too_deep(std::string_view text) {
    constexpr int kMostOpen = 1000;
    int open = 0;
    for (const char c : text)
        if (c == '[' || c == '{') {
            if (++open > kMostOpen)
                return true;
        } else if (c == ']' || c == '}') {
            open = std::max(0, open - 1);
        }
    return false;
}

/// Walks over TOML's strings and comments as its parser would: up to the first error both see the same.
class TomlScan {
public:
    TomlScan(std::string_view text, const ConfigBounds& bounds) : text_(text), bounds_(bounds) {}

    Message excess() {
        while (at_ < text_.size()) {
            step(text_[at_]);
            if (dots_ > bounds_.depth || brackets_ > bounds_.depth)
                return deeper_than(bounds_);
            if (values_ > bounds_.nodes)
                return more_than_nodes(bounds_);
        }
        return {};
    }

private:
    void step(char c) {
        ++at_;
        switch (c) {
        case '"':
        case '\'': skip_string(c); return; // a part of a name may be in quotes
        case '#': at_ = std::min(text_.find('\n', at_), text_.size()); return;
        case '.': ++dots_; return;
        case ' ':
        case '\t': return;
        case '[':
        case '{': ++brackets_; break;
        case ']':
        case '}': brackets_ = std::max(0, brackets_ - 1); break;
        case '=':
        case ',': ++values_; break;
        case '\n':
        case '\r': break;
        default: return; // a name or a value goes on
        }
        dots_ = 0;
    }
    void skip_string(char quote) {
        const bool long_one = text_.substr(at_, 2) == std::string(2, quote);
        const std::string end(long_one ? 3 : 1, quote);
        at_ += long_one ? 2 : 0;
        for (; at_ < text_.size(); ++at_) {
            if (quote == '"' && text_[at_] == '\\') {
                ++at_;
                continue;
            }
            if (!long_one && text_[at_] == '\n')
                return; // the parser stops at such a string
            if (text_.substr(at_, end.size()) == end) {
                at_ += end.size();
                return;
            }
        }
        at_ = text_.size();
    }

    std::string_view text_;
    ConfigBounds bounds_;
    std::size_t at_ = 0;
    int dots_ = 0; ///< in the name that is being read
    int brackets_ = 0;
    std::size_t values_ = 0;
};

} // namespace

std::string bound_text(std::uint64_t bytes) {
    return bytes >= 1u << 20 ? fmt::format("{} MB", bytes >> 20) : fmt::format("{} KB", bytes >> 10);
}

Result<std::string> read_bounded_file(const std::filesystem::path& path, std::uint64_t most_bytes) {
    // Without O_NONBLOCK a FIFO is waited for.
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return input_error("cannot be read: %1"_text(std::strerror(errno)));
    struct stat status {};
    std::string text;
    Message wrong;
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        wrong = "not read: it is no regular file"_text;
    } else if (static_cast<std::uint64_t>(status.st_size) > most_bytes) {
        wrong = "larger than %1: not read"_text(bound_text(most_bytes));
    } else {
        text.resize(static_cast<std::size_t>(status.st_size));
        std::size_t filled = 0;
        while (filled < text.size()) {
            const ssize_t got = ::read(file, text.data() + filled, text.size() - filled);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                wrong = "cannot be read: %1"_text(std::strerror(errno));
            if (got <= 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        text.resize(filled);
    }
    ::close(file);
    if (!wrong.empty())
        return input_error(std::move(wrong));
    return text;
}

Result<YAML::Node> load_bounded_yaml(const std::string& text, const ConfigBounds& bounds) {
    if (text.size() > bounds.bytes)
        return input_error(larger_than(bounds));
    if (brackets_too_deep(text))
        return input_error(deeper_than(bounds));
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        YamlCounter counter(bounds);
        parser.HandleNextDocument(counter); // YAML::Load reads no more either
    } catch (const BeyondBounds& beyond) {
        return input_error(beyond.reason);
    }
    return YAML::Load(text);
}

Message toml_excess(std::string_view text, const ConfigBounds& bounds) { return TomlScan(text, bounds).excess(); }

Result<nlohmann::json> parse_bounded_json(std::string_view text, const ConfigBounds& bounds) {
    if (text.size() > bounds.bytes)
        return input_error(larger_than(bounds));
    std::size_t nodes = 0;
    bool too_deep = false;
    const auto keep = [&](int depth, nlohmann::json::parse_event_t event, const nlohmann::json& /*parsed*/) {
        using Event = nlohmann::json::parse_event_t;
        too_deep |= depth > bounds.depth;
        nodes += event == Event::value || event == Event::array_start || event == Event::object_start ? 1 : 0;
        return !too_deep && nodes <= bounds.nodes; // what is not kept takes no memory
    };
    const auto parsed = [&](auto&& input) { return nlohmann::json::parse(input, keep, false); };
    nlohmann::json json;
    if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos) {
        json = parsed(text);
    } else {
        std::istringstream source{std::string(text)};
        PythonJson python(source);
        std::istream input(&python);
        json = parsed(input);
    }
    if (too_deep)
        return input_error(deeper_than(bounds));
    if (nodes > bounds.nodes)
        return input_error(more_than_nodes(bounds));
    return json;
}

} // namespace rankscope
