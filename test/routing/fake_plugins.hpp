#pragma once

#include "warmlane/routing/plugin_registry.hpp"
#include "warmlane/routing/profile.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace warmlane::test {

/// What the fakes were asked to do, in order; cleared by the test that looks at it.
inline std::vector<std::string> journal;

/// Gives each endpoint the score that its name is listed with, 0 to the others.
class FakeScorer final : public routing::Scorer {
public:
    explicit FakeScorer(std::map<std::string, double> scores) : scores_(std::move(scores)) {}

    void score(
        const InferenceRequest& /*request*/,
        std::span<const routing::Candidate> candidates,
        std::span<double> scores
    ) const override {
        journal.emplace_back("score");
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto found = scores_.find(candidates[i].endpoint->name());
            scores[i] = found == scores_.end() ? 0.0 : found->second;
        }
    }

private:
    std::map<std::string, double> scores_;
};

/// Drops the endpoints of the names given.
class FakeFilter final : public routing::Filter {
public:
    explicit FakeFilter(std::vector<std::string> dropped) : dropped_(std::move(dropped)) {}

    void filter(const InferenceRequest& /*request*/, std::vector<routing::Candidate>& candidates) override {
        journal.emplace_back("filter");
        std::erase_if(candidates, [this](const routing::Candidate& candidate) {
            return std::find(dropped_.begin(), dropped_.end(), candidate.endpoint->name()) != dropped_.end();
        });
    }

private:
    std::vector<std::string> dropped_;
};

/// The highest total, the first of equals: no chance in it.
class FakePicker final : public routing::Picker {
public:
    void pick(std::vector<routing::ScoredCandidate>& candidates, routing::RandomEngine& /*random*/) override {
        journal.emplace_back("pick");
        std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
            return a.total != b.total ? a.total > b.total : a.index < b.index;
        });
    }
};

/// Gives every candidate the match 1/4 and counts what it is told of each endpoint.
class FakeProducer final : public routing::DataProducer {
public:
    explicit FakeProducer(std::string name) : name_(std::move(name)) {}

    bool gives_prefix_match() const override { return name_ == "prefix"; }
    void prepare(InferenceRequest& request) const override { request.model += "+" + name_; }
    void produce(const InferenceRequest& /*request*/, std::span<routing::Candidate> candidates) override {
        journal.push_back("produce " + name_);
        for (routing::Candidate& candidate : candidates) {
            candidate.prefix_match = {1, 4, 64};
        }
    }
    void on_picked(InferenceRequest& /*request*/, const Endpoint& endpoint) override {
        journal.push_back("picked " + name_ + " " + endpoint.name());
        ++blocks_[endpoint.name()];
    }
    void on_unpicked(const InferenceRequest& /*request*/, const Endpoint& endpoint) override {
        journal.push_back("unpicked " + name_ + " " + endpoint.name());
        --blocks_[endpoint.name()];
    }
    void forget(const Endpoint& endpoint) override {
        journal.push_back("forget " + name_ + " " + endpoint.name());
        blocks_.erase(endpoint.name());
    }
    std::size_t index_blocks(const Endpoint& endpoint) const override {
        const auto found = blocks_.find(endpoint.name());
        return found == blocks_.end() ? 0 : found->second;
    }
    std::size_t index_bytes() const override { return 100; }

private:
    std::string name_;
    std::map<std::string, std::size_t> blocks_;
};

/// Reads prefix matches of the producer that it is told, and scores nothing.
class FakePrefixScorer final : public routing::Scorer {
public:
    explicit FakePrefixScorer(std::string producer) : producer_(std::move(producer)) {}
    std::optional<std::string> prefix_producer() const override { return producer_; }
    void score(
        const InferenceRequest& /*request*/,
        std::span<const routing::Candidate> /*candidates*/,
        std::span<double> /*scores*/
    ) const override {}

private:
    std::string producer_;
};

/// The first profile for requests without a model, the last for the others.
class FakeHandler final : public routing::ProfileHandler {
public:
    explicit FakeHandler(std::size_t profiles_max) : profiles_max_(profiles_max) {}
    std::size_t profiles_max() const override { return profiles_max_; }
    std::size_t choose(const InferenceRequest& request, std::span<const routing::SchedulingProfile> profiles)
        const override {
        return request.model.empty() ? 0 : profiles.size() - 1;
    }

private:
    std::size_t profiles_max_;
};

/// The fakes as plugin types, under the names that the builder completes configurations with where it needs
/// them.
const routing::PluginRegistry& fake_registry();

}  // namespace warmlane::test
