// doctest calls a run in which no test case matched the filters a success. With this listener a main program can make
// it a failure.
#pragma once

#include <doctest/doctest.h>

namespace test {

struct run_counter : doctest::IReporter {
  static inline unsigned ran = 0, registered = 0;  // test cases
  static inline int assertions = 0;

  explicit run_counter(doctest::ContextOptions const&) {}
  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const& stats) override {
    ran = stats.numTestCasesPassingFilters;
    registered = stats.numTestCases;
    assertions = stats.numAsserts;
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

}  // namespace test
