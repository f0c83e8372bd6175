// What the threads of a block wait for, in words.
#include <array>
#include <charconv>

#include "block.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

char const* to_text(barrier_kind kind) noexcept {
  switch (kind) {
    case barrier_kind::sync:
      return "this_block().sync()";
    case barrier_kind::count:
      return "this_block().sync_count()";
    case barrier_kind::all:
      return "this_block().sync_and()";
    case barrier_kind::any:
      return "this_block().sync_or()";
    case barrier_kind::grid:
      return "this_grid().sync()";
  }
  return "a barrier";
}

char const* to_text(wave_request const& request) noexcept {
  switch (request.operation) {
    case wave_operation::sync:
      return "this_wave().sync()";
    case wave_operation::any:
      return "this_wave().any()";
    case wave_operation::all:
      return "this_wave().all()";
    case wave_operation::ballot:
      return "this_wave().ballot()";
    case wave_operation::fold:
      return "this_wave().reduce()";
    case wave_operation::shuffle:
      break;
  }
  switch (request.how) {
    case shuffle::from:
      return "this_wave().shfl()";
    case shuffle::up:
      return "this_wave().shfl_up()";
    case shuffle::down:
      return "this_wave().shfl_down()";
    case shuffle::exclusive_or:
      return "this_wave().shfl_xor()";
    case shuffle::broadcast:
      return "this_wave().broadcast()";
  }
  return "a wave operation";
}

char const* to_text(thread_scope scope) noexcept {
  switch (scope) {
    case thread_scope::thread:
      return "thread";
    case thread_scope::wave:
      return "wave";
    case thread_scope::block:
      return "block";
    case thread_scope::cluster:
      return "cluster";
    case thread_scope::device:
      return "device";
    case thread_scope::system:
      return "system";
  }
  return "unknown";
}

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  char const* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(static_cast<char const*>(digits.data()), end);
}

std::string word(void const* address, unsigned bytes, thread_scope scope, std::uint64_t seen) {
  std::string const what = bytes == 16 ? "the 16 bytes" : "the " + std::to_string(bytes) + "-byte word";
  // Of sixteen bytes only a hash is known.
  std::string const value = bytes == 16 ? "" : ", last seen as " + hexadecimal(seen);
  return what + " at " + hexadecimal(reinterpret_cast<std::uintptr_t>(address)) + " (" + to_text(scope) + " scope)" +
         value;
}

}  // namespace

std::string block::name() const { return host::to_text(index_); }

waiters block::who_waits() const {
  waiters result;
  for (lane const& l : lanes_) {
    std::string text = "block " + name() + ", wave " + std::to_string(l.own_wave - waves_.data()) + ", lane " +
                       std::to_string(l.place);
    if (l.state == lane_state::watching)
      text += ": waits for " + word(l.watched.address, l.watched.bytes, l.watched.scope, l.watched.seen);
    else if (l.state == lane_state::runnable && l.reads.spinning())
      text += ": reads again and again " +
              word(l.reads.last_address(), l.reads.last_bytes(), l.reads.last_scope(), l.reads.last_value());
    else
      continue;
    result.emplace(std::pair{waiter::for_word, number_}, std::move(text));
  }
  if (std::string const others = waits_in_barriers(); !others.empty())
    result.emplace(std::pair{waiter::for_lanes, number_}, "block " + name() + ": " + others);
  return result;
}

void block::fail_mixed_wave_operation(lane const& l) {
  launch_->fail(errc::barrier_misuse,
                "barrier misuse in block " + name() + ": lane " + std::to_string(l.place) + " of wave " +
                    std::to_string(l.own_wave - waves_.data()) + " calls " + to_text(l.request) + ", but " +
                    waits_in_barriers() +
                    "; all live lanes of a wave must call the same operation, of the same type, together.");
}

void block::fail_mixed_barrier(lane const& l) {
  launch_->fail(errc::barrier_misuse, "barrier misuse in block " + name() + ": thread " + host::to_text(l.index) +
                                          " calls a different barrier than the threads that wait: " +
                                          waits_in_barriers() + "; all threads of a block must call the same one.");
}

void block::fail_exited_at_barrier() {
  launch_->fail(errc::barrier_misuse, "barrier misuse in block " + name() +
                                          ": exited thread at barrier: " + waits_in_barriers() +
                                          "; every thread of the block must reach every barrier.");
}

std::string block::waits_in_barriers() const {
  std::string text;
  auto add = [&text](std::string const& part) { text += (text.empty() ? "" : ", ") + part; };
  if (at_barrier_ != 0)
    add(std::to_string(at_barrier_) + " of " + std::to_string(lanes_.size()) + " threads wait at " + to_text(barrier_));
  constexpr unsigned most_waves = 4;
  unsigned named = 0;
  for (wave const& w : waves_) {
    if (w.arrived == 0) continue;
    if (++named > most_waves) {
      add("more in other waves");
      break;
    }
    lane const* waiting = w.first;
    while (waiting->state != lane_state::in_wave) ++waiting;
    add(std::to_string(w.arrived) + " of the " + std::to_string(w.live) + " live lanes of wave " +
        std::to_string(&w - waves_.data()) + " wait at " + to_text(waiting->request));
  }
  if (returned_ != 0 && returned_ != lanes_.size())
    add(std::to_string(returned_) + " threads have returned from the kernel");
  return text;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
