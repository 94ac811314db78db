#include "base/require.hpp"

#include <cmath>
#include <numbers>

#include "base/elementary.hpp"

namespace ropewalk {
namespace {

// printf's %.10g, written out: printf alone would be a twelfth of the wasm binary.
class NumberText {
 public:
  NumberText(std::string& text, double value) : text_(text) {
    if (value < 0) put('-');
    value = std::abs(value);
    if (std::isnan(value)) {
      put("nan");
    } else if (std::isinf(value)) {
      put("inf");
    } else if (value == 0) {
      put('0');
    } else {
      put_finite(value);
    }
  }

 private:
  void put_finite(double value) {
    int exponent = static_cast<int>(std::floor(portable::log(value) * std::numbers::log10e));
    const int up = 9 - exponent;  // in two steps, since 10^323 is more than a double holds
    double scaled =
        std::round(value * portable::pow(10.0, up / 2) * portable::pow(10.0, up - up / 2));
    if (scaled >= 1e10) {  // 9.9999999999 rounds up to one digit more
      scaled /= 10;
      ++exponent;
    }
    const bool is_scientific = exponent < -4 || exponent >= 10;
    put_digits(static_cast<long long>(scaled), is_scientific ? 0 : exponent);
    if (!is_scientific) return;
    put(exponent < 0 ? "e-" : "e+");
    exponent = std::abs(exponent);
    if (exponent >= 100) put(static_cast<char>('0' + exponent / 100));
    put(static_cast<char>('0' + exponent / 10 % 10));
    put(static_cast<char>('0' + exponent % 10));
  }

  void put(auto letters) { text_ += letters; }

  // Ten digits with a point after number `point`, less the zeros at the end of a fraction.
  void put_digits(long long digits, int point) {
    for (int i = point; i < 0; ++i) put(i == point ? "0." : "0");
    long long unit = 1'000'000'000;
    for (int i = 0; i <= point || digits > 0; ++i, unit /= 10) {
      if (i == point + 1 && point >= 0) put('.');
      put(static_cast<char>('0' + digits / unit));
      digits %= unit;
    }
  }

  std::string& text_;
};

}  // namespace

std::string text_of(double number) {
  std::string text;
  NumberText(text, number);
  return text;
}

void throw_invalid(const MessagePart* parts, std::size_t count, unsigned number_mask) {
  std::string message;
  for (std::size_t i = 0; i < count; ++i) {
    if (number_mask >> i & 1) {
      NumberText(message, parts[i].number);
    } else {
      message += parts[i].words;
    }
  }
  throw std::invalid_argument(message);
}

void throw_invalid(const char* a, double x) {
  const MessagePart list[] = {a, x};
  throw_invalid(list, 2, 0b10);
}

void throw_invalid(const char* a, double x, const char* b, double y) {
  const MessagePart list[] = {a, x, b, y};
  throw_invalid(list, 4, 0b1010);
}

void throw_invalid(const char* a, double x, const char* b, double y, const char* c, double z) {
  const MessagePart list[] = {a, x, b, y, c, z};
  throw_invalid(list, 6, 0b101010);
}

void throw_invalid(const char* a, double x, const char* b, double y, const char* c, double z,
                   const char* d, double w) {
  const MessagePart list[] = {a, x, b, y, c, z, d, w};
  throw_invalid(list, 8, 0b10101010);
}

void require_positive(const char* what, double value) {
  require(value > 0.0 && std::isfinite(value), what, " must be positive and finite, got ", value);
}

void require_at_least(const char* what, double least, double value) {
  require(value >= least && std::isfinite(value), what, " must be at least ", least,
          " and finite, got ", value);
}

void require_even(const char* what, std::size_t value) {
  require(value > 0 && value % 2 == 0, what, " must be even and positive, got ", value);
}

void require_shape(const char* what, ConstMatrixView matrix, std::size_t rows, std::size_t cols) {
  require(matrix.rows == rows && matrix.cols == cols, what, " must be ", rows, " x ", cols,
          ", got ", matrix.rows, " x ", matrix.cols);
}

}  // namespace ropewalk
