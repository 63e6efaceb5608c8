#include "e2e/support/gateway.hpp"

#include "e2e/support/raw_client.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace warmlane::test {

config::Config test_config(const std::vector<std::uint16_t>& endpoint_ports) {
    config::Config config;
    config.listen.port = 0;
    config.admin.port = 0;
    config.threads = 2;
    config.log.level = "off";
    config.data_layer.metrics.interval = std::chrono::milliseconds{20};
    config.data_layer.health.probe_interval = std::chrono::milliseconds{50};
    config.shutdown_grace = std::chrono::seconds{5};
    config.proxy.debug_headers = true;
    char letter = 'a';
    for (const std::uint16_t port : endpoint_ports) {
        EndpointSpec spec;
        spec.name = std::string(1, letter++);
        spec.host = "127.0.0.1";
        spec.port = port;
        config.endpoints.push_back(std::move(spec));
    }
    return config;
}

Gateway::Gateway(config::Config config)
    : application_(std::make_unique<app::Application>(std::move(config))) {
    if (const auto failure = application_->start()) {
        throw std::runtime_error(failure->message);
    }
    data_port_ = application_->data_port();
    admin_port_ = application_->admin_port();
    thread_ = std::thread([this] { summary_ = application_->run(); });
}

Gateway::~Gateway() {
    if (thread_.joinable()) {
        application_->request_stop();
        application_->request_stop();
        thread_.join();
    }
}

app::RunSummary Gateway::wait() {
    thread_.join();
    return summary_;
}

std::string Gateway::admin(const std::string& target) const {
    RawClient client(admin_port_);
    client.send("GET " + target + " HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
    return client.read_response().body;
}

double Gateway::metric(const std::string& name, const std::vector<std::string>& labels) const {
    const std::string page = admin("/metrics");
    double sum = 0;
    for (std::size_t begin = 0; begin < page.size();) {
        const std::size_t end = std::min(page.find('\n', begin), page.size());
        const std::string_view line = std::string_view(page).substr(begin, end - begin);
        begin = end + 1;
        const bool named = line.starts_with(name) && line.size() > name.size() &&
                           (line[name.size()] == '{' || line[name.size()] == ' ');
        bool labelled = named;
        for (const std::string& label : labels) {
            labelled = labelled && line.find(label) != std::string_view::npos;
        }
        if (labelled) {
            const std::string_view text = line.substr(line.rfind(' ') + 1);
            double value = 0;
            std::from_chars(text.data(), text.data() + text.size(), value);
            sum += value;
        }
    }
    return sum;
}

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    return true;
}

}  // namespace warmlane::test
