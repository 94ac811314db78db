// The specification of biases by distance, in plain formulas in double. Tests compare the core with
// it; it does not ship and shares no code with the core.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk::reference {

// Slope of head 0 ... heads - 1 as the authors' recursion defines it.
std::vector<double> alibi_slopes(std::size_t heads);

// T5's bucket of key - query, as the authors' code computes it.
int t5_bucket(long relative_position, bool bidirectional, int buckets, int max_distance);

// -r1 ln(1 + r2 d) and -r1 d^r2.
double kerple_log(double r1, double r2, double distance);
double kerple_power(double r1, double r2, double distance);

// Sum of cos(d 10000^(-2i / dim)) over i = 0 ... dim/2 - 1, divided by 8 (head + 1) / heads.
double sandwich(double distance, std::size_t dim, std::size_t head, std::size_t heads);

// The input of FIRE's network for query m and key n.
double fire_input(double m, double n, double c, double threshold, double epsilon);

// DeBERTa-v2's bucket of query - key.
int deberta_bucket(long relative_position, int buckets, int max_distance);

}  // namespace ropewalk::reference
