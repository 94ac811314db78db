// A number as the unevaluated sum of two doubles, good to about 31 digits (Dekker 1971, Knuth).
// Needs -ffp-contract=off; |values| below 2^900.
#pragma once

namespace ropewalk {

struct DoubleDouble {
  double head = 0, tail = 0;  // |tail| <= ulp(head) / 2
};

// The rounding error of a + b, for any a and b.
inline double sum_error(double a, double b, double sum) {
  const double part = sum - a;
  return (a - (sum - part)) + (b - part);
}

// The rounding error of a * b: both are split into halves whose products are exact.
inline double product_error(double a, double b, double product) {
  constexpr double splitter = 134217729.0;  // 2^27 + 1
  const double a_high = splitter * a - (splitter * a - a), a_low = a - a_high;
  const double b_high = splitter * b - (splitter * b - b), b_low = b - b_high;
  return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

inline DoubleDouble normalized(double head, double tail) {
  const double sum = head + tail;
  return {sum, tail - (sum - head)};
}

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const double head = a.head * b.head;
  return normalized(head,
                    product_error(a.head, b.head, head) + (a.head * b.tail + a.tail * b.head));
}

}  // namespace ropewalk
