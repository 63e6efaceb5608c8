#pragma once

#include "job.hpp"
#include "response_store.hpp"
#include "wire_text.hpp"

#include <memory>
#include <string>

namespace warmlane::sim {

/// The answer of the Responses API; when complete it is put into `responses`, which outlives it, with
/// `prompt` and the answer as its transcript.
std::unique_ptr<AnswerFormat> make_response_format(
    AnswerHeader header, Answer answer, std::string prompt, ResponseStore& responses
);

}  // namespace warmlane::sim
