// Published numbers of the schemes that read positions from the text. Their formulas and gradients
// are compared with doubles in fuzz/core/text_bias_cases.cpp and text_product_cases.cpp.
#include <catch_amalgamated.hpp>

#include "attention/attention.hpp"
#include "attention/scratch.hpp"
#include "content/grape.hpp"
#include "content/path.hpp"
#include "content/selective.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("one token's matrix has the product of the printed check") {
  const std::vector<float> q{1, 2}, w{.6f, .8f, 1, 0}, betas{1, 1};
  Matrix keys(1, 2, std::vector<float>{3, -1});
  path_update_keys(keys.view(), std::span(w).first(2), betas[0]);
  CHECK_THAT(keys.at(0, 0) + 2 * keys.at(0, 1), WithinAbs(-1.2, 1e-6));
  path_update_keys(keys.view(), std::span(w).last(2), betas[1]);
  CHECK_THAT(keys.at(0, 0) + 2 * keys.at(0, 1), WithinAbs(-3.6, 1e-6));
}

TEST_CASE("Wall rejects gates that grow") {
  CHECK_THROWS_MATCHES(wall_sums(std::vector{.1f}, 1, 1, PrefixTerm::number), std::invalid_argument,
                       Catch::Matchers::MessageMatches(
                           Catch::Matchers::ContainsSubstring("must be finite and at most 0")));
}

TEST_CASE("GRAPE-A's gate of a zero product has the printed slope") {
  std::vector<float> gate(1);
  slope_gates(gate, Matrix(1, 4).view(), std::vector<float>(4), 1.0f);
  CHECK_THAT(-3 * .5 * gate[0], WithinAbs(-1.039720771, 1e-7));
}

TEST_CASE("scores of 0 break the stick in halves") {
  const Matrix zeros(4, 5);
  AttentionCall call;
  call.shape = {1, 1, 1, 4, 4, 5, 5};
  call.q = call.k = call.v = HeadsView::contiguous(zeros.values.data(), 1, 4, 5);
  call.band.lookahead = 0;
  call.weighting = stick_breaking_step;
  const OwnKeyMask mask;
  const ScoreModifier* modifiers[] = {&mask};
  call.modifiers = modifiers;
  std::vector<float> output(4 * 5), weights(4 * 4), remainders(4);
  AttentionScratch scratch;
  attend(call, {.output = output.data(), .weights = weights.data(), .remainder = remainders.data()},
         scratch);
  const float last[] = {.125f, .25f, .5f, 0};
  for (std::size_t n = 0; n < 4; ++n) CHECK_THAT(weights[12 + n], WithinAbs(last[n], 1e-6));
  CHECK_THAT(remainders[3], WithinAbs(.125, 1e-6));
  CHECK(remainders[0] == 1.0f);
}

TEST_CASE("selective attention subtracts what earlier queries gave a key") {
  Matrix bias(3, 3);
  const Matrix gates(3, 3, std::vector<float>{9, 9, 9, 1, 2, 9, 4, -5, 6});
  selective_bias(bias.view(), gates.view(), false);
  CHECK(bias.values == std::vector<float>{0, 0, 0, 0, -9, -9, -1, -9, -18});
  Matrix spared(3, 3);
  selective_bias(spared.view(), gates.view(), true);
  CHECK(spared.values == std::vector<float>{0, 0, 0, 0, -9, -9, 0, -9, -18});
}

TEST_CASE("selective attention gives the scores that mask the sums of what they masked") {
  const Matrix gates(3, 4, std::vector<float>{9, 9, 9, 9, -1, 2, 9, 9, 4, 5, 6, 9});
  const Matrix d_bias(3, 4, std::vector<float>{1, 1, 1, 1, 10, 20, 30, 40, 500, 600, 700, 800});
  Matrix d_gates(3, 4);
  selective_bias_backward(d_gates.view(), d_bias.view(), gates.view(), false);
  CHECK(d_gates.values == std::vector<float>{-510, 0, -730, -840, 0, -600, 0, -800, 0, 0, 0, 0});
  selective_bias_backward(d_gates.view(), d_bias.view(), gates.view(), true);
  CHECK(d_gates.values ==
        std::vector<float>{-1020, 0, -1460, -1680, 0, -600, 0, -1600, 0, 0, 0, 0});
}
