// Sixteen bytes: all in flight together.
#include <fermata/backend/exchange.hpp>
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
// AMD-NOT:      buffer_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL store_words(void* p, unsigned a, unsigned b, unsigned c, unsigned d) {
  fm::backend::store_words<fm::thread_scope::device>(p, fm::detail::words4{{a, b, c, d}});
}
// SM90-LABEL:   .entry store_words(
// SM90:         st.{{(relaxed.gpu|volatile).*v[24]}}
// AMD-LABEL:    {{^}}store_words:
// AMD-NOT:      {{vmcnt|vscnt|buffer_}}
// GFX942:       global_store_dwordx2 {{.*\] sc1$}}
// GFX942-NOT:   s_waitcnt
// GFX942:       global_store_dwordx2 {{.*\] offset:8 sc1$}}
// GFX90A:       global_store_dwordx2
// GFX90A-NOT:   s_waitcnt
// GFX90A:       global_store_dwordx2
// GFX1100:      global_store_b64
// GFX1100-NOT:  s_waitcnt
// GFX1100:      global_store_b64
