#pragma once

#include "warmlane/app/application.hpp"
#include "warmlane/config/config.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace warmlane::test {

/// Configuration for tests: loopback, ports chosen by the system, two workers, fast scrapes.
config::Config test_config(const std::vector<std::uint16_t>& endpoint_ports);

/// A gateway in this process, on a thread of its own, stopped at the end of the scope.
class Gateway {
public:
    /// Throws when it does not start.
    explicit Gateway(config::Config config);
    ~Gateway();
    Gateway(const Gateway&) = delete;
    Gateway& operator=(const Gateway&) = delete;

    std::uint16_t port() const { return data_port_; }
    std::uint16_t admin_port() const { return admin_port_; }
    /// As a first SIGTERM does.
    void request_stop() { application_->request_stop(); }
    /// Waits until it has ended.
    app::RunSummary wait();

    /// The body of a GET on the admin port.
    std::string admin(const std::string& target) const;
    /// The sum of a metric's series whose line contains every one of `labels`; 0 when there is none.
    double metric(const std::string& name, const std::vector<std::string>& labels = {}) const;

private:
    std::unique_ptr<app::Application> application_;
    std::uint16_t data_port_ = 0;
    std::uint16_t admin_port_ = 0;
    app::RunSummary summary_;
    std::thread thread_;
};

/// Calls `condition` until it is true, at most for `time`; the last verdict.
bool eventually(
    const std::function<bool()>& condition, std::chrono::milliseconds time = std::chrono::seconds{5}
);

}  // namespace warmlane::test
