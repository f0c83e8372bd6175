#include "plain_fibers.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <vector>

namespace executor {
namespace {

namespace context = boost::context::detail;

struct fiber {
  context::fcontext_t at = nullptr;
  boost::context::stack_context stack;
  unsigned barriers = 0;
};

void body(context::transfer_t from) {
  auto const* const self = static_cast<fiber*>(from.data);
  for (unsigned i = 0; i < self->barriers; ++i) from = context::jump_fcontext(from.fctx, nullptr);
  context::jump_fcontext(from.fctx, nullptr);
}

}  // namespace

void run_plain_fibers(unsigned blocks, unsigned threads, unsigned barriers) {
  boost::context::fixedsize_stack allocator(64 * 1024);
  std::vector<fiber> fibers(threads);
  for (fiber& f : fibers) f.stack = allocator.allocate();
  for (unsigned b = 0; b < blocks; ++b) {
    for (fiber& f : fibers) {
      f.barriers = barriers;
      f.at = context::make_fcontext(f.stack.sp, f.stack.size, body);
    }
    // The last round ends the fibers.
    for (unsigned round = 0; round <= barriers; ++round)
      for (fiber& f : fibers) f.at = context::jump_fcontext(f.at, &f).fctx;
  }
  for (fiber& f : fibers) allocator.deallocate(f.stack);
}

}  // namespace executor
