/* Resolves code addresses to functions and source lines, including inlined calls, from the files that the process had
 * loaded. */
#ifndef HD_REPORT_SYMBOLS_H
#define HD_REPORT_SYMBOLS_H

#include "worker/recorded_run.h"

typedef struct hd_report_frame {
    const char *function, *file; /* "?" if unknown */
    uint32_t line, column; /* 0 if unknown */
} hd_report_frame;

typedef struct hd_report_symbol {
    uint64_t pc;
    const hd_report_frame *frames; /* innermost first */
    uint32_t count;
    bool is_system; /* it is in a system library */
} hd_report_symbol;

/* What is known about some addresses. Plain data, so that reports can be made from literals. */
typedef struct hd_report_symbols {
    const hd_report_symbol *items; /* sorted by pc */
    size_t count;
} hd_report_symbols;

/* Resolves addresses of a process that had these modules loaded; texts are in `arena`. */
hd_report_symbols hd_report_symbols_resolve(const char *program, const hd_module *modules, uint32_t module_count,
    const uint64_t *pcs, size_t count, hd_arena *arena);

/* NULL if the address has not been resolved. */
const hd_report_symbol *hd_report_symbols_at(const hd_report_symbols *s, uint64_t pc);

/* The source position of the innermost frame. Line 0: unknown, as for code that the compiler generated. */
hd_location hd_report_symbols_location(const hd_report_symbols *s, uint64_t pc);

#endif
