#include "warmlane/openai/model_list.hpp"

#include "openai/json_scanner.hpp"
#include "openai/scratch.hpp"

#include <deque>
#include <map>
#include <unordered_set>
#include <utility>

namespace warmlane::openai {
namespace {

using Model = EndpointStatus::Model;

constexpr std::size_t kModelsMax = 1'000;
constexpr std::size_t kDepthMax = 64;

/// Calls `take` with the value of the first member of that name; the others are skipped.
template <class Take>
void read_member(JsonScanner& json, Scratch& scratch, std::string_view name, Take take) {
    bool taken = false;
    std::string_view key;
    json.open();
    while (json.next_member(scratch, key)) {
        if (!taken && key == name) {
            taken = true;
            take();
        } else {
            json.skip();
        }
    }
}

/// One entry as it stands in the answer, with its id; the id is empty when it has none.
Model read_model(JsonScanner& json, Scratch& scratch) {
    Model model;
    if (json.kind() != JsonKind::object) {
        json.skip();
        return model;
    }
    const std::size_t begin = json.offset();
    read_member(json, scratch, "id", [&] {
        if (json.kind() == JsonKind::string) {
            model.id = json.read_string(scratch);
        } else {
            json.skip();
        }
    });
    if (!json.failed()) {
        model.json = json.since(begin);
    }
    return model;
}

}  // namespace

std::vector<Model> read_model_list(std::string_view body) {
    std::vector<Model> models;
    std::unordered_set<std::string> seen;
    std::deque<std::string> chunks;
    Scratch scratch(chunks);
    JsonScanner json(body, kDepthMax);
    if (json.kind() != JsonKind::object) {
        return models;
    }
    read_member(json, scratch, "data", [&] {
        if (json.kind() != JsonKind::list) {
            json.skip();
            return;
        }
        json.open();
        while (json.next_element()) {
            Model model = read_model(json, scratch);
            if (models.size() < kModelsMax && !model.id.empty() && seen.insert(model.id).second) {
                models.push_back(std::move(model));
            }
        }
    });
    json.finish();
    if (json.failed()) {
        models.clear();
    }
    return models;
}

std::string union_model_list(const PoolSnapshot& pool) {
    std::map<std::string_view, std::string_view> models;
    for (const EndpointStatus& status : pool.endpoints) {
        if (!status.takes_traffic() || status.models == nullptr) {
            continue;
        }
        for (const Model& model : *status.models) {
            models.try_emplace(model.id, model.json);
        }
    }
    std::string out = R"({"object":"list","data":[)";
    for (const auto& [id, json] : models) {
        out += out.back() == '[' ? "" : ",";
        out += json;
    }
    out += "]}";
    return out;
}

}  // namespace warmlane::openai
