/* <fenv.h>. In programs that refer to these functions, thread switches also exchange the floating-point environment
 * (runtime/reset/fiber.h). */
#include "runtime/face/face.h"

#include <fenv.h>

__attribute__((visibility("hidden"))) const char hd_uses_fenv = 1;

#define SAME(name, parameters, arguments) \
    HD_FACE int hd_##name parameters \
    { \
        return name arguments; \
    }
SAME(fesetround, (int direction), (direction))
SAME(fegetround, (void), ())
SAME(fesetenv, (const fenv_t *from), (from))
SAME(fegetenv, (fenv_t * to), (to))
SAME(feholdexcept, (fenv_t * to), (to))
SAME(feupdateenv, (const fenv_t *from), (from))
SAME(fetestexcept, (int exceptions), (exceptions))
SAME(feclearexcept, (int exceptions), (exceptions))
SAME(feraiseexcept, (int exceptions), (exceptions))
SAME(fegetexceptflag, (fexcept_t * to, int exceptions), (to, exceptions))
SAME(fesetexceptflag, (const fexcept_t *from, int exceptions), (from, exceptions))
SAME(feenableexcept, (int exceptions), (exceptions))
SAME(fedisableexcept, (int exceptions), (exceptions))
SAME(fegetexcept, (void), ())
#undef SAME
