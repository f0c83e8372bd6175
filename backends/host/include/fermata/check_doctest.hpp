// The checker's results in doctest: a failed expectation prints what was found.
//
//   TEST_CASE("the histogram orders its bins") {
//     CHECK_CLEAN(fm::check(histogram, {4, 64}, in, out).runs(100));
//     CHECK_FINDS(fm::check(broken, {4, 64}, in, out).runs(100), fm::finding_kind::data_race);
//   }
#pragma once

#include <doctest/doctest.h>

#include <string>

#include <fermata/checker.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Empty if the result is as expected.
inline std::string unexpected_findings(check_result const& r) {
  return r.clean() ? std::string() : "expected no finding, but there is\n" + r.text();
}
inline std::string unexpected_findings(check_result const& r, finding_kind kind) {
  return r.has(kind) ? std::string()
                     : std::string("expected ") + to_string(kind) + ", but the checker says\n" + r.text();
}

inline void check_with_doctest(char const* file, int line, std::string const& complaint) {
  if (complaint.empty())
    DOCTEST_CHECK(complaint.empty());  // counts
  else
    DOCTEST_ADD_FAIL_CHECK_AT(file, line, complaint);
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#define CHECK_FINDS(...) \
  ::fermata::detail::check_with_doctest(__FILE__, __LINE__, ::fermata::detail::unexpected_findings(__VA_ARGS__))
#define CHECK_CLEAN(...) \
  ::fermata::detail::check_with_doctest(__FILE__, __LINE__, ::fermata::detail::unexpected_findings(__VA_ARGS__))
