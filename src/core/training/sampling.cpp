#include "training/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {

std::size_t sample(std::span<const float> logits, const Sampling& sampling, Random& random) {
  require(!logits.empty(), "sample: logits must have at least 1 value, got 0");
  require(sampling.temperature >= 0.0 && std::isfinite(sampling.temperature),
          "sample: temperature must be at least 0 and finite, got ", sampling.temperature);
  require(sampling.top_p > 0.0 && sampling.top_p <= 1.0,
          "sample: top_p must be above 0 and at most 1, got ", sampling.top_p);
  for (const float logit : logits)
    require(std::isfinite(logit), "sample: logits must be finite, got ", logit);
  const auto largest = std::ranges::max_element(logits);
  if (sampling.temperature == 0.0) return static_cast<std::size_t>(largest - logits.begin());

  struct Candidate {
    double weight;
    std::size_t token;
  };
  std::vector<Candidate> candidates(logits.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double difference = double(logits[i]) - double(*largest);
    candidates[i] = {portable::exp(difference / sampling.temperature), i};
    sum += candidates[i].weight;
  }
  if (sampling.top_p < 1.0) {
    // Equal weights in the order of tokens, so that every build chooses alike.
    std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
    });
    const double wanted = sampling.top_p * sum;
    std::size_t count = 0;
    for (sum = 0.0; count < candidates.size() && (count == 0 || sum < wanted); ++count)
      sum += candidates[count].weight;
    candidates.resize(count);
  }
  double left = random.uniform() * sum;
  for (const Candidate& candidate : candidates) {
    left -= candidate.weight;
    if (left < 0.0) return candidate.token;
  }
  return candidates.back().token;  // what rounding leaves
}

}  // namespace ropewalk
