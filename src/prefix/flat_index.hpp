#pragma once

#include "prefix/prefetch.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warmlane::prefix {

/// Spreads a number over all 64 bits; no two numbers give the same.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0x9e37'79b9'7f4a'7c15;
    return x ^ (x >> 32);
}

/// Finds ids by the hashes of what they stand for: four bytes an id and a quarter of that for air.
///
/// A cell holds an id, two bits of its hash, and how far it is from the cell at which its hash begins to
/// look. Ids stand in the order of their first cells, so that a look-up ends early, and hardly an id is
/// compared in vain. The cells are cut into segments by the top bits of the hash; a segment grows a little at
/// a time and is split when it is large, so that no insertion moves more than some thousand ids, however many
/// there are.
class FlatIndex {
public:
    static constexpr std::uint32_t kNone = 0xffff'ffff;
    /// Ids are below this.
    static constexpr std::uint32_t kIdsMax = std::uint32_t{1} << 24;

    FlatIndex();

    /// The id with this hash for which `is(id)` holds; `kNone` when there is none.
    template <class Is>
    std::uint32_t find(std::uint64_t hash, Is is) const {
        const std::uint32_t* cell = first_cell(hash);
        const std::uint32_t tag = tag_of(hash);
        for (std::uint32_t passed = 0; passed <= kDistanceMax; passed += kStride, cell += kStride) {
            for (std::uint32_t hits = hits_of(cell, passed, tag); hits != 0; hits &= hits - 1) {
                const std::uint32_t id = id_of(cell[std::countr_zero(hits)]);
                if (is(id)) {
                    return id;
                }
            }
            if (distance_of(cell[kStride - 1]) < passed + kStride) {
                break;
            }
        }
        return kNone;
    }

    /// The id that `find` is going to compare first; `kNone` when there is none.
    std::uint32_t guess(std::uint64_t hash) const {
        return find(hash, [](std::uint32_t /*id*/) { return true; });
    }

    /// Adds an id that is not there yet. `hash_of(id)` gives the hash of any id that is.
    /// @return false when too many ids begin at one cell, which takes hashes that are none.
    template <class HashOf>
    bool insert(std::uint64_t hash, std::uint32_t id, HashOf hash_of) {
        if (segment_of(hash).full()) {
            make_room(hash, hash_of);
        }
        while (!segment_of(hash).put(hash, id)) {
            Segment& segment = segment_of(hash);
            if (segment.sparse() || !rebuild(segment, segment.capacity + segment.capacity / 4, hash_of)) {
                return false;
            }
        }
        return true;
    }

    /// Removes an id that is there.
    void erase(std::uint64_t hash, std::uint32_t id) { segment_of(hash).take(hash, id); }

    /// Brings the cells where a hash is looked for nearer to the processor.
    void prefetch(std::uint64_t hash) const {
        const std::uint32_t* const cell = first_cell(hash);
        prefix::prefetch(cell);
        prefix::prefetch(cell + kStride - 1);
    }

    std::size_t bytes() const;

private:
    static constexpr unsigned kIdBits = 24;
    static constexpr unsigned kTagBits = 2;
    static constexpr std::uint32_t kDistanceMax = 63;
    /// A segment with more ids is split rather than grown, as long as hashes have bits to tell.
    static constexpr std::uint32_t kSplitIds = 4'096;
    static constexpr unsigned kDepthMax = 16;

    /// In a cell that is not empty, one more than the number of cells from the first one of the hash.
    static std::uint32_t distance_of(std::uint32_t cell) { return cell >> (kIdBits + kTagBits); }
    static std::uint32_t id_of(std::uint32_t cell) { return cell & (kIdsMax - 1); }
    /// Bits that neither the segment nor the first cell depends on.
    static std::uint32_t tag_of(std::uint64_t hash) { return hash >> 32 & ((1U << kTagBits) - 1); }
    static std::uint32_t cell_of(std::uint32_t distance, std::uint32_t tag, std::uint32_t id) {
        return (distance << kTagBits | tag) << kIdBits | id;
    }

    /// Cells that are compared in one step.
    static constexpr std::uint32_t kStride = 8;

    /// One bit for each of a stride of cells: it may hold an id whose hash has this tag and begins to look
    /// where `passed` cells before the stride are.
    static std::uint32_t hits_of(const std::uint32_t* cell, std::uint32_t passed, std::uint32_t tag) {
        const std::uint32_t wanted = (passed + 1) << kTagBits | tag;
#ifdef __SSE2__
        constexpr int kNext = 1 << kTagBits;
        const __m128i first = _mm_add_epi32(
            _mm_set1_epi32(static_cast<int>(wanted)), _mm_setr_epi32(0, kNext, 2 * kNext, 3 * kNext)
        );
        const __m128i second = _mm_add_epi32(first, _mm_set1_epi32(4 * kNext));
        const auto same = [cell](int at, __m128i four) {
            const __m128i cells = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cell + at));
            return _mm_cmpeq_epi32(_mm_srli_epi32(cells, kIdBits), four);
        };
        const __m128i both = _mm_packs_epi32(same(0, first), same(4, second));
        return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(both, _mm_setzero_si128())));
#else
        std::uint32_t hits = 0;
        for (std::uint32_t at = 0; at < kStride; ++at) {
            hits |= (cell[at] >> kIdBits == wanted + (at << kTagBits) ? std::uint32_t{1} : 0) << at;
        }
        return hits;
#endif
    }

    struct Segment {
        Segment(std::uint32_t capacity, unsigned depth);

        bool full() const { return std::uint64_t{ids} * 20 >= std::uint64_t{capacity} * 17; }
        bool sparse() const { return ids < capacity / 16 && capacity > 4 * kDistanceMax; }
        std::size_t first(std::uint64_t hash) const {
            return static_cast<std::size_t>((hash & 0xffff'ffff) * capacity >> 32);
        }
        bool put(std::uint64_t hash, std::uint32_t id);
        void take(std::uint64_t hash, std::uint32_t id);

        /// Cells at which a hash can begin; behind them are as many as an id can be away.
        std::uint32_t capacity;
        std::uint32_t ids = 0;
        /// Top bits of the hash that all ids here have in common.
        unsigned depth;
        std::unique_ptr<std::uint32_t[]> cells;
    };

    static std::uint32_t capacity_for(std::uint32_t ids) { return ids + ids * 3 / 7 + 16; }
    static std::size_t cell_count(std::uint32_t capacity) { return std::size_t{capacity} + kDistanceMax + 1; }

    Segment& segment_of(std::uint64_t hash) const { return *directory_[(hash >> 1) >> (63 - depth_)]; }
    const std::uint32_t* first_cell(std::uint64_t hash) const {
        const Segment& segment = segment_of(hash);
        return segment.cells.get() + segment.first(hash);
    }

    /// Calls `take(hash, id)` for every id of a segment as long as it returns true. Hashes are asked for many
    /// at a time, so that the processor waits for all of them at once.
    template <class HashOf, class Take>
    static bool for_each(const Segment& segment, HashOf hash_of, Take take) {
        constexpr std::size_t kBatch = 64;
        const std::size_t cells = cell_count(segment.capacity);
        for (std::size_t begin = 0; begin < cells; begin += kBatch) {
            std::array<std::uint32_t, kBatch> ids{};
            std::array<std::uint64_t, kBatch> hashes{};
            std::size_t count = 0;
            for (std::size_t i = begin; i < cells && i < begin + kBatch; ++i) {
                ids[count] = id_of(segment.cells[i]);
                count += segment.cells[i] != 0 ? 1 : 0;
            }
            for (std::size_t i = 0; i < count; ++i) {
                hashes[i] = hash_of(ids[i]);
            }
            for (std::size_t i = 0; i < count; ++i) {
                if (!take(hashes[i], ids[i])) {
                    return false;
                }
            }
        }
        return true;
    }

    template <class HashOf>
    static bool rebuild(Segment& segment, std::uint32_t capacity, HashOf hash_of) {
        Segment larger(capacity, segment.depth);
        const auto put = [&larger](std::uint64_t hash, std::uint32_t id) { return larger.put(hash, id); };
        if (!for_each(segment, hash_of, put)) {
            return false;
        }
        segment = std::move(larger);
        return true;
    }

    template <class HashOf>
    void make_room(std::uint64_t hash, HashOf hash_of) {
        Segment& segment = segment_of(hash);
        if (segment.ids < kSplitIds || segment.depth == kDepthMax) {
            rebuild(segment, capacity_for(segment.ids), hash_of);
            return;
        }
        // About half of the ids go each way.
        const std::uint32_t capacity = capacity_for(segment.ids / 2 + segment.ids / 32);
        Segment low(capacity, segment.depth + 1);
        Segment high(capacity, segment.depth + 1);
        const auto put = [&low, &high, bit = 63 - segment.depth](std::uint64_t other, std::uint32_t id) {
            return ((other >> bit & 1) != 0 ? high : low).put(other, id);
        };
        if (for_each(segment, hash_of, put)) {
            replace(segment, std::move(low), std::move(high));
        }
    }

    void replace(Segment& segment, Segment low, Segment high);

    /// By the `depth_` top bits of a hash; a segment of less depth stands in several places.
    std::vector<Segment*> directory_;
    std::vector<std::unique_ptr<Segment>> segments_;
    unsigned depth_ = 0;
};

}  // namespace warmlane::prefix
