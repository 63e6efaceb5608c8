#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string_view>

namespace warmlane::fuzz {

/// What must hold for every input; ends the process with a report when it does not.
inline void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// An input and a way to cut it into reads of 1 to 64 bytes, which follows from its bytes.
class FuzzInput {
public:
    FuzzInput(const std::uint8_t* data, std::size_t size)
        : bytes_(reinterpret_cast<const char*>(data), size) {
        for (char c : bytes_) {
            seed_ = seed_ * 31 + static_cast<unsigned char>(c);
        }
    }

    std::string_view bytes() const { return bytes_; }

    /// Calls `take(begin, size)` for each read in turn, until it returns false.
    template <class Take>
    void for_each_read(Take take) const {
        std::minstd_rand random{seed_};
        for (std::size_t begin = 0; begin < bytes_.size();) {
            const std::size_t size = std::min<std::size_t>(1 + random() % 64, bytes_.size() - begin);
            if (!take(begin, size)) {
                return;
            }
            begin += size;
        }
    }

private:
    std::string_view bytes_;
    std::uint32_t seed_ = 1;
};

}  // namespace warmlane::fuzz
