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

/* A short name for what is at `address`: counter, forks+40, heap+8, 0x7f… Returns false for an object of the runtime
 * (abi/shown.def): its bytes mean nothing. */
bool hd_report_view_name(const hd_report_view *v, uint64_t address, char *text, size_t size);

/* The same for what a thread waits for. */
void hd_report_view_name_awaited(const hd_report_view *v, const hd_thread_view *thread, char *text, size_t size);

/* The global variable that contains `address`. */
bool hd_report_view_variable(const hd_report_view *v, uint64_t address, hd_elf_symbol *symbol);

/* The file's name relative to the current directory. */
const char *hd_report_view_file(const hd_report_view *v, const char *file);

/* The text of a source line, without the blanks at its start; "" if unknown. */
const char *hd_report_view_source(hd_report_view *v, const hd_location *location);

#endif
