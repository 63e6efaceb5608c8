#pragma once

#include "warmlane/observability/log.hpp"

#include <exception>
#include <string>

namespace warmlane::datalayer {

/// Says so when a loop that should run until it is stopped ends by an exception.
struct LoopEnd {
    const char* loop;
    std::string of;

    void operator()(const std::exception_ptr& failure) const {
        if (!failure) {
            return;
        }
        try {
            std::rethrow_exception(failure);
        } catch (const std::exception& error) {
            observability::log().error(
                "{} of {} has ended: {}",
                loop,
                observability::escaped(of),
                observability::escaped(error.what())
            );
        }
    }
};

}  // namespace warmlane::datalayer
