// Runs the acceptance tests of the checker, and tells at the end by which schedules the bugs were found.
//
// Exit status: 0 all passed · 1 something failed, nothing was tested, or random schedules found too few of the bugs.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>

#include "support.hpp"

namespace {

// doctest calls a run in which no test case matched the filters a success; here it is a failure.
struct run_counter : doctest::IReporter {
  static inline unsigned ran = 0, registered = 0;

  explicit run_counter(doctest::ContextOptions const&) {}
  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const& stats) override {
    ran = stats.numTestCasesPassingFilters;
    registered = stats.numTestCases;
  }
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};

REGISTER_LISTENER("run_counter", 1, run_counter);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  int status = context.run();
  if (context.shouldExit()) return status;  // a query, such as --list-test-cases
  if (run_counter::ran == 0) {
    std::puts("FAIL: no test case ran; check the filters");
    status = 1;
  }
  bool const all_ran = run_counter::ran == run_counter::registered;
  if (!test::print_findings(all_ran) && status == 0) status = 1;
  return status;
}
