// Findings of the executor: barriers and wave operations that do not fit together, and launches that fail.
#pragma once

#include <fermata/detail/config.hpp>
#include <fermata/error.hpp>
#include <fermata/finding_kind.hpp>
#include <string>
#include <vector>

#include "findings.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class block;
class launch_state;
struct lane;
struct wave;

namespace check {

// A place of a finding: where the lane is, and what it waits for there.
raw_place where_is(lane const& l);

void report_misuse(block& b, finding_kind kind, std::string const& message, std::vector<lane const*> const& who);
// Any failure that is not told elsewhere. Those of lack of memory are no findings.
void report_failure(launch_state& launch, errc code, std::string const& message);
// Blocks wait at a barrier of the grid or of a cluster, and others have returned.
void report_unequal_sync(launch_state& launch, std::string const& message);
// The lane has arrived at a barrier of its block: all of them have to do so in the same line.
void arrived_at_barrier(block& b, lane const& l);
// The lane takes part in an operation of its whole wave that another lane has called first.
void joined_wave_operation(lane const& l, lane const& first);
// A shuffle asks for the value of a lane that does not take part.
void inactive_read(lane const& l, unsigned source);

}  // namespace check
}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
