// Prints each record's name, and the name and place of each of its fields. Only the build runs it:
// tools/package.mjs makes fields.js of it.
#include <cstdio>

#include "bindings/attention_record.hpp"

namespace {

template <class Record>
void print(const char* name) {
  Record record;
  const auto* const first = reinterpret_cast<const double*>(&record);
  std::printf("%s", name);
  fields(record, [&](const char* field, const double& number) {
    std::printf(" %s %d", field, static_cast<int>(&number - first));
  });
  std::puts("");
}

}  // namespace

int main() { print<ropewalk::bindings::AttentionRecord>("attention"); }
