/* Addresses of code as functions and source lines, inlined calls included, by
 * llvm-symbolizer (else addr2line), run once for all addresses of a program.
 * Where both are missing, nothing is known of them. */
#ifndef HD_REPORT_SYMBOLS_H
#define HD_REPORT_SYMBOLS_H

#include "base/vec.h"
#include "worker/story.h"

typedef struct hd_frame {
    const char *function, *file; /* "?" if unknown */
    uint32_t line, column; /* 0 if unknown */
} hd_frame;

typedef struct hd_symbols {
    hd_arena *arena;
    const char *program;
    const hd_story *story; /* has the modules */
    hd_vec(struct hd_symbol {
        uint64_t pc;
        hd_frame *frames; /* innermost first */
        uint32_t count;
    }) known; /* sorted by pc once resolved */
} hd_symbols;

void hd_symbols_open(hd_symbols *s, const char *program, const hd_story *story, hd_arena *arena);
void hd_symbols_close(hd_symbols *s);

/* First name every stack, then resolve them all, then ask. */
void hd_symbols_want(hd_symbols *s, const hd_stack *stack);
void hd_symbols_resolve(hd_symbols *s);

/* The frames of one address; NULL and 0 if nothing is known. */
const hd_frame *hd_symbols_at(const hd_symbols *s, uint64_t pc, uint32_t *count);

/* Is it code of one of the system's libraries? */
bool hd_symbols_is_system(const hd_symbols *s, uint64_t pc);

/* The place of one address of the program, which is loaded at `base`; texts are
 * in `arena`. Line 0: unknown, as in code that the compiler has made up. */
hd_place hd_symbols_place(const char *program, uint64_t base, uint64_t pc, hd_arena *arena);

#endif
