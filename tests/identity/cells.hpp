// The atomic operations whose instructions are compared, in every order and scope that they have. Whoever includes
// this file defines CELL(operation, type, order, scope) before; it makes one kernel of each cell.
//
// Not here: what a backend emulates by a loop (types of one and two bytes, float minimum), where the hand-written twin
// would be the same loop; is_native tells which.

#define ALL_SCOPES(LIST) LIST(block) LIST(device) LIST(system)

#define LOADS(type, scope) \
  CELL(load, type, relaxed, scope) CELL(load, type, acquire, scope) CELL(load, type, seq_cst, scope)
#define STORES(type, scope) \
  CELL(store, type, relaxed, scope) CELL(store, type, release, scope) CELL(store, type, seq_cst, scope)
#define UPDATES(operation, type, scope)                                              \
  CELL(operation, type, relaxed, scope) CELL(operation, type, acquire, scope)        \
  CELL(operation, type, release, scope) CELL(operation, type, acq_rel, scope)        \
  CELL(operation, type, seq_cst, scope)

#define WORDS(scope)                                                                          \
  LOADS(u32, scope) LOADS(u64, scope) STORES(u32, scope) STORES(u64, scope)                   \
  UPDATES(exchange, u32, scope) UPDATES(exchange, u64, scope)                                 \
  UPDATES(compare_exchange, u32, scope) UPDATES(compare_exchange, u64, scope)                 \
  UPDATES(fetch_add, u32, scope) UPDATES(fetch_add, u64, scope) UPDATES(fetch_add, i32, scope)
#define BITS(scope)                                                                                        \
  CELL(fetch_and, u32, relaxed, scope) CELL(fetch_or, u32, acq_rel, scope) CELL(fetch_xor, u32, release, scope) \
  CELL(fetch_and, u64, relaxed, scope) CELL(fetch_or, u64, acq_rel, scope) CELL(fetch_xor, u64, release, scope) \
  CELL(fetch_sub, u32, relaxed, scope) CELL(fetch_sub, u64, acq_rel, scope)
#define LIMITS(scope)                                                                                      \
  CELL(fetch_min, u32, relaxed, scope) CELL(fetch_max, u32, acq_rel, scope) CELL(fetch_min, i32, relaxed, scope) \
  CELL(fetch_max, i32, acquire, scope) CELL(fetch_min, u64, relaxed, scope) CELL(fetch_max, u64, release, scope)
#define FLOATS(scope) CELL(fetch_add, f32, relaxed, scope) CELL(fetch_add, f64, release, scope)

ALL_SCOPES(WORDS)
ALL_SCOPES(BITS)
ALL_SCOPES(LIMITS)
ALL_SCOPES(FLOATS)
