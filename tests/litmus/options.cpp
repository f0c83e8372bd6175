#include "options.hpp"

#include <charconv>
#include <string_view>

namespace litmus {
namespace {

std::uint64_t number(std::string_view option, std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    throw usage_error(std::string(option) + " wants a number from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", not '" + std::string(text) + "'");
  return value;
}

unsigned small(std::string_view option, std::string_view text, std::uint64_t least, std::uint64_t most) {
  return static_cast<unsigned>(number(option, text, least, most));
}

std::vector<unsigned> strides(std::string_view text) {
  std::vector<unsigned> all;
  for (;;) {
    std::size_t const comma = text.find(',');
    unsigned const stride = small("--stride", text.substr(0, comma), 128, 1u << 20);
    if (stride % 128 != 0)
      throw usage_error("--stride: " + std::to_string(stride) + " is no multiple of 128 bytes, a line");
    all.push_back(stride);
    if (comma == std::string_view::npos) return all;
    text.remove_prefix(comma + 1);
  }
}

warming warming_of(std::string_view text) {
  if (text == "on") return warming::on;
  if (text == "off") return warming::off;
  if (text == "alternate") return warming::alternate;
  throw usage_error("--warm is on, off or alternate, not '" + std::string(text) + "'");
}

}  // namespace

char const* usage() {
  return R"(usage: fermata-litmus [option…]

Runs litmus tests: many instances of a few accesses by a few threads, and counts what they saw. docs/litmus.md says how
to read the table. Exit status: 0 nothing forbidden was seen; 1 something was, or a file could not be written; 2 the
command line makes no sense; 77 no device.

  --filter REGEX     only the rows whose name matches, as in MP/rel_acq/device/blocks
  --instances N      at least so many instances a row (default 10000)
  --stride B[,B…]    bytes from one location of an instance to the next; the instances are divided between the strides
                     (default 128,1024,8192,65536)
  --threads N        threads a block, at most (default 256)
  --blocks N         blocks of the test (default two a multiprocessor, fewer where fewer can wait for each other)
  --stress N         blocks beside the test that load and store on lines of their own (default 0)
  --delay N          steps that a wave idles before its accesses, at most (default 32)
  --warm MODE        whether a thread reads what it is going to read before the others write: on, off, alternate
  --pause            a pause of random length between the accesses of a thread; only rows of a shape at device scope
  --seed N           of pairings and delays (default 1)
  --device N         which device (default 0)
  --json FILE        write the results there, too
  --list             print the names of the rows
  --export DIR       write the rows with a model as PTX .litmus files
  --self-test        check the model and the pairing; needs no device
  --inject-fault     let the last thread of a test make its accesses in the wrong order: rows that forbid an outcome
                     must fail
  --require-wave N   fail unless the waves of the device have N lanes
)";
}

options parse(int argc, char** argv) {
  options o;
  auto const choose = [&o](options::action what) {
    if (o.what != options::action::run && o.what != what)
      throw usage_error("--list, --export, --self-test and --help exclude each other");
    o.what = what;
  };
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i], value;
    bool has_value = false;
    if (std::size_t const equals = argument.find('='); equals != std::string_view::npos) {
      value = argument.substr(equals + 1);
      argument = argument.substr(0, equals);
      has_value = true;
    }
    auto const flag = [&] {
      if (has_value) throw usage_error(std::string(argument) + " takes no value");
    };
    auto const next = [&]() -> std::string_view {
      if (has_value) return value;
      if (++i == argc) throw usage_error(std::string(argument) + " wants a value");
      return argv[i];
    };
    if (argument == "--filter")
      o.filter = next();
    else if (argument == "--instances")
      o.instances = number(argument, next(), 1, 1'000'000'000'000);
    else if (argument == "--stride")
      o.strides = strides(next());
    else if (argument == "--threads")
      o.threads = small(argument, next(), 1, 1024);
    else if (argument == "--blocks")
      o.blocks = small(argument, next(), 1, 65536);
    else if (argument == "--stress")
      o.stress = small(argument, next(), 0, 65536);
    else if (argument == "--delay")
      o.delay = small(argument, next(), 0, 1'000'000);
    else if (argument == "--warm")
      o.warm = warming_of(next());
    else if (argument == "--seed")
      o.seed = small(argument, next(), 0, 0xFFFFFFFFu);
    else if (argument == "--device")
      o.device = small(argument, next(), 0, 1023);
    else if (argument == "--require-wave")
      o.demanded_wave = small(argument, next(), 32, 64);
    else if (argument == "--json")
      o.json = next();
    else if (argument == "--list")
      flag(), choose(options::action::list);
    else if (argument == "--export")
      choose(options::action::export_files), o.directory = next();
    else if (argument == "--self-test")
      flag(), choose(options::action::self_test);
    else if (argument == "--help" || argument == "-h")
      flag(), choose(options::action::help);
    else if (argument == "--pause")
      flag(), o.pause = true;
    else if (argument == "--inject-fault")
      flag(), o.fault = true;
    else
      throw usage_error("unrecognized option '" + std::string(argument) + "'");
  }
  return o;
}

}  // namespace litmus
