// Prints, for TypeScript, the place of each field in a record, and the parameters of each bias by
// distance: a line each, a name and its value in JSON. Only the build runs it: tools/package.mjs
// makes fields.js of it.
#include <cstdio>

#include "bindings/attention_record.hpp"
#include "bindings/distance_schemes.hpp"

namespace {

using namespace ropewalk::bindings;

// Prints the names of an object's members; the first one opens it.
struct ObjectPrinter {
  const char* separator = "{";

  void begin(const char* name) {
    std::printf("%s\"%s\":", separator, name);
    separator = ",";
  }
};

// Prints the kind of each parameter: a number, the names of its values, or a list.
struct KindPrinter {
  ObjectPrinter object;

  template <class Value>
  void operator()(const char* name, Value&, std::initializer_list<const char*> values = {}) {
    object.begin(name);
    if (values.size() == 0) std::printf("\"number\"");
    for (const char* const& value : values)
      std::printf("%s\"%s\"", &value == values.begin() ? "[" : ",", value);
    if (values.size() > 0) std::printf("]");
  }
  void operator()(const char* name, std::span<const double>&) {
    object.begin(name);
    std::printf("\"doubles\"");
  }
  void operator()(const char* name, std::span<const float>&) {
    object.begin(name);
    std::printf("\"floats\"");
  }
};

template <class Record>
void print_places(const char* name) {
  Record record;
  const auto* const first = reinterpret_cast<const double*>(&record);
  std::printf("%s ", name);
  ObjectPrinter object;
  fields(record, [&](const char* field, const double& number) {
    object.begin(field);
    std::printf("%d", static_cast<int>(&number - first));
  });
  std::puts("}");
}

}  // namespace

int main() {
  print_places<AttentionRecord>("attentionFields");
  std::printf("distanceSchemes ");
  ObjectPrinter object;
  distance_schemes([&](const char* name, auto scheme) {
    object.begin(name);
    fields(scheme, KindPrinter{});
    std::printf("}");
  });
  std::puts("}");
}
