#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>

namespace warmlane::openai {

/// Bytes that must stay where they are as long as their owner lives: chunks that are filled one after the
/// other and never grow. Whatever is taken next to each other and fits a chunk lies next to each other.
class Scratch {
public:
    /// @param chunks  owns the bytes; outlives the views, may be moved.
    explicit Scratch(std::deque<std::string>& chunks) : chunks_(chunks) {}
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// Room for `more` bytes after the `used` first bytes of the room that was given before, which are moved
    /// along when a larger chunk is needed.
    /// @return where the room begins; valid until the next call.
    char* room(std::size_t used, std::size_t more) {
        if (static_cast<std::size_t>(end_ - at_) < used + more) {
            add_chunk(used, more);
        }
        return at_;
    }

    /// Bytes that fit at `room()` without another call.
    std::size_t room_bytes() const { return static_cast<std::size_t>(end_ - at_); }

    /// The first `bytes` of the room are kept.
    std::string_view take(std::size_t bytes) {
        const std::string_view taken(at_, bytes);
        at_ += bytes;
        return taken;
    }

private:
    static constexpr std::size_t kChunkMin = 4 * 1024;
    static constexpr std::size_t kChunkMax = 256 * 1024;

    void add_chunk(std::size_t used, std::size_t more) {
        const char* const before = at_;
        std::string& chunk = chunks_.emplace_back(std::max(chunk_bytes_, 2 * (used + more)), '\0');
        chunk_bytes_ = std::min(2 * chunk_bytes_, kChunkMax);
        at_ = chunk.data();
        end_ = at_ + chunk.size();
        if (used != 0) {
            std::memcpy(at_, before, used);
        }
    }

    std::deque<std::string>& chunks_;
    std::size_t chunk_bytes_ = kChunkMin;
    char* at_ = nullptr;
    char* end_ = nullptr;
};

}  // namespace warmlane::openai
