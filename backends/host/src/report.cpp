// What the threads of a block wait for, in words.

#include "block.hpp"
#include "check/checking.hpp"
#include "check/structure.hpp"
#include "text.hpp"

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
    case barrier_kind::split:
      return "this_block().wait()";
    case barrier_kind::cluster:
      return "the barrier of this_cluster()";
    case barrier_kind::grid:
      return "this_grid().sync()";
  }
  return "a barrier";
}

char const* member_name(wave_request const& request) noexcept {
  switch (request.operation) {
    case wave_operation::sync:
      return "sync()";
    case wave_operation::any:
      return "any()";
    case wave_operation::all:
      return "all()";
    case wave_operation::ballot:
      return "ballot()";
    case wave_operation::match_any:
      return "match_any()";
    case wave_operation::match_all:
      return "match_all()";
    case wave_operation::fold:
      return "reduce() or a scan";
    case wave_operation::shuffle:
      break;
  }
  switch (request.how) {
    case shuffle::from:
      return "shfl()";
    case shuffle::up:
      return "shfl_up()";
    case shuffle::down:
      return "shfl_down()";
    case shuffle::exclusive_or:
      return "shfl_xor()";
    case shuffle::broadcast:
      return "broadcast()";
  }
  return "an operation";
}

// Lanes as text: 0-3, 8.
std::string lanes_to_text(lane_word lanes) {
  if (lanes == 0) return "none";
  std::string text;
  while (lanes != 0) {
    unsigned const first = lowest_bit(lanes);
    unsigned last = first;
    while (last < 63 && (lanes >> (last + 1) & 1) != 0) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last != first) text += "-" + std::to_string(last);
    lanes &= last == 63 ? 0 : ~lane_word{0} << (last + 1);
  }
  return text;
}

// Tiles and the lanes of a mask are the same thing here, so that both are called groups.
std::string to_text(wave_request const& request) {
  if (request.members == whole_wave) return std::string("this_wave().") + member_name(request);
  return std::string(member_name(request)) + " of the group of lanes " + lanes_to_text(request.members);
}

std::string word(void const* address, unsigned bytes, thread_scope scope, std::uint64_t seen) {
  std::string const what = bytes == 16 ? "the 16 bytes" : "the " + std::to_string(bytes) + "-byte word";
  // Of sixteen bytes only a hash is known.
  std::string const value = bytes == 16 ? "" : ", last seen as " + hexadecimal(seen);
  return what + " at " + hexadecimal(reinterpret_cast<std::uintptr_t>(address)) + " (" + scope_name(scope) + " scope)" +
         value;
}

}  // namespace

std::string block::name() const { return host::to_text(index_); }

std::string block::wait_of(lane const& l) const {
  switch (l.state) {
    case lane_state::watching:
      return "waits for " + word(l.watched.address, l.watched.bytes, l.watched.scope, l.watched.seen);
    case lane_state::in_wave:
      return "waits at " + to_text(l.request);
    case lane_state::asking:
      return "waits at active_lanes()";
    case lane_state::in_block:
      return std::string("waits at ") + to_text(barrier_);
    case lane_state::returned:
      return "has returned from the kernel";
    case lane_state::runnable:
      if (l.reads.spinning())
        return "reads again and again " +
               word(l.reads.last_address(), l.reads.last_bytes(), l.reads.last_scope(), l.reads.last_value());
      break;
    case lane_state::abandoned:
      break;
  }
  return {};
}

waiters block::who_waits() const {
  waiters result;
  for (lane const& l : lanes_) {
    if (l.state != lane_state::watching && l.state != lane_state::runnable) continue;
    std::string const wait = wait_of(l);
    if (wait.empty()) continue;
    result.emplace(std::pair{waiter::for_word, number_}, "block " + name() + ", wave " +
                                                             std::to_string(l.own_wave - waves_.data()) + ", lane " +
                                                             std::to_string(l.place) + ": " + wait);
  }
  if (std::string const others = waits_in_barriers(); !others.empty())
    result.emplace(std::pair{waiter::for_lanes, number_}, "block " + name() + ": " + others);
  return result;
}

void block::misuse(finding_kind kind, std::string message, std::vector<lane const*> const& who) {
  if constexpr (checking) check::report_misuse(*this, kind, message, who);
  launch_->fail(errc::barrier_misuse, std::move(message));
}

std::string block::misuse_by(lane const& l) const {
  return "barrier misuse in block " + name() + ": lane " + std::to_string(l.place) + " of wave " +
         std::to_string(l.own_wave - waves_.data());
}

// The first lane in the state; null if there is none.
lane const* block::first_in(lane_state state) const noexcept {
  for (lane const& l : lanes_)
    if (l.state == state) return &l;
  return nullptr;
}

void block::fail_mixed_wave_operation(lane const& l, gathering const& other) {
  bool const whole = other.members == whole_wave && l.request.members == whole_wave;
  misuse(whole ? finding_kind::wave_divergence : finding_kind::mask_mismatch,
         misuse_by(l) + " calls " + to_text(l.request) + ", but " + waits_in_barriers() +
             (whole ? "; all live lanes of a wave must call the same operation, of the same type, together."
                    : "; lanes that wait for each other must call the same operation, of the same type, with "
                      "the same group."),
         {&l, l.own_wave->first + lowest_bit(other.here)});
}

void block::fail_wrong_members(lane const& l) {
  lane_word const members = l.request.members, exist = ~lane_word{0} >> (64 - l.own_wave->lanes);
  std::string why;
  if ((members >> l.place & 1) == 0)
    why = "; the caller is not one of them";
  else if ((members & ~exist) != 0)
    why = "; the wave has no lanes " + lanes_to_text(members & ~exist) +
          ". (A tile needs all of its lanes: a block that is a multiple of its size.)";
  else
    why = "; lanes " + lanes_to_text(members & ~l.own_wave->live) + " have returned from the kernel";
  misuse(finding_kind::mask_mismatch, misuse_by(l) + " calls " + to_text(l.request) + why, {&l});
}

void block::fail_member_returned(lane const& l, gathering const& waiting) {
  misuse(finding_kind::mask_mismatch,
         misuse_by(l) + " has returned from the kernel, but lanes " + lanes_to_text(waiting.here) + " wait for it at " +
             to_text(l.own_wave->request_of(waiting)) + "; exactly the lanes of a group must call its operations.",
         {l.own_wave->first + lowest_bit(waiting.here), &l});
}

void block::fail_mixed_barrier(lane const& l) {
  misuse(finding_kind::barrier_divergence,
         "barrier misuse in block " + name() + ": thread " + host::to_text(l.index) +
             " calls a different barrier than the threads that wait: " + waits_in_barriers() +
             "; all threads of a block must call the same one.",
         {&l, first_in(lane_state::in_block)});
}

void block::fail_divergent_meeting(lane const& l, lane const& other) {
  auto const place = [](lane const& who) {
    return "lane " + std::to_string(who.place) + " at " + who.meeting.site.file + ":" +
           std::to_string(who.meeting.site.line);
  };
  misuse(finding_kind::barrier_divergence,
         "barrier misuse in block " + name() + ": wave " + std::to_string(l.own_wave - waves_.data()) +
             " waits for one phase of a barrier in two places, " + place(other) + " and " + place(l) +
             "; on AMD the lanes that wait first keep the others from arriving. Let all lanes of the wave call "
             "arrive_and_wait() together, or one elected lane arrive for all.",
         {&l, &other});
}

void block::fail_broken_split(lane const& l, std::string const& what) {
  char const* const arrived = l.arrived == split_barrier::none      ? "without an arrival that this wait belongs to"
                              : l.arrived == split_barrier::cluster ? "between this_cluster().arrive() and its wait()"
                                                                    : "between this_block().arrive() and its wait()";
  misuse(finding_kind::barrier_divergence,
         "barrier misuse in block " + name() + ": thread " + host::to_text(l.index) + " " + what + " " + arrived +
             "; each arrival has its wait, and no other barrier stands between them.",
         {&l});
}

void block::fail_exited_at_barrier() {
  misuse(finding_kind::exited_thread_at_barrier,
         "barrier misuse in block " + name() + ": exited thread at barrier: " + waits_in_barriers() +
             "; every thread of the block must reach every barrier.",
         {first_in(lane_state::in_block), first_in(lane_state::returned)});
}

// Nobody is left to run, and the lanes wait for each other at different things.
void block::fail_stuck() {
  finding_kind kind = finding_kind::barrier_divergence;
  std::vector<lane const*> who;
  for (wave const& w : waves_)
    for (gathering const& g : w.gatherings) {
      if (!who.empty()) break;  // one will do
      if (g.members == whole_wave)
        kind = finding_kind::wave_divergence;
      else if (kind == finding_kind::barrier_divergence)
        kind = finding_kind::mask_mismatch;
      who.push_back(w.first + lowest_bit(g.here));
      // Those that it waits for are elsewhere; one of them will do.
      if (lane_word const missing = w.members_of(g) & ~g.here; missing != 0)
        who.push_back(w.first + lowest_bit(missing));
    }
  if (who.empty()) who.push_back(first_in(lane_state::in_block));
  misuse(kind,
         "barrier misuse in block " + name() + ": " + waits_in_barriers() +
             "; all threads of a wave must call the same wave operation together, and all threads "
             "of a block the same barrier.",
         who);
}

std::string block::waits_in_barriers() const {
  std::string text;
  auto add = [&text](std::string const& part) { text += (text.empty() ? "" : ", ") + part; };
  if (at_barrier_ != 0)
    add(std::to_string(at_barrier_) + " of " + std::to_string(lanes_.size()) + " threads wait at " + to_text(barrier_));
  constexpr unsigned most_waves = 4;
  unsigned named = 0;
  for (wave const& w : waves_) {
    if (w.gatherings.empty()) continue;
    if (++named > most_waves) {
      add("more in other waves");
      break;
    }
    for (gathering const& g : w.gatherings) {
      std::string const wave_number = std::to_string(&w - waves_.data());
      if (g.members == whole_wave)
        add(std::to_string(count_bits(g.here)) + " of the " + std::to_string(count_bits(w.live)) +
            " live lanes of wave " + wave_number + " wait at " + to_text(w.request_of(g)));
      else
        add("lanes " + lanes_to_text(g.here) + " of wave " + wave_number + " wait at " + to_text(w.request_of(g)));
    }
  }
  if (returned_ != 0 && returned_ != lanes_.size())
    add(std::to_string(returned_) + " threads have returned from the kernel");
  return text;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
