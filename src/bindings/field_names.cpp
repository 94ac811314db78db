// Prints, for TypeScript, each record's name with the name and place of each of its fields, and in
// JSON the parameters of each bias by distance and the lists that are learned. Only the build runs
// it: tools/package.mjs makes fields.js of it.
#include <cstdio>
#include <utility>

#include "bindings/attention_record.hpp"
#include "bindings/distance_schemes.hpp"

namespace {

using namespace ropewalk::bindings;

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

// What stands before the next member of a list or an object.
class Separator {
 public:
  explicit Separator(const char* first) : text_(first) {}
  const char* next() { return std::exchange(text_, ","); }

 private:
  const char* text_;
};

// Prints each parameter with the names of its values.
struct ParameterPrinter {
  Separator separator{"{"};

  void operator()(const char* name, auto&, std::initializer_list<const char*> values = {}) {
    std::printf("%s\"%s\":[", separator.next(), name);
    Separator comma("");
    for (const char* value : values) std::printf("%s\"%s\"", comma.next(), value);
    std::printf("]");
  }
};

// Prints the names of the parameters that are lists.
struct ListPrinter {
  Separator separator{"["};

  void operator()(const char* name, auto& field, std::initializer_list<const char*> = {}) {
    if constexpr (requires { field.size(); }) std::printf("%s\"%s\"", separator.next(), name);
  }
};

}  // namespace

int main() {
  print<AttentionRecord>("attention");
  std::printf("distanceSchemes ");
  Separator schemes("{"), learned("{");
  ropewalk::distance_schemes([&](const char* name, auto scheme) {
    std::printf("%s\"%s\":", schemes.next(), name);
    scheme.fields(ParameterPrinter());
    std::printf("}");
  });
  std::printf("}\nlearnedByDistance ");
  ropewalk::distance_schemes([&](const char* name, auto scheme) {
    if constexpr (requires { &decltype(scheme)::backward; }) {
      std::printf("%s\"%s\":", learned.next(), name);
      scheme.fields(ListPrinter());
      std::printf("]");
    }
  });
  std::puts("}");
}
