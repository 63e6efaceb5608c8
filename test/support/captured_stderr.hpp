#pragma once

#include "support/pipe.hpp"

#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace warmlane::test {

/// Standard error goes into a pipe for as long as this lives.
class CapturedStderr {
public:
    CapturedStderr() { ::dup2(pipe_.write_end(), STDERR_FILENO); }
    ~CapturedStderr() {
        ::dup2(saved_, STDERR_FILENO);
        ::close(saved_);
    }
    CapturedStderr(const CapturedStderr&) = delete;
    CapturedStderr& operator=(const CapturedStderr&) = delete;

    std::vector<std::string> lines() const {
        std::istringstream text(pipe_.read_available());
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) {
            lines.push_back(line);
        }
        return lines;
    }

private:
    const int saved_ = ::dup(STDERR_FILENO);
    Pipe pipe_;
};

}  // namespace warmlane::test
