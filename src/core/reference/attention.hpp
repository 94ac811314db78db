// softmax(scale q kT + bias) v of one head in double, with the whole score matrix in memory.
#pragma once

#include <functional>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk::reference {

struct AttentionResult {
  std::vector<std::vector<double>> scores, weights, output;
};

// bias(query, key) is added to the scaled score; -infinity hides the key. A row with no visible key
// is zero.
AttentionResult attend(ConstMatrixView q, ConstMatrixView k, ConstMatrixView v, double scale,
                       const std::function<double(std::size_t, std::size_t)>& bias);

}  // namespace ropewalk::reference
