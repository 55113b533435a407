/* Resolves code addresses to functions and source lines, including inlined calls, by
 * llvm-symbolizer (or addr2line), which runs once per module. Without either, nothing is known. */
#ifndef HD_REPORT_SYMBOLS_H
#define HD_REPORT_SYMBOLS_H

#include "base/vec.h"
#include "worker/recorded_run.h"

typedef struct hd_report_frame {
    const char *function, *file; /* "?" if unknown */
    uint32_t line, column; /* 0 if unknown */
} hd_report_frame;

typedef struct hd_report_symbols {
    hd_arena *arena;
    const char *program;
    const hd_recorded_run *run; /* has the modules */
    hd_vec(struct hd_report_symbol {
        uint64_t pc;
        hd_report_frame *frames; /* innermost first */
        uint32_t count;
    }) known; /* sorted by pc once resolved */
} hd_report_symbols;

void hd_report_symbols_open(hd_report_symbols *s, const char *program, const hd_recorded_run *run, hd_arena *arena);
void hd_report_symbols_close(hd_report_symbols *s);

/* Usage: register every stack, resolve all at once, then look up. */
void hd_report_symbols_want(hd_report_symbols *s, const hd_stack *stack);
void hd_report_symbols_resolve(hd_report_symbols *s);

/* The frames of one address; NULL and 0 if nothing is known. */
const hd_report_frame *hd_report_symbols_at(const hd_report_symbols *s, uint64_t pc, uint32_t *count);

/* Is the address in a system library? */
bool hd_report_symbols_is_system(const hd_report_symbols *s, uint64_t pc);

/* The source position of one address of the program, which is loaded at `base`; texts are in
 * `arena`. Line 0: unknown, as for code that the compiler generated. */
hd_place hd_report_symbols_place(const char *program, uint64_t base, uint64_t pc, hd_arena *arena);

#endif
