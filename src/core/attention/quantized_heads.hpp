// Keys and values in fewer bits in place of floats, for decoding with a long cache.
#pragma once

#include "attention/product_scheme.hpp"
#include "kernels/quantized_rows.hpp"

namespace ropewalk {

// An interface, so that only who has such values links their kernels.
class StoredValues {
 public:
  // out += weights * values. A row is one of all batches and heads; weights says how many follow.
  virtual void accumulate(MatrixView out, ConstMatrixView weights, std::size_t first_row) const = 0;

 protected:
  ~StoredValues() = default;
};

class QuantizedValues final : public StoredValues {
 public:
  explicit QuantizedValues(const ConstQuantizedRows& rows) : rows_(rows) {}

  void accumulate(MatrixView out, ConstMatrixView weights, std::size_t first_row) const override;

 private:
  ConstQuantizedRows rows_;
};

// scale q kT. Keys are stored as they are scored, so a call has no rotary.
class QuantizedKeys final : public ProductScheme {
 public:
  QuantizedKeys(const ConstQuantizedRows& rows, const AttentionCall& call)
      : ProductScheme(call), rows_(rows) {}

  void check() const override {}
  void fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) override;
  bool has_gradient() const override { return false; }
  void backward(ConstMatrixView, const GroupTiles&, const Tile&, MatrixView, MatrixView) override {}

 private:
  ConstQuantizedRows rows_;
};

}  // namespace ropewalk
