#include "run_loop.hpp"

#include "warmlane/observability/log.hpp"

#include <exception>

namespace warmlane::app {

void run_loop(http::asio::io_context& context) {
    while (true) {
        try {
            context.run();
            return;
        } catch (const std::exception& error) {
            observability::log().error("unexpected: {}", observability::escaped(error.what()));
        }
    }
}

}  // namespace warmlane::app
