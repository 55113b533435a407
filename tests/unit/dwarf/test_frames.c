/* The frames at addresses of this program and of a library without debug information. */
#include "dwarf/frames.h"
#include "unit/test.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>

extern const char the_place[];

enum { INNER_LINE = __LINE__ + 3 };
static inline __attribute__((always_inline)) int inner(int value)
{
    __asm__ volatile(".globl the_place\nthe_place: nop" : "+r"(value));
    return value;
}

enum { OUTER_LINE = __LINE__ + 3 };
static __attribute__((noinline)) int outer(int value)
{
    return inner(value) + 1;
}

/* The file is this one, by an absolute name. */
static bool is_here(const hd_dwarf_frame *frame)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", frame->folder ? frame->folder : "", frame->file ? frame->file : "");
    size_t length = strlen(name), tail = strlen(__FILE__);
    return *name == '/' && length > tail && !strcmp(name + length - tail, __FILE__);
}

/* The file that has the address, and the address in that file. */
static hd_frames *file_with(const void *address, uint64_t *pc)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
        return NULL;
    *pc = (uint64_t)address - map->l_addr;
    return hd_frames_open(*map->l_name ? map->l_name : "/proc/self/exe");
}

TEST(inlined_functions_are_frames_with_their_calls)
{
    uint64_t pc;
    hd_dwarf_frame frames[4];
    CHECK_INT(outer(1), 2);
    hd_frames *f = file_with(the_place, &pc);
    CHECK(f);
    CHECK_INT(hd_frames_at(f, pc, frames, 4), 2);
    CHECK_TEXT(frames[0].function, "inner");
    CHECK_TEXT(frames[1].function, "outer");
    CHECK_INT(frames[0].line, INNER_LINE);
    CHECK_INT(frames[1].line, OUTER_LINE);
    CHECK_INT(frames[1].column, 12);
    CHECK(is_here(&frames[0]));
    CHECK(is_here(&frames[1]));
    CHECK_INT(hd_frames_at(f, pc, frames, 1), 1); /* no more than asked for */
    CHECK_TEXT(frames[0].function, "inner");
    hd_frames_close(f);
}

TEST(functions_of_stripped_libraries_have_their_symbols)
{
    uint64_t pc;
    hd_dwarf_frame frames[4];
    void *function = dlsym(RTLD_NEXT, "qsort_r");
    hd_frames *f = file_with(function, &pc);
    CHECK(f);
    CHECK_INT(hd_frames_at(f, pc + 1, frames, 4), 1);
    CHECK(frames[0].function && strstr(frames[0].function, "qsort_r"));
    CHECK(hd_frames_at(f, ~0ull, frames, 4) == 0);
    hd_frames_close(f);
}

TEST(files_that_are_no_programs_have_no_frames)
{
    CHECK(!hd_frames_open("/no/such/file"));
    CHECK(!hd_frames_open("/etc/passwd"));
    CHECK(!hd_frames_open("/"));
    hd_frames_close(NULL);
}
