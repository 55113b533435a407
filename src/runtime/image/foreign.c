#include "runtime/image/foreign.h"

#include "abi/trust.h"
#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/image/modules.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>

enum { PAGE = 4096, BREAKPOINT = 0xcc };

static struct {
    const char *trusted;
    hd_foreign *notes;
    uint32_t *note_count;
    const hd_program_function *functions; /* functions that may begin with a breakpoint, … */
    uint8_t *first_bytes; /* … and their original first bytes */
    uint32_t function_count;
    uint8_t watches_callbacks, all_known;
} foreign;

void hd_foreign_init(const char *trusted, hd_foreign *notes, uint32_t *count)
{
    foreign.trusted = trusted;
    foreign.notes = notes;
    foreign.note_count = count;
}

static int is_foreign(const hd_loaded_module *m)
{
    return m->maker == HD_MADE_BY_OTHERS && !hd_trust_has(foreign.trusted, hd_module_name(m));
}

/* --- notes ------------------------------------------------------------------------------ */

static hd_foreign *note_of(const char *library, const char *function)
{
    for (uint32_t i = 0; i < *foreign.note_count; i++) {
        hd_foreign *n = &foreign.notes[i];
        if (!strcmp(n->library, library) && (*library || !strcmp(n->function, function)))
            return n;
    }
    return NULL;
}

/* A library is noted once. Functions of foreign objects in the program are noted individually, since they may come
 * from different objects. NULL: there is no room. */
static hd_foreign *note(const char *library, const char *function, uint64_t call)
{
    hd_foreign one = { .call = call };
    strncpy(one.library, library, sizeof one.library - 1);
    strncpy(one.function, function, sizeof one.function - 1);
    hd_foreign *n = note_of(one.library, one.function);
    if (n || *foreign.note_count == HD_FOREIGN_ROOM)
        return n;
    n = &foreign.notes[(*foreign.note_count)++];
    *n = one;
    return n;
}

static const char *function_at(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) && info.dli_sname ? info.dli_sname : "?";
}

/* --- calls ------------------------------------------------------------------------------- */

static void set_protection(uint64_t from, uint64_t to, int protection)
{
    from &= ~(uint64_t)(PAGE - 1);
    hd_system(SYS_mprotect, from, to - from, (long)protection); /* must not be intercepted as a call of the program */
}

int hd_foreign_is_there(void)
{
    size_t modules;
    const hd_loaded_module *m = hd_modules(&modules);
    for (size_t i = 0; i < modules; i++)
        if (m[i].maker == HD_MADE_BY_OTHERS)
            return 1;
    for (uint32_t i = 0; i < foreign.function_count; i++)
        if (!foreign.functions[i].compiled)
            return 1;
    return !foreign.all_known;
}

static int is_watched(const hd_program_function *f, int compiled)
{
    return compiled ? f->compiled : !f->compiled && !f->trusted;
}

/* Sets breakpoints at all functions that heddle compiled, or at all foreign ones that are not trusted. */
static void set_breakpoints(int compiled)
{
    size_t modules;
    hd_loaded_module *m = hd_modules(&modules);
    for (size_t i = 0; i < modules; i++)
        if (m[i].maker == HD_MADE_BY_HEDDLE)
            set_protection(m[i].text, m[i].text_end, PROT_READ | PROT_WRITE | PROT_EXEC);
    for (uint32_t i = 0; i < foreign.function_count; i++)
        if (is_watched(&foreign.functions[i], compiled))
            *(uint8_t *)foreign.functions[i].address = BREAKPOINT;
    for (size_t i = 0; i < modules; i++)
        if (m[i].maker == HD_MADE_BY_HEDDLE)
            set_protection(m[i].text, m[i].text_end, PROT_READ | PROT_EXEC);
}

static void remove_breakpoint(uint32_t function)
{
    uint64_t address = foreign.functions[function].address;
    set_protection(address, address + 1, PROT_READ | PROT_WRITE | PROT_EXEC);
    *(uint8_t *)address = foreign.first_bytes[function];
    set_protection(address, address + 1, PROT_READ | PROT_EXEC);
}

/* Not from the C library's heap, which is restored after executions. */
static void *memory_for(size_t size)
{
    void *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    return memory;
}

void hd_foreign_watch(const hd_program_function *functions, uint32_t count, int all_known)
{
    size_t modules;
    hd_loaded_module *m = hd_modules(&modules);
    for (size_t i = 0; i < modules; i++)
        if (is_foreign(&m[i]))
            set_protection(m[i].text, m[i].text_end, PROT_READ);
    foreign.all_known = (uint8_t)all_known;
    foreign.functions = functions;
    foreign.first_bytes = memory_for(count);
    foreign.function_count = count;
    for (uint32_t i = 0; i < count; i++)
        foreign.first_bytes[i] = *(const uint8_t *)functions[i].address;
    set_breakpoints(0);
}

/* At its first instruction a function's caller is on top of the stack. */
static uint64_t caller(const ucontext_t *context)
{
    return *(const uint64_t *)context->uc_mcontext.gregs[REG_RSP] - 1;
}

/* Callbacks are watched only after the first foreign call: most programs make none. */
static void note_call(const char *library, const char *function, uint64_t call)
{
    if (!hd_current)
        return;
    note(library, function, call);
    if (!foreign.watches_callbacks)
        set_breakpoints(1);
    foreign.watches_callbacks = 1;
}

static int library_fault(uint64_t address, const ucontext_t *context)
{
    const hd_loaded_module *m = hd_module_of((const void *)address);
    if (address != (uint64_t)context->uc_mcontext.gregs[REG_RIP] || !m || !is_foreign(m))
        return 0;
    set_protection(m->text, m->text_end, PROT_READ | PROT_EXEC);
    note_call(hd_module_name(m), function_at((const void *)address), caller(context));
    return 1;
}

/* The last function of the program's files that begins at or before `address`. */
static const hd_program_function *function_with(uint64_t address)
{
    const hd_program_function *found = NULL;
    for (uint32_t i = 0; i < foreign.function_count; i++) {
        const hd_program_function *f = &foreign.functions[i];
        if (f->address <= address && (!found || f->address > found->address))
            found = f;
    }
    return found;
}

/* The note about the code at `address`; NULL: there is none, or heddle compiled the code. */
static hd_foreign *noted_at(uint64_t address)
{
    const hd_loaded_module *m = hd_module_of((const void *)address);
    if (!m || m->maker == HD_MADE_BY_SYSTEM)
        return NULL;
    if (m->maker == HD_MADE_BY_OTHERS)
        return note_of(hd_module_name(m), "");
    const hd_program_function *f = function_with(address);
    return f && !f->compiled ? note_of("", f->name) : NULL;
}

static void note_callback(const char *function, uint64_t call)
{
    hd_foreign *n = noted_at(call);
    if (n && !*n->calls_back)
        strncpy(n->calls_back, function, sizeof n->calls_back - 1);
}

/* The first function at the address counts: it may have several names. */
static int breakpoint(ucontext_t *context)
{
    uint64_t address = (uint64_t)context->uc_mcontext.gregs[REG_RIP] - 1;
    for (uint32_t i = 0; i < foreign.function_count; i++) {
        const hd_program_function *f = &foreign.functions[i];
        if (f->address != address)
            continue;
        remove_breakpoint(i);
        context->uc_mcontext.gregs[REG_RIP] = (greg_t)address;
        if (f->compiled)
            note_callback(f->name, caller(context));
        else
            note_call("", f->name, caller(context));
        return 1;
    }
    return 0;
}

int hd_foreign_fault(int signal, uint64_t address, ucontext_t *context)
{
    return signal == SIGSEGV ? library_fault(address, context) : signal == SIGTRAP && breakpoint(context);
}

/* --- threads --------------------------------------------------------------------------------- */

int hd_libc_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int hd_libc_thrd_create(thrd_t *, thrd_start_t, void *);

/* Foreign code starts a thread. (Code that heddle compiled calls hd_pthread_create instead.) */
static void before_thread(const void *call)
{
    const hd_loaded_module *m = hd_module_of(call);
    if (!m || m->maker == HD_MADE_BY_SYSTEM || hd_trust_has(foreign.trusted, hd_module_name(m)))
        return;
    int inside = m->maker == HD_MADE_BY_HEDDLE;
    const hd_program_function *f = inside ? function_with((uint64_t)call) : NULL;
    hd_foreign *n = inside ? note("", f ? f->name : "?", 0) : note(hd_module_name(m), function_at(call), 0);
    if (n)
        n->starts_thread = 1;
    if (hd_current && hd_exploring())
        hd_end(HD_MODEL_LIMIT, NULL, "%s, which heddle did not compile, starts a thread",
            inside ? "an object in the program" : hd_module_name(m));
}

#define OVERRIDABLE __attribute__((visibility("default"), weak))

OVERRIDABLE int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *argument)
{
    before_thread(__builtin_return_address(0));
    return hd_libc_pthread_create(t, a, run, argument);
}

OVERRIDABLE int thrd_create(thrd_t *t, thrd_start_t run, void *argument)
{
    before_thread(__builtin_return_address(0));
    return hd_libc_thrd_create(t, run, argument);
}
