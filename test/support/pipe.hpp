#pragma once

#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace warmlane::test {

/// A pipe, as what reads a process's log. Its reading end never blocks.
class Pipe {
public:
    Pipe() {
        if (::pipe(ends_) != 0 || ::fcntl(ends_[0], F_SETFL, O_NONBLOCK) != 0) {
            throw std::runtime_error("no pipe");
        }
        // As the process that is logged does.
        std::signal(SIGPIPE, SIG_IGN);
    }
    ~Pipe() {
        close_read_end();
        ::close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int write_end() const { return ends_[1]; }

    void close_read_end() {
        if (ends_[0] >= 0) {
            ::close(ends_[0]);
        }
        ends_[0] = -1;
    }

    /// Everything that has been written since the last time.
    std::string read_available() const {
        std::string out;
        char part[4096];
        for (ssize_t size = 0; (size = ::read(ends_[0], part, sizeof part)) > 0;) {
            out.append(part, static_cast<std::size_t>(size));
        }
        return out;
    }

private:
    int ends_[2] = {-1, -1};
};

}  // namespace warmlane::test
