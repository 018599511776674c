// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/cache_work.h"

#include <array>
#include <limits>

namespace rankscope {
namespace {

constexpr std::size_t kNoCacheInput = std::numeric_limits<std::size_t>::max();

enum class CacheKind : std::uint8_t {
    keys_and_values, ///< caches of both
    mla,             ///< one cache, of rows of both parts
    query,           ///< no cache: the third tensor is the result
    rotated_mla,     ///< queries and keys are turned in place, and the keys written
    rotated_join     ///< queries and keys are turned and joined; the keys are written, the queries returned
};
struct CacheLayout {
    std::string_view name;
    CacheKind kind = CacheKind::keys_and_values;
    std::size_t key = 0, value = 1, cache = 2; ///< where there are two caches, that of values follows
    std::size_t slots = 4;
    std::size_t query = kNoCacheInput; ///< of rotated kinds: the part that is turned
    std::size_t query_rest = kNoCacheInput;
    std::size_t out = kNoCacheInput; ///< the joined queries, where recorded
};

constexpr std::array kCacheWrites{
    // (key, value, key cache, value cache, slots, ...)
    CacheLayout{"_C_cache_ops::reshape_and_cache"}, CacheLayout{"_C_cache_ops::reshape_and_cache_flash"},
    CacheLayout{"aiter::reshape_and_cache"}, CacheLayout{"aiter::reshape_and_cache_flash"},
    CacheLayout{"sglang::store_cache"},
    // (compressed keys, rotated keys, cache, slots, ...)
    CacheLayout{"_C_cache_ops::concat_and_cache_mla", CacheKind::mla, 0, 1, 2, 3},
    CacheLayout{"aiter::concat_and_cache_mla", CacheKind::mla, 0, 1, 2, 3},
    // (query without rotation, its rotated part, result)
    CacheLayout{"_C_cache_ops::concat_mla_q", CacheKind::query, 0, 1, 2, kNoCacheInput},
    // (positions, rotated query, rotated keys, compressed keys, table, flag, slots, cache, ...)
    CacheLayout{"_C_cache_ops::concat_and_cache_mla_rope_fused", CacheKind::rotated_mla, 3, 2, 7, 6, 1},
    // (query, its rotated part, keys, their rotated part, cache, ...), and with the joined query next
    CacheLayout{"aiter::fused_qk_rope_cat_and_cache_mla", CacheKind::rotated_join, 2, 3, 4, kNoCacheInput, 1, 0},
    CacheLayout{"aiter::fused_qk_rope_concat_and_cache_mla", CacheKind::rotated_join, 2, 3, 4, kNoCacheInput, 1, 0, 5}};

const CacheLayout* cache_layout(std::string_view name) {
    const auto* found = std::ranges::find(kCacheWrites, name, &CacheLayout::name);
    return found == kCacheWrites.end() ? nullptr : found;
}

/// Bytes of a token's row of MLA in the cache. A row in 8 bits may have scales and a part in 16 bits too: the cache's
/// last dimension says so.
double cached_row_bytes(const ModelInputs& in, std::size_t cache, double values) {
    const auto row = static_cast<double>(in.dims(cache).back());
    return (row > values && row < 2 * values ? row : values) * in.width(cache);
}

} // namespace

bool is_cache_write(std::string_view name) {
    const CacheLayout* layout = cache_layout(name);
    return layout != nullptr && layout->query == kNoCacheInput;
}
bool is_rotated_cache_write(std::string_view name) {
    const CacheLayout* layout = cache_layout(name);
    return layout != nullptr && layout->query != kNoCacheInput;
}

std::optional<CacheWriteShape> cache_write_shape(std::string_view name, const ModelInputs& in) {
    const CacheLayout* layout = cache_layout(name);
    if (layout == nullptr)
        return {};
    for (const std::size_t i : {layout->key, layout->value, layout->cache})
        if (!in.is_tensor(i) || in.width(i) == 0)
            return {};
    const auto first = [&](std::size_t i) { return static_cast<double>(in.dims(i)[0]); };
    const double rows = first(layout->key);
    if (rows <= 0 || first(layout->value) != rows)
        return {};
    CacheWriteShape shape;
    shape.key = layout->key;
    shape.value = layout->value;
    shape.cache = layout->cache;
    const bool slots = layout->slots != kNoCacheInput && in.dims(layout->slots).size() == 1;
    shape.tokens = slots ? std::min(rows, in.count(layout->slots)) : rows;
    const double keys = in.count(layout->key) / rows, values = in.count(layout->value) / rows; // of a token
    shape.values = shape.tokens * (keys + values);
    const double read = keys * in.width(layout->key) + values * in.width(layout->value);
    const double slot = slots ? in.width(layout->slots) : 0;
    double& flops = shape.work.flops;
    double& bytes = shape.work.bytes;
    const auto has = [&](std::size_t i) { return in.is_tensor(i) && in.width(i) > 0; };
    switch (layout->kind) {
    case CacheKind::keys_and_values:
        if (!has(layout->cache + 1))
            return {};
        bytes = shape.tokens * (read + keys * in.width(layout->cache) + values * in.width(layout->cache + 1) + slot);
        break;
    case CacheKind::mla:
        bytes = shape.tokens * (read + cached_row_bytes(in, layout->cache, keys + values) + slot);
        break;
    case CacheKind::query: bytes = shape.tokens * read + in.bytes(layout->cache); break;
    case CacheKind::rotated_mla:
        if (!has(layout->query) || first(layout->query) != rows)
            return {};
        // The turned parts are written back.
        flops = 3 * shape.tokens * (in.count(layout->query) / rows + values);
        bytes = shape.tokens * (read + values * in.width(layout->value) + 2 * in.bytes(layout->query) / rows +
                                cached_row_bytes(in, layout->cache, keys + values) + slot);
        break;
    case CacheKind::rotated_join: {
        if (!has(layout->query) || !has(layout->query_rest) || first(layout->query) != rows)
            return {};
        flops = 3 * (in.count(layout->query) + in.count(layout->value));
        const double query = in.count(layout->query) + in.count(layout->query_rest);
        const bool out = has(layout->out) && in.count(layout->out) == query;
        bytes = in.bytes(layout->query) + in.bytes(layout->query_rest) +
                query * in.width(out ? layout->out : layout->query_rest) +
                shape.tokens * (read + (keys + values) * in.width(layout->cache));
        break;
    }
    }
    return shape;
}

} // namespace rankscope
