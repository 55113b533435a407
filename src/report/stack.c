#include "report/stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void hd_report_thread_tag(const hd_recorded_run *run, uint32_t thread, char text[static HD_REPORT_NAME])
{
    const char *process = thread < run->thread_count ? run->threads[thread].process : NULL;
    snprintf(text, HD_REPORT_NAME, "%s%sT%" PRIu32, process ? process : "", process ? "/" : "", thread);
}

void hd_report_thread_name(const hd_recorded_run *run, uint32_t thread, char text[static HD_REPORT_NAME])
{
    const char *process = thread < run->thread_count ? run->threads[thread].process : NULL;
    if (process)
        snprintf(text, HD_REPORT_NAME, "thread %s/T%" PRIu32, process, thread);
    else if (thread)
        snprintf(text, HD_REPORT_NAME, "thread T%" PRIu32, thread);
    else
        snprintf(text, HD_REPORT_NAME, "main thread");
}

static void print_frame(const hd_report_view *v, uint32_t number, const hd_report_frame *f, FILE *out)
{
    fprintf(out, "    #%" PRIu32 " %s", number, f->function);
    if (f->line)
        fprintf(out, " %s:%" PRIu32, hd_report_view_file(v, f->file), f->line);
    if (f->line && f->column)
        fprintf(out, ":%" PRIu32, f->column);
    putc('\n', out);
}

void hd_report_location(const hd_report_view *v, uint32_t number, const hd_location *p, FILE *out)
{
    hd_report_frame f = { p->function, p->file, p->line, p->column };
    print_frame(v, number, &f, out);
}

static bool is_at(const hd_report_frame *f, const hd_location *location)
{
    return !f->column && location->line && f->line == location->line && !strcmp(f->function, location->function);
}

/* How many frames after this one are at the same place: calls of a function by itself. */
static uint32_t count_same(const hd_stack *stack, uint32_t i)
{
    uint32_t count = 0;
    while (i + 1 + count < HD_STACK_DEPTH && stack->pc[i + 1 + count] == stack->pc[i])
        count++;
    return count;
}

/* The frames of one address: several if functions were inlined. Returns the number of the next. */
static uint32_t print_address(
    const hd_report_view *v, const hd_report_symbol *s, uint32_t number, const hd_location *location, FILE *out)
{
    for (uint32_t k = 0; s && k < s->count; k++)
        if (!number && is_at(&s->frames[k], location))
            hd_report_location(v, number++, location, out); /* the operation knows the column */
        else
            print_frame(v, number++, &s->frames[k], out);
    return number;
}

void hd_report_stack(const hd_report_view *v, const hd_stack *stack, const hd_location *location, FILE *out)
{
    enum { FEW = 3 };
    uint32_t number = 0;
    for (uint32_t i = 0; i < HD_STACK_DEPTH && stack->pc[i]; i++) {
        uint32_t same = count_same(stack, i), first = number;
        number = print_address(v, hd_report_symbols_at(&v->reported->symbols, stack->pc[i]), number, location, out);
        if (same < FEW)
            continue;
        if (i + same + 1 < HD_STACK_DEPTH)
            fprintf(out, "    … %" PRIu32 " more calls from there\n", same);
        else
            fprintf(out, "    … and further calls from there\n");
        number += same * (number - first);
        i += same;
    }
    if (!number)
        hd_report_location(v, 0, location, out);
}
