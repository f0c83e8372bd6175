// What the backend says of every cell, one a line: target|operation|type|scope|native, emulated or refused|how.
// The last line counts the cells of the matrix, with their orders: matrix|existing|refused.
// Plain C++: the driver compiles it once for each backend.
#include <cstdio>
#include <fermata/native.hpp>

#include "../codegen/matrix_cells.hpp"

namespace fm = fermata;
using fm::atomic_op;
using fm::detail::type_class;

constexpr struct {
  char const* name;
  atomic_op op;
} operations[] = {{"load", atomic_op::load},
                  {"store", atomic_op::store},
                  {"exchange", atomic_op::exchange},
                  {"compare_exchange", atomic_op::compare_exchange},
                  {"fetch_add", atomic_op::fetch_add},
                  {"fetch_sub", atomic_op::fetch_sub},
                  {"fetch_and", atomic_op::fetch_and},
                  {"fetch_or", atomic_op::fetch_or},
                  {"fetch_xor", atomic_op::fetch_xor},
                  {"fetch_min", atomic_op::fetch_min},
                  {"fetch_max", atomic_op::fetch_max},
                  {"fetch_inc_wrap", atomic_op::fetch_inc_wrap},
                  {"fetch_dec_wrap", atomic_op::fetch_dec_wrap},
                  {"wait", atomic_op::wait}};
constexpr struct {
  char const* name;
  type_class type;
  unsigned bytes;
} types[] = {{"int8", type_class::signed_integer, 1},    {"uint8", type_class::unsigned_integer, 1},
             {"int16", type_class::signed_integer, 2},   {"uint16", type_class::unsigned_integer, 2},
             {"int32", type_class::signed_integer, 4},   {"uint32", type_class::unsigned_integer, 4},
             {"int64", type_class::signed_integer, 8},   {"uint64", type_class::unsigned_integer, 8},
             {"float", type_class::floating_point, 4},   {"double", type_class::floating_point, 8},
             {"half", type_class::half, 2},              {"bfloat16", type_class::bfloat16, 2},
             {"pointer", type_class::pointer, 8},        {"struct1", type_class::bits, 1},
             {"struct2", type_class::bits, 2},           {"struct4", type_class::bits, 4},
             {"struct8", type_class::bits, 8},           {"struct16", type_class::bits, 16}};
constexpr char const* scopes[] = {"thread", "wave", "block", "cluster", "device", "system"};

int main() {
  for (auto const& target : fm::backend::targets)
    for (auto const& op : operations)
      for (auto const& type : types)
        for (int s = 0; s < 6; ++s) {
          fm::detail::way way{fm::detail::support::refused, "refused"};
          if (fm::detail::takes(op.op, type.type, type.bytes))
            way = fm::backend::how(op.op, type.type, type.bytes, static_cast<fm::thread_scope>(s), target.value);
          constexpr char const* kinds[] = {"native", "emulated", "refused"};
          std::printf("%s|%s|%s|%s|%s|%s\n", target.name, op.name, type.name, scopes[s],
                      kinds[static_cast<int>(way.kind)], way.words);
        }
  std::printf("matrix|%u|%u\n", matrix::cells.existing, matrix::cells.refused);
}
