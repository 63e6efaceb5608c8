#pragma once

#include "warmlane/http/head_parser.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::http::test {

/// Ways to deliver the same bytes, each as the sizes of its reads: whole, byte by byte, and cut at random.
inline std::vector<std::vector<std::size_t>> deliveries(std::size_t bytes, unsigned seed = 1) {
    std::vector<std::vector<std::size_t>> ways = {{bytes}, std::vector<std::size_t>(bytes, 1)};
    std::mt19937 random{seed};
    for (int i = 0; i < 4; ++i) {
        std::vector<std::size_t> reads;
        for (std::size_t left = bytes; left > 0;) {
            const std::size_t most = i % 2 == 0 ? 7 : bytes;
            const std::size_t read = std::uniform_int_distribution<std::size_t>{1, most}(random);
            reads.push_back(read < left ? read : left);
            left -= reads.back();
        }
        ways.push_back(std::move(reads));
    }
    return ways;
}

/// Feeds a growing prefix of `bytes` to `parse` until that has a verdict, or all of it was given.
template <class Parse>
HeadProgress parse_in_reads(std::string_view bytes, const std::vector<std::size_t>& reads, Parse parse) {
    HeadProgress progress = HeadProgress::incomplete;
    std::size_t given = 0;
    for (std::size_t read : reads) {
        given += read;
        progress = parse(bytes.substr(0, given));
        if (progress != HeadProgress::incomplete) {
            break;
        }
    }
    return progress;
}

}  // namespace warmlane::http::test
