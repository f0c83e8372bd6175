// The algorithms of grid_barrier by name. What each does stands in this folder.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

struct central_generation {};  // the textbook one: a count, and a generation word that the last arriver advances
struct monotonic {};           // one word that only grows; each crossing adds the same amount whatever the grid
struct striped {};             // several such words, for grids whose arrivals queue up at one
struct automatic {};           // one of these two, by the number of blocks: the fastest where it was measured
struct sense {};               // one word whose top bit each crossing flips, as in cooperative groups
struct gather_scatter {};      // Xiao and Feng's: a slot for each block, which block 0 gathers; then one word says go
struct all_to_all {};          // a slot for each block, and every block reads all of them
struct hierarchical {};        // two levels: the last to arrive of a group arrives for it
struct combining {};           // two levels: who finds nobody under way from its chiplet carries on what has come there
struct cooperative {};         // the vendor's own: cooperative groups, ockl, the executor

namespace detail {

// What an algorithm is made of; one specialisation for each of the above, in the file of its name (monotonic and sense
// in one_word.hpp):
//   name                      for messages
//   splits                    whether it has arrive and wait
//   lines(most)               lines of memory, zeroed, for grids of up to `most` blocks
//   busiest_line              which of them all blocks change and poll, if it is one: a storage chooses its place
//   arrive(lines, watch)      -> grid_barrier_token, each thread its own; every thread of the block calls it
//   wait(lines, token, watch)
//   sync(lines, watch)        if that is not wait(arrive())
// `watch` is the deadline policy's: arriving() tells it, from the leader and before the arrival, who arrives, and every
// wait for a word is watch.await<order>(word, predicate).
template <class Algorithm>
struct grid_algorithm;

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
