/* A finding prepared for display: addresses as names of variables, source positions with the text of
 * their lines.
 *
 * File names are relative to the current directory where possible. */
#ifndef HD_REPORT_VIEW_H
#define HD_REPORT_VIEW_H

#include "base/elf.h"
#include "base/vec.h"
#include "report/result.h"

/* Open: the files that print reports read the finding and its run through it. */
typedef struct hd_report_view {
    hd_arena arena;
    const char *program;
    const hd_report_finding *reported;
    const hd_recorded_run *run; /* of `reported`, as is `finding` */
    const hd_finding *finding;
    bool is_plain; /* an execution without a finding: all steps matter */
    hd_elf elf; /* of the program; bytes NULL if it cannot be read */
    char here[4096]; /* the current directory, with a slash at its end */
    hd_vec(struct hd_report_source {
        const char *file;
        char *text; /* NULL: it cannot be read */
        hd_vec(uint32_t) lines; /* where they begin */
    }) sources;
} hd_report_view;

/* The arguments must outlive the view. */
void hd_report_view_open(hd_report_view *v, const char *program, const hd_report_finding *f);
void hd_report_view_close(hd_report_view *v);

/* The address and the number of bytes that a memory operation accesses. */
uint64_t hd_report_view_address(const hd_op *op, uint32_t *size);

/* The name of an object that operations of the run access. */
void hd_report_view_name(const hd_report_view *v, uint64_t object, char *text, size_t size);

/* The name of what a thread waits for. */
const char *hd_report_view_awaited(const hd_report_view *v, uint32_t thread);

/* What an object of the runtime is called (abi/shown.def). False: it is none. */
bool hd_report_own_name(const hd_elf_symbol *symbol, uint64_t address, char *text, size_t size);

/* The global variable that contains `address`. */
bool hd_report_view_variable(const hd_report_view *v, uint64_t address, hd_elf_symbol *symbol);

/* The file's name relative to the current directory. */
const char *hd_report_view_file(const hd_report_view *v, const char *file);

/* The text of a source line, without the blanks at its start; "" if unknown. */
const char *hd_report_view_line(hd_report_view *v, const hd_location *location);

/* The same in `columns` columns: if it does not fit, the part around
 * the location's column, with "…" where it is cut. */
void hd_report_view_excerpt(hd_report_view *v, const hd_location *location, int columns, char *text, size_t size);

#endif
