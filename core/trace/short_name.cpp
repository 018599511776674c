// SPDX-License-Identifier: GPL-3.0-or-later
// Names of kernels: demangled and mangled C++ signatures as trees of names and template arguments.
#include "core/trace/short_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace rankscope {
namespace {

/// Deeper brackets belong to no kernel: the name is left as it is.
constexpr int kDeepest = 40;
constexpr std::size_t kLongestSignature = 32'768;

/// A type, a function or a literal.
struct NamePart {
    std::string name;
    std::vector<NamePart> arguments;
    std::string call; ///< parameters of the lambda in it: "(float)"
};

/// Kernels that apply what one of their template arguments says, and which one that is.
struct Wrapper {
    std::string_view name;
    std::size_t argument;
};
constexpr Wrapper kWrappers[] = {
    {"vectorized_elementwise_kernel", 1},
    {"unrolled_elementwise_kernel", 0},
    {"unrolled_elementwise_kernel_for_multi_outputs", 1},
    {"elementwise_kernel", 2},
    {"elementwise_kernel_manual_unroll", 2},
    {"legacy_elementwise_kernel", 2},
    {"index_elementwise_kernel", 2},
    {"gpu_kernel_impl", 0},
    {"gpu_kernel_impl_nocast", 0},
    {"reduce_kernel", 2},
    {"ReduceOp", 1},
    {"func_wrapper_t", 1},
    {"BinaryFunctor", 3},
    {"AUnaryFunctor", 3},
    {"BUnaryFunctor", 3},
    {"multi_tensor_apply_kernel", 1},
    {"Kernel", 0},
    {"Kernel2", 0},
    {"device_kernel", 0},
    {"kentry", 1},
};

bool is_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '~' || letter == '$';
}

bool is_number(std::string_view text) {
    return !text.empty() && std::ranges::all_of(
                                text, [](char c) { return c >= '0' && c <= '9'; });
}

/// "3ul" is 3.
std::string without_suffix(std::string text) {
    if (text.empty() || text.front() < '0' || text.front() > '9')
        return text;
    while (text.size() > 1 && (text.back() == 'u' || text.back() == 'l'))
        text.pop_back();
    return text;
}

std::string text_of(const NamePart& part) {
    std::string text = part.name;
    if (!part.arguments.empty()) {
        text += '<';
        for (const NamePart& argument : part.arguments)
            text += (&argument == part.arguments.data() ? "" : ", ") + text_of(argument);
        text += '>';
    }
    return text + part.call;
}

/// What is applied comes before what applies it.
std::string words_of(NamePart part) {
    const auto* const wrapper = std::ranges::find(kWrappers, part.name, &Wrapper::name);
    if (wrapper == std::end(kWrappers) || wrapper->argument >= part.arguments.size())
        return text_of(part);
    const auto inner = part.arguments.begin() + static_cast<std::ptrdiff_t>(wrapper->argument);
    if (is_number(inner->name))
        return text_of(part);
    std::string first = words_of(std::move(*inner));
    part.arguments.erase(inner);
    return first + " · " + text_of(part);
}

/// "void a::b<c::d, 3ul>(e)": b, with d and 3. Nothing where brackets do not match.
class SignatureReader {
public:
    explicit SignatureReader(std::string_view text) : text_(text) {}

    std::optional<NamePart> read() {
        auto part = read_part(0);
        return at_ == text_.size() ? std::move(part) : std::nullopt;
    }

private:
    [[nodiscard]] bool sees(std::string_view word) const { return text_.substr(at_).starts_with(word); }

    /// Up to what encloses it: a comma, a closing bracket, or the end.
    std::optional<NamePart> read_part(int depth) {
        if (depth > kDeepest)
            return {};
        NamePart part;
        while (at_ < text_.size()) {
            const char letter = text_[at_];
            if (depth > 0 && (letter == ',' || letter == '>' || letter == ')' || letter == '}'))
                break;
            if (!read_piece(part, letter, depth))
                return {};
        }
        part.name = without_suffix(std::move(part.name));
        return part;
    }

    bool read_piece(NamePart& part, char letter, int depth) {
        if (sees("::")) {
            at_ += 2;
            if (!sees("{") && !sees("operator")) // scopes go, but for those that template arguments tell apart
                part = {part.arguments.empty() ? std::string() : text_of(part) + "::", {}, {}};
        } else if (sees("(anonymous namespace)")) {
            at_ += std::string_view("(anonymous namespace)").size();
        } else if (sees("operator()")) {
            at_ += std::string_view("operator()").size();
        } else if (letter == '<') {
            return read_arguments(part, depth);
        } else if (letter == '(') {
            return skip_brackets(depth); // parameters, or the type of a literal
        } else if (letter == '{') {
            return read_lambda(part, depth);
        } else if (letter == ' ') {
            read_blank(part, depth);
        } else if (letter == '>' || letter == ')' || letter == '}') {
            return false;
        } else {
            part.name += letter;
            ++at_;
        }
        return true;
    }

    /// Return types go; "unsigned int" and "float const" stay. No word stands behind parameters.
    void read_blank(NamePart& part, int depth) {
        ++at_;
        if (sees("const") || sees("volatile") || sees("[")) {
            while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == ' '))
                ++at_;
            if (sees("[")) // [clone .kd]
                at_ = text_.size();
            return;
        }
        if (depth == 0)
            part = {};
        else if (part.name == "unsigned" || part.name == "long" || part.name == "unsigned long")
            part.name += ' ';
    }

    bool read_arguments(NamePart& part, int depth) {
        do {
            ++at_;
            auto argument = read_part(depth + 1);
            if (!argument)
                return false;
            if (!argument->name.empty() || !argument->call.empty())
                part.arguments.push_back(std::move(*argument));
        } while (at_ < text_.size() && text_[at_] == ',');
        return closes('>');
    }

    bool skip_brackets(int depth) {
        NamePart ignored;
        do {
            ++at_;
            if (!read_part(depth + 1))
                return false;
        } while (at_ < text_.size() && text_[at_] == ',');
        return closes(')');
    }

    /// "{lambda(float)#1}" says what the function it stands in is called with.
    bool read_lambda(NamePart& part, int depth) {
        NamePart parameters;
        while (at_ < text_.size() && text_[at_] != '(' && text_[at_] != '}')
            ++at_;
        if (at_ < text_.size() && text_[at_] == '(') {
            do {
                ++at_;
                auto parameter = read_part(depth + 1);
                if (!parameter)
                    return false;
                if (!parameter->name.empty())
                    parameters.arguments.push_back(std::move(*parameter));
            } while (at_ < text_.size() && text_[at_] == ',');
            if (!closes(')'))
                return false;
        }
        while (at_ < text_.size() && text_[at_] != '}')
            ++at_;
        if (!parameters.arguments.empty()) {
            part.call.clear();
            for (const NamePart& parameter : parameters.arguments)
                part.call += (part.call.empty() ? "(" : ", ") + text_of(parameter);
            part.call += ')';
        }
        return closes('}');
    }

    bool closes(char bracket) {
        if (at_ >= text_.size() || text_[at_] != bracket)
            return false;
        ++at_;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// The names and template arguments of a mangled name (Itanium C++ ABI). What it does not know ends the arguments with
/// "…": the reader needs no table of substitutions, whose expansion a hostile name could make as long as it likes.
class MangledReader {
public:
    explicit MangledReader(std::string_view text) : text_(text) {}

    std::optional<NamePart> read() {
        if (!skip("_Z"))
            return {};
        NamePart part;
        if (!read_name(part, 0))
            return {};
        return part;
    }

private:
    bool skip(std::string_view word) {
        if (!text_.starts_with(word))
            return false;
        text_.remove_prefix(word.size());
        return true;
    }

    std::optional<std::string> identifier() {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), length);
        if (error != std::errc() || length == 0)
            return {};
        const auto digits = static_cast<std::size_t>(end - text_.data());
        if (length > text_.size() - digits)
            return {};
        std::string name(text_.substr(digits, length));
        text_.remove_prefix(digits + length);
        return name;
    }

    /// An identifier with its arguments, or several between N and E, of which the last one counts.
    bool read_name(NamePart& part, int depth) {
        if (depth > kDeepest)
            return false;
        const bool nested = skip("N");
        while (!text_.empty()) {
            if (nested && skip("E"))
                return !part.name.empty();
            if (text_.starts_with("S")) {
                if (!skip_substitution())
                    return false;
                part.name = "…";
                continue;
            }
            if (skip("I")) {
                read_arguments(part, depth);
                if (!nested || lost_)
                    return !part.name.empty();
                continue;
            }
            if (!nested && !part.name.empty())
                return true;
            auto name = identifier();
            if (!name)
                return !part.name.empty();
            part = {std::move(*name), {}, {}};
        }
        return !part.name.empty();
    }

    /// S_, S3_, St, Sa …
    bool skip_substitution() {
        text_.remove_prefix(1);
        while (!text_.empty() && text_.front() != '_') {
            const char letter = text_.front();
            text_.remove_prefix(1);
            if (letter >= 'a' && letter <= 'z')
                return true;
        }
        return skip("_");
    }

    void read_arguments(NamePart& part, int depth) {
        while (!lost_ && !text_.empty() && !skip("E")) {
            if (depth <= kDeepest && skip("J")) { // a pack
                read_arguments(part, depth + 1);
                continue;
            }
            NamePart argument;
            if (depth > kDeepest || !read_argument(argument, depth + 1)) {
                argument = {"…", {}, {}};
                lost_ = true;
            }
            part.arguments.push_back(std::move(argument));
        }
    }

    bool read_argument(NamePart& argument, int depth) {
        constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
            {"DF16b", "bf16"},    {"DF16_", "f16"}, {"Dh", "half"},  {"f", "float"}, {"d", "double"}, {"i", "int"},
            {"j", "uint"},        {"l", "long"},    {"m", "ulong"},  {"b", "bool"},  {"c", "char"},   {"h", "uchar"},
            {"a", "signed char"}, {"s", "short"},   {"t", "ushort"}, {"v", "void"},  {"x", "llong"},  {"y", "ullong"}};
        if (depth > kDeepest)
            return false;
        if (skip("L"))
            return read_literal(argument, depth);
        if (skip("P") || skip("R") || skip("K")) // pointers, references, constants
            return read_argument(argument, depth + 1);
        if (text_.starts_with("N") || text_.starts_with("S") || (!text_.empty() && is_number(text_.substr(0, 1))))
            return read_name(argument, depth);
        for (const auto& [code, word] : kTypes)
            if (skip(code)) {
                argument.name = word;
                return true;
            }
        return false;
    }

    /// Li64E, Lb1E, LN3foo4kindE2E.
    bool read_literal(NamePart& argument, int depth) {
        NamePart type;
        if (!read_argument(type, depth + 1))
            return false;
        const std::size_t end = text_.find('E');
        if (end == std::string_view::npos)
            return false;
        argument.name = std::string(text_.substr(0, end));
        if (argument.name.starts_with('n'))
            argument.name.front() = '-';
        text_.remove_prefix(end + 1);
        return true;
    }

    std::string_view text_;
    bool lost_ = false; ///< what follows has another meaning than it seems
};

/// "AllReduce_Sum_bf16_RING_LL" and, of older versions, "AllReduce_RING_LL_Sum_float": kind, type, reduction,
/// algorithm.
std::optional<std::string> nccl_words(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
        {"float", "f32"},     {"double", "f64"},   {"half", "f16"},   {"bfloat16", "bf16"}, {"f32", "f32"},
        {"f64", "f64"},       {"f16", "f16"},      {"bf16", "bf16"},  {"i8", "i8"},         {"u8", "u8"},
        {"i32", "i32"},       {"u32", "u32"},      {"i64", "i64"},    {"u64", "u64"},       {"int8", "i8"},
        {"uint8", "u8"},      {"int32", "i32"},    {"uint32", "u32"}, {"int64", "i64"},     {"uint64", "u64"},
        {"f8e4m3", "f8e4m3"}, {"f8e5m2", "f8e5m2"}};
    constexpr std::string_view kPrefixes[] = {"ncclDevKernel_", "ncclKernel_", "rcclKernel_", "ncclSymkDevKernel_",
                                              "ncclSymDevKernel_"};
    const auto* const prefix = std::ranges::find_if(kPrefixes, [&](std::string_view p) { return name.starts_with(p); });
    if (prefix == std::end(kPrefixes))
        return {};
    name.remove_prefix(prefix->size());
    name = name.substr(0, name.find('('));
    std::string kind;
    std::string type;
    std::string rest;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('_'), name.size());
        const std::string_view word = name.substr(0, end);
        name.remove_prefix(std::min(name.size(), end + 1));
        const auto* const known =
            std::ranges::find(kTypes, word, &std::pair<std::string_view, std::string_view>::first);
        if (kind.empty())
            kind = word;
        else if (known != std::end(kTypes))
            type = known->second;
        else if (word != "t") // int8_t
            rest += ' ' + std::string(word);
    }
    if (kind.empty() || kind == "Generic")
        return {};
    // Of what does not reduce, old versions name one type for all.
    const bool reduces = kind.find("Reduce") != std::string::npos;
    if (!reduces && rest.ends_with(" Sum"))
        rest.erase(rest.size() - 4);
    return kind + (type.empty() || (!reduces && type == "i8") ? "" : ' ' + type) + rest;
}

/// "void f", "a::b<c>", "f(int)"; not "Memcpy HtoD (Pinned -> Device)", "module.py(15): forward" or "execute_64(64)".
bool is_signature(std::string_view name) {
    const std::size_t bracket = name.find_first_of("<(");
    if (name.starts_with("void "))
        return true;
    if (bracket == std::string_view::npos || bracket == 0)
        return false;
    if (name.find("::") != std::string_view::npos)
        return true;
    const bool counts = is_number(name.substr(bracket + 1, name.find(')') - bracket - 1));
    return name.back() == ')' && name[bracket - 1] != ' ' && !counts;
}

} // namespace

std::string short_name(std::string_view name) {
    if (name.size() > kLongestSignature)
        return std::string(name);
    if (auto words = nccl_words(name))
        return std::move(*words);
    std::optional<NamePart> part;
    if (name.starts_with("_Z"))
        part = MangledReader(name).read();
    else if (is_signature(name))
        part = SignatureReader(name).read();
    return part && !part->name.empty() ? words_of(std::move(*part)) : std::string(name);
}

} // namespace rankscope
