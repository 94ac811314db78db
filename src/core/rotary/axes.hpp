// Rotary positions with several axes: the axis and frequency of each pair, and the positions of the
// tokens of an image or a video.
//
// 2-D rotary of vision encoders: Qwen2-VL, Pixtral, Llama 4, DINOv3 (Hugging Face modeling files).
// M-RoPE: Wang et al. 2024, Qwen2-VL, section 2.1; interleaved in Qwen3-VL.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ropewalk {

struct AxialFrequencies {
  std::vector<double> frequencies;
  std::vector<std::size_t> axis_of_pair;
};

// How the frequencies of a head are divided among its axes. The pairs of an axis are consecutive.
enum class AxialSplit {
  repeated,     // each axis has its own: base^(-2i / (dim / axes)) (Qwen2-VL, Llama 4, DINOv3)
  interleaved,  // those of the whole head, base^(-2i / dim): pair i belongs to axis i mod axes
                // (Pixtral)
};

// Throws std::invalid_argument unless dim is even (interleaved) or a multiple of 2 * axes
// (repeated), axes is positive, and base positive and finite.
AxialFrequencies axial_frequencies(std::size_t dim, std::size_t axes, double base,
                                   AxialSplit split);

enum class SectionOrder {
  consecutive,  // the first sections[0] pairs belong to axis 0, the next sections[1] to axis 1, ...
  interleaved,  // axes alternate, pair by pair: 0 1 2 0 1 2 ...; when a section is used up, axis 0
};

// axis_of_pair of M-RoPE. Interleaved, pair i belongs to axis a = i mod axes as long as
// i < axes * sections[a], else to axis 0. Throws unless the sections add up to pairs.
std::vector<std::size_t> section_axes(std::size_t pairs, std::span<const std::size_t> sections,
                                      SectionOrder order);

// Frequencies for pixels, pi * (1 ... max_frequency / 2 in dim/2 even steps), with positions from
// -1 to 1 (rotary-embedding-torch, freqs_for = 'pixel').
std::vector<double> pixel_frequencies(std::size_t dim, double max_frequency);

// The positions of the cells of one row or column.
enum class GridCoordinate {
  index,   // 0 ... n - 1
  number,  // 1 ... n, so that no cell is at the origin
  center,  // centers of n equal cells of [-1, 1]: (2i + 1) / n - 1
  edge,    // from -1 to 1, ends included; -1 for one cell
};

struct GridOptions {
  std::size_t frames = 1, height = 1, width = 1;
  GridCoordinate coordinate = GridCoordinate::index;
  bool is_column_first = false;       // axis 0 is the column (x), not the row (y)
  std::size_t block = 1;              // side of the squares in which cells are ordered (Qwen2-VL)
  std::size_t before = 0, after = 0;  // tokens at the origin: a class token, registers
};

// before + frames * height * width + after. Throws std::invalid_argument on an extent of 0 or a
// block that does not divide height and width.
std::size_t grid_tokens(const GridOptions& options);

// Two axes x grid_tokens positions. A token at the origin is not rotated.
void grid_positions(const GridOptions& options, std::span<double> positions);

}  // namespace ropewalk
