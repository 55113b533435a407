#include "supervisor/debug.h"

#include "base/library.h"
#include "base/subprocess.h"

#include <signal.h>
#include <string.h>

static void keep_going(int number)
{
    (void)number;
}

bool hd_debug_is_possible(hd_arena *arena, hd_error *error)
{
    char *output;
    return hd_subprocess_read((char *[]) { "gdb", "--version", NULL }, arena, &output, NULL)
        || hd_fail(error, "gdb is not installed; 'apt-get install gdb' on Debian");
}

/* Sets which thread gdb shows, and where it stops: at the second access of a race, otherwise at the end. */
static void aim(hd_replay *r, const hd_recorded_run *run, int *thread)
{
    r->config.debugged = true;
    r->config.stop_at = hd_finding_has_accesses(&run->finding) ? run->finding.entries[1] : ~0u;
    *thread = run->finding.kind == HD_FINDING_DEADLOCK ? (int)run->finding.thread : -1;
}

static char **gdb_command(
    const hd_replay *r, const hd_recorded_run *run, int thread, const char *folder, hd_arena *arena)
{
    const hd_module *program = NULL;
    for (uint32_t i = 0; i < run->module_count && !program; i++)
        program = *run->modules[i].path ? NULL : &run->modules[i];
    hd_vec(char *) words = { 0 };
    /* heddle.gdb uses these to find the program's own frames. */
    char *setting = hd_arena_print(arena, "set $heddle_start = 0x%llx, $heddle_end = 0x%llx, $heddle_thread = %d",
        program ? (unsigned long long)program->start : 0, program ? (unsigned long long)program->end : ~0ull, thread);
    char *start[] = { "gdb", "-q", "-iex", "set startup-with-shell off", "-ex", setting, "-x",
        hd_arena_print(arena, "%s/heddle.gdb", folder), "--args" };
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        hd_vec_push(&words, start[i]);
    for (char **a = r->arguments; *a; a++)
        hd_vec_push(&words, *a);
    char **command = hd_arena_alloc(arena, (words.count + 1) * sizeof *command);
    memcpy(command, words.items, words.count * sizeof *command);
    hd_vec_fini(&words);
    return command;
}

bool hd_debug(hd_replay *replay, const hd_recorded_run *run, hd_arena *arena, hd_error *error)
{
    hd_recorded_run unused;
    const char *folder;
    int thread;
    if (!hd_library_find(arena, &folder, error))
        return false;
    aim(replay, run, &thread);
    replay->show_output = true;
    replay->debugger = "gdb";
    replay->debugger_arguments = gdb_command(replay, run, thread, folder, arena);
    signal(SIGINT, keep_going); /* Ctrl-C is for gdb */
    hd_replay_run(replay, arena, &unused, NULL);
    return true;
}
