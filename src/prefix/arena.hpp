#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

namespace warmlane::prefix {

/// Items that keep their number and their place: an array in pieces, with the free ones chained through
/// themselves.
template <class Item>
class Arena {
    static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) >= sizeof(std::uint32_t));

public:
    Item& operator[](std::uint32_t id) { return pieces_[id / kPieceItems][id % kPieceItems]; }
    const Item& operator[](std::uint32_t id) const { return pieces_[id / kPieceItems][id % kPieceItems]; }

    std::uint32_t add(const Item& item) {
        std::uint32_t id = free_;
        if (id == made_) {
            if (made_ % kPieceItems == 0) {
                pieces_.push_back(std::make_unique_for_overwrite<Item[]>(kPieceItems));
            }
            free_ = ++made_;
        } else {
            std::memcpy(&free_, &(*this)[id], sizeof free_);
        }
        (*this)[id] = item;
        ++size_;
        return id;
    }

    void remove(std::uint32_t id) {
        std::memcpy(&(*this)[id], &free_, sizeof free_);
        free_ = id;
        --size_;
    }

    std::size_t size() const { return size_; }
    std::size_t bytes() const {
        return pieces_.size() * kPieceItems * sizeof(Item) + pieces_.capacity() * sizeof(pieces_[0]);
    }

private:
    static constexpr std::uint32_t kPieceItems = 1'024;

    std::vector<std::unique_ptr<Item[]>> pieces_;
    /// The next one to be used; the end of the chain is the first that was never made.
    std::uint32_t free_ = 0;
    std::uint32_t made_ = 0;
    std::size_t size_ = 0;
};

}  // namespace warmlane::prefix
