// Relative positions in a window of height x width tokens, row by row.
//
// Swin (Liu et al. 2021, equation 4): a table with (2 height - 1)(2 width - 1) rows, one for each
//   displacement (dy, dx) = query - key: (dy + height - 1)(2 width - 1) + dx + width - 1.
// BEiT (Bao et al. 2022, the authors' code): the same with a class token in front and three rows
//   more: class to token, token to class, class to class.
// Swin v2 (Liu et al. 2022, equations 3 and 4): the table is made by a network from log-spaced
//   coordinates, 16 sigmoid(network(sign(c) log2(|c| + 1) / log2(8))), c = 8 displacement / reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/matrix_view.hpp"
#include "bias/network.hpp"

namespace ropewalk {

struct WindowSize {
  std::size_t height = 0, width = 0;
};

// Rows of a table that covers every displacement, without and with BEiT's class token.
std::size_t window_table_rows(WindowSize window, bool class_token);

// The row that each pair reads: tokens x tokens, tokens = height * width, + 1 with a class token.
// Throws std::invalid_argument on an empty window or one of more than 2^15 tokens.
std::vector<std::int32_t> window_indices(WindowSize window, bool class_token = false);

// Swin v2's network inputs: (2 height - 1)(2 width - 1) pairs (y, x).
//
// The reach is that of the window the network was trained on, minus 1; without one (0 x 0), that of
// the window itself. As in transformers 5, a window of height 1 is then not normalised at all.
// Throws std::invalid_argument on a pretrained window with a side of 1, or with one side 0.
std::vector<double> swin_v2_coordinates(WindowSize window, WindowSize pretrained = {});

// Swin v2's table, rows x heads, from its coordinates. network takes 2 inputs.
void swin_v2_table(MatrixView table, std::span<const double> coordinates,
                   const BiasNetwork& network);

// bias, (heads * tokens) x tokens, gathered from table, rows x heads.
void gather_window_bias(MatrixView bias, ConstMatrixView table,
                        std::span<const std::int32_t> indices);

}  // namespace ropewalk
