// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/file_start.h"

#include <algorithm>
#include <utility>

namespace rankscope {
namespace {

constexpr std::uint64_t kSmall = 64 * 1024;

class KeptSource final : public ByteSource {
public:
    explicit KeptSource(std::shared_ptr<const std::string> text) : text_(std::move(text)) {
        file_bytes_ = text_->size();
    }
    std::size_t read(std::span<char> buffer) override {
        const std::size_t got = text_->copy(buffer.data(), buffer.size(), position_);
        position_ += got;
        return got;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return position_; }
    [[nodiscard]] bool is_compressed() const override { return false; }

private:
    std::shared_ptr<const std::string> text_;
    std::size_t position_ = 0;
};

} // namespace

Result<std::unique_ptr<ByteSource>> FileStart::open() const {
    if (text_ != nullptr)
        return std::make_unique<KeptSource>(text_);
    auto source = open_byte_source(path_);
    if (!source || (*source)->is_compressed() || (*source)->file_bytes() > kSmall)
        return source;
    std::string text((*source)->file_bytes(), '\0');
    text.resize((*source)->read(text));
    if (!(*source)->damage().empty())
        return open_byte_source(path_);
    text_ = std::make_shared<const std::string>(std::move(text));
    return std::make_unique<KeptSource>(text_);
}

} // namespace rankscope
