#pragma once

#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace warmlane::http {

/// Bytes of a connection that were read and not yet used up, in one piece. Memory is never cleared, and moves
/// only in `make_room`, which must not be called while a read or a view is outstanding.
class InputBuffer {
public:
    explicit InputBuffer(std::size_t capacity)
        : data_(std::make_unique_for_overwrite<char[]>(capacity)), capacity_(capacity) {}

    std::string_view view() const { return {data_.get() + begin_, end_ - begin_}; }
    std::size_t size() const { return end_ - begin_; }
    std::size_t space() const { return capacity_ - end_; }
    std::size_t capacity() const { return capacity_; }

    /// Where the next read goes.
    boost::asio::mutable_buffer free_space() { return {data_.get() + end_, space()}; }
    void commit(std::size_t bytes) { end_ += bytes; }
    void consume(std::size_t bytes) { begin_ += bytes; }
    /// Drops what came after `size` bytes of the view.
    void truncate(std::size_t size) { end_ = begin_ + size; }

    /// Makes `space` bytes free behind the data, by moving it to the front or to a larger piece of memory.
    void make_room(std::size_t space) {
        if (begin_ == end_) {
            begin_ = end_ = 0;
        }
        if (capacity_ - end_ >= space) {
            return;
        }
        const std::size_t used = size();
        if (capacity_ - used >= space) {
            std::memmove(data_.get(), data_.get() + begin_, used);
        } else {
            capacity_ = std::max(capacity_ * 2, used + space);
            auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
            std::memcpy(larger.get(), data_.get() + begin_, used);
            data_ = std::move(larger);
        }
        begin_ = 0;
        end_ = used;
    }

private:
    std::unique_ptr<char[]> data_;
    std::size_t capacity_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace warmlane::http
