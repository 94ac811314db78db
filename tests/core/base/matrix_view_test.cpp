#include "base/matrix_view.hpp"

#include <catch_amalgamated.hpp>

using namespace ropewalk;

TEST_CASE("rows of a view stand a stride apart and are as wide as its columns") {
  float values[] = {0, 1, 2, 3, 4, 5, 6, 7};
  const MatrixView view(values, 2, 3, 5);
  CHECK(view.row(0).size() == 3);
  CHECK(view.row(1).data() == values + 5);
  view.row(1)[2] = 70;
  CHECK(values[7] == 70);
  const ConstMatrixView read_only = view;
  CHECK(read_only.row(1)[2] == 70);
  CHECK(read_only.stride == 5);
}

TEST_CASE("a stride of 0 repeats one row, and the plain view is dense") {
  float values[] = {1, 2};
  const ConstMatrixView repeated(values, 1000, 2, 0);
  CHECK(repeated.row(999).data() == values);
  CHECK(ConstMatrixView(values, 1, 2).stride == 2);
  CHECK(ConstMatrixView().data == nullptr);
}
