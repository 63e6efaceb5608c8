#include "prefix/flat_index.hpp"

#include <cassert>
#include <utility>

namespace warmlane::prefix {
namespace {

/// From one distance to the next.
constexpr std::uint32_t kStep = std::uint32_t{1} << 26;

}  // namespace

FlatIndex::Segment::Segment(std::uint32_t capacity_wanted, unsigned depth_wanted)
    : capacity(capacity_wanted),
      depth(depth_wanted),
      cells(std::make_unique<std::uint32_t[]>(cell_count(capacity_wanted))) {}

/// Moves what stands behind up by one. Changes nothing when something would get too far away.
bool FlatIndex::Segment::put(std::uint64_t hash, std::uint32_t id) {
    std::size_t at = first(hash);
    std::uint32_t distance = 1;
    while (distance_of(cells[at]) >= distance) {
        ++at;
        ++distance;
    }
    // The last cell stays empty: it ends every look-up.
    const std::size_t last = cell_count(capacity) - 1;
    std::size_t end = at;
    while (end < last && cells[end] != 0 && distance_of(cells[end]) < kDistanceMax) {
        ++end;
    }
    if (distance > kDistanceMax || end == last || cells[end] != 0) {
        return false;
    }
    for (; end > at; --end) {
        cells[end] = cells[end - 1] + kStep;
    }
    cells[at] = cell_of(distance, tag_of(hash), id);
    ++ids;
    return true;
}

/// Moves what stands behind down by one, unless it stands at its first cell.
void FlatIndex::Segment::take(std::uint64_t hash, std::uint32_t id) {
    std::size_t at = first(hash);
    for (std::uint32_t distance = 1; cells[at] != cell_of(distance, tag_of(hash), id); ++distance) {
        assert(distance_of(cells[at]) >= distance);
        ++at;
    }
    for (; distance_of(cells[at + 1]) > 1; ++at) {
        cells[at] = cells[at + 1] - kStep;
    }
    cells[at] = 0;
    --ids;
}

FlatIndex::FlatIndex() {
    segments_.push_back(std::make_unique<Segment>(capacity_for(0), 0));
    directory_.push_back(segments_.back().get());
}

void FlatIndex::replace(Segment& segment, Segment low, Segment high) {
    const unsigned depth = segment.depth;
    if (depth == depth_) {
        std::vector<Segment*> doubled;
        doubled.reserve(2 * directory_.size());
        for (Segment* entry : directory_) {
            doubled.insert(doubled.end(), 2, entry);
        }
        directory_ = std::move(doubled);
        ++depth_;
    }
    segments_.push_back(std::make_unique<Segment>(std::move(high)));
    for (std::size_t i = 0; i < directory_.size(); ++i) {
        if (directory_[i] == &segment && (i >> (depth_ - depth - 1) & 1) != 0) {
            directory_[i] = segments_.back().get();
        }
    }
    segment = std::move(low);
}

std::size_t FlatIndex::bytes() const {
    std::size_t sum = directory_.capacity() * sizeof(Segment*) + segments_.capacity() * sizeof(segments_[0]);
    for (const auto& segment : segments_) {
        sum += sizeof(Segment) + cell_count(segment->capacity) * sizeof(std::uint32_t);
    }
    return sum;
}

}  // namespace warmlane::prefix
