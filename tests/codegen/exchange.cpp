// Sixteen bytes: all in flight together. And a step of an exchange: the polls are relaxed loads at device scope, all of
// a thread's in flight before the first is tested; no fence, but the sentinel's one.
#include <fermata/backend/exchange.hpp>
#include <fermata/exchange.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL load_words(void const* p, fm::detail::words4* out) {
  *out = fm::backend::load_words<fm::thread_scope::device>(p);
}
// SM90-LABEL:   .entry load_words(
// SM90:         ld.{{(relaxed.gpu|volatile).*v[24]}}
// SM90-NOT:     fence
// SM90:         ret
// AMD-LABEL:    {{^}}load_words:
// GFX942:       global_load_dwordx2 {{.*\] sc1$}}
// GFX942-NOT:   s_waitcnt
// GFX942:       global_load_dwordx2 {{.*\] offset:8 sc1$}}
// GFX942:       s_waitcnt vmcnt(0)
// GFX90A:       global_load_dwordx2 {{.*\] glc$}}
// GFX90A-NOT:   s_waitcnt
// GFX90A:       global_load_dwordx2 {{.*\] offset:8 glc$}}
// GFX1100:      global_load_b64 {{.*\] glc$}}
// GFX1100-NOT:  s_waitcnt
// GFX1100:      global_load_b64 {{.*\] offset:8 glc$}}
// The words lie in the registers as they came.
// AMD-NOT:      {{buffer_|lsh|align|perm}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL store_words(void* p, unsigned a, unsigned b, unsigned c, unsigned d) {
  fm::backend::store_words<fm::thread_scope::device>(p, fm::detail::words4{{a, b, c, d}});
}
// SM90-LABEL:   .entry store_words(
// SM90:         st.{{(relaxed.gpu|volatile).*v[24]}}
// AMD-LABEL:    {{^}}store_words:
// AMD-NOT:      {{vmcnt|vscnt|buffer_|lsh|align|perm|_or_}}
// GFX942:       global_store_dwordx2 {{.*\] sc1$}}
// GFX942-NOT:   {{s_waitcnt|lsh|align|perm|_or_}}
// GFX942:       global_store_dwordx2 {{.*\] offset:8 sc1$}}
// GFX90A:       global_store_dwordx2
// GFX90A-NOT:   {{s_waitcnt|lsh|align|perm|_or_}}
// GFX90A:       global_store_dwordx2
// GFX1100:      global_store_b64
// GFX1100-NOT:  {{s_waitcnt|lsh|align|perm|_or_}}
// GFX1100:      global_store_b64

extern "C" FERMATA_KERNEL load_word_pair(void const* p, fm::detail::word_pair* out) {
  *out = fm::backend::load_word_pair<fm::thread_scope::device>(p);
}
// SM90-LABEL:   .entry load_word_pair(
// SM90-NOT:     fence
// SM90:         ld.relaxed.gpu.v2.b64
// SM90-NOT:     {{fence|ld.relaxed}}
// SM90:         ret
// AMD-LABEL:    {{^}}load_word_pair:
// GFX942:       global_load_dwordx2 {{.*\] sc1$}}
// GFX942-NOT:   s_waitcnt
// GFX942:       global_load_dwordx2 {{.*\] offset:8 sc1$}}
// GFX90A:       global_load_dwordx2 {{.*\] glc$}}
// GFX90A-NOT:   s_waitcnt
// GFX90A:       global_load_dwordx2 {{.*\] offset:8 glc$}}
// GFX1100:      global_load_b64 {{.*\] glc$}}
// GFX1100-NOT:  s_waitcnt
// GFX1100:      global_load_b64 {{.*\] offset:8 glc$}}
// AMD-NOT:      buffer_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL store_word_pair(void* p, std::uint64_t a, std::uint64_t b) {
  fm::backend::store_word_pair<fm::thread_scope::device>(p, fm::detail::word_pair{{a, b}});
}
// SM90-LABEL:   .entry store_word_pair(
// SM90-NOT:     fence
// SM90:         st.relaxed.gpu.v2.b64
// SM90:         ret
// AMD-LABEL:    {{^}}store_word_pair:
// AMD-NOT:      {{vmcnt|vscnt|buffer_}}
// GFX942:       global_store_dwordx2 {{.*\] sc1$}}
// GFX942:       global_store_dwordx2 {{.*\] offset:8 sc1$}}
// GFX90A:       global_store_dwordx2
// GFX90A:       global_store_dwordx2
// GFX1100:      global_store_b64
// GFX1100:      global_store_b64
// AMD-NOT:      {{vmcnt|vscnt|buffer_}}
// AMD:          s_endpgm

// To the host and to other devices.
extern "C" FERMATA_KERNEL system_words(fm::detail::words4* a, fm::detail::word_pair* b) {
  fm::backend::store_words<fm::thread_scope::system>(a + 1, fm::backend::load_words<fm::thread_scope::system>(a));
  fm::backend::store_word_pair<fm::thread_scope::system>(b + 1,
                                                         fm::backend::load_word_pair<fm::thread_scope::system>(b));
}
// SM90-LABEL:   .entry system_words(
// SM90-NOT:     fence
// SM90:         ld.relaxed.sys.v4.b32
// SM90:         st.relaxed.sys.v4.b32
// SM90:         ld.relaxed.sys.v2.b64
// SM90:         st.relaxed.sys.v2.b64
// SM90-NOT:     fence
// SM90:         ret
// GFX942-LABEL: {{^}}system_words:
// GFX942-COUNT-8: global_{{(load|store)}}_dwordx2 {{.*}} sc0 sc1{{$}}
// GFX942:       s_endpgm

// Inside a block no further than its near cache.
extern "C" FERMATA_KERNEL block_words(fm::detail::words4* a, fm::detail::word_pair* b) {
  fm::backend::store_words<fm::thread_scope::block>(a + 1, fm::backend::load_words<fm::thread_scope::block>(a));
  fm::backend::store_word_pair<fm::thread_scope::block>(b + 1, fm::backend::load_word_pair<fm::thread_scope::block>(b));
}
// SM90-LABEL:   .entry block_words(
// SM90:         ld.relaxed.cta.v4.b32
// SM90:         st.relaxed.cta.v4.b32
// SM90:         ld.relaxed.cta.v2.b64
// SM90:         st.relaxed.cta.v2.b64
// SM90:         ret

// Whatever an exchange moves, it moves past the near caches: all of its units, whole and word by word.
extern "C" FERMATA_KERNEL exchange_units(fm::detail::word8* a, fm::detail::word_pair* b, fm::detail::words4* c) {
  using one = fm::detail::exchange_unit<8, 1>;
  using two = fm::detail::exchange_unit<8, 2>;
  using four = fm::detail::exchange_unit<4>;
  one::store(a + 1, one::load(a));
  two::store(b + 1, two::load(b));
  two::store_word(b + 2, 1, 5);
  four::store(c + 1, four::load(c));
  four::store_word(c + 2, 3, 7);
}
// SM90-LABEL:   .entry exchange_units(
// SM90:         ld.relaxed.gpu.b64
// SM90:         st.relaxed.gpu.b64
// SM90:         ld.relaxed.gpu.v2.b64
// SM90:         st.relaxed.gpu.v2.b64
// SM90:         st.relaxed.gpu.b64
// SM90:         ld.relaxed.gpu.v4.b32
// SM90:         st.relaxed.gpu.v4.b32
// SM90:         st.relaxed.gpu.b32
// SM90:         ret
// GFX942-LABEL: {{^}}exchange_units:
// GFX942-COUNT-12: global_{{(load|store)}}_{{.*}} sc1{{$}}
// GFX942:       s_endpgm

template <class Protocol, unsigned MaxPolls>
FERMATA_DEVICE void steps(fm::exchange<float, Protocol> exchange, float* x, unsigned count) {
  auto gather = exchange.template open<64, MaxPolls>();
  for (unsigned s = 0; s < count; ++s) {
    gather.publish([&](unsigned i) { return x[i]; });
    gather.await_all([&](unsigned i, float value) { x[i] = value; });
    gather.advance();
  }
}

extern "C" FERMATA_KERNEL sense_bit_steps(fm::exchange<float, fm::sense_bit_protocol> exchange, float* x, unsigned n) {
  steps<fm::sense_bit_protocol, 2>(exchange, x, n);
}
// SM90-LABEL:   .entry sense_bit_steps(
// SM90-NOT:     {{fence|membar}}
// SM90:         st.relaxed.gpu.v4.b32
// SM90-NOT:     {{fence|membar}}
// SM90:         ld.relaxed.gpu.v4.b32
// SM90-NOT:     {{fence|membar|xor|setp\.[a-z]+\.s32}}
// SM90:         ld.relaxed.gpu.v4.b32
// SM90-NOT:     {{fence|membar}}
// SM90:         bar{{(rier)?}}.sync
// SM90-NOT:     {{fence|membar}}
// SM90:         ret
// On AMD the end of the step stands in front of it.
// AMD-LABEL:    {{^}}sense_bit_steps:
// AMD-NOT:      {{buffer_(wb|inv|gl1)}}
// AMD:          s_barrier
// AMD-NOT:      {{buffer_(wb|inv|gl1)}}
// GFX942:       global_load_dwordx2 {{.* sc1$}}
// GFX942-NOT:   s_waitcnt
// GFX942:       global_load_dwordx2 {{.* offset:8 sc1$}}
// GFX942-NOT:   s_waitcnt
// GFX942:       global_load_dwordx2 {{.* offset:1024 sc1$}}
// GFX942-NOT:   s_waitcnt
// GFX942:       global_load_dwordx2 {{.* offset:1032 sc1$}}
// GFX90A:       global_load_dwordx2 {{.* glc$}}
// GFX90A-NOT:   s_waitcnt
// GFX90A:       global_load_dwordx2 {{.* offset:8 glc$}}
// GFX90A-NOT:   s_waitcnt
// GFX90A:       global_load_dwordx2 {{.* offset:1024 glc$}}
// GFX90A-NOT:   s_waitcnt
// GFX90A:       global_load_dwordx2 {{.* offset:1032 glc$}}
// GFX1100:      global_load_b64 {{.* glc$}}
// GFX1100-NOT:  s_waitcnt
// GFX1100:      global_load_b64 {{.* offset:8 glc$}}
// GFX1100-NOT:  s_waitcnt
// GFX1100:      global_load_b64 {{.* offset:1024 glc$}}
// GFX1100-NOT:  s_waitcnt
// GFX1100:      global_load_b64 {{.* offset:1032 glc$}}
// AMD-NOT:      {{buffer_(wb|inv|gl1)}}
// AMD:          s_waitcnt vmcnt(0)
// AMD-NOT:      {{buffer_(wb|inv|gl1)}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL sentinel_steps(fm::exchange<float, fm::sentinel_protocol> exchange, float* x, unsigned n) {
  steps<fm::sentinel_protocol, 1>(exchange, x, n);
}
// SM90-LABEL:   .entry sentinel_steps(
// SM90-NOT:     {{fence|membar}}
// SM90:         st.relaxed.gpu.v4.b32
// SM90-NOT:     {{fence|membar}}
// SM90:         st.relaxed.gpu.v4.b32 {{.*}}, {[[EMPTY:%r[0-9]+]], [[EMPTY]], [[EMPTY]], [[EMPTY]]}
// SM90:         fence.acq_rel.gpu
// SM90-NOT:     {{fence|membar}}
// SM90:         ld.relaxed.gpu.v4.b32
// SM90-NOT:     {{fence|membar}}
// SM90:         ret
// AMD-LABEL:    {{^}}sentinel_steps:
// AMD-NOT:      {{buffer_(wb|inv|gl1)}}
// GFX942:       buffer_wbl2 sc1
// GFX942:       s_waitcnt
// GFX942:       buffer_inv sc1
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      {{buffer_(wb|inv|gl1)}}
// AMD:          s_endpgm
