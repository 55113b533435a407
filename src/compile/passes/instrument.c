/* instrument: turns the bitcode of one translation unit, as clang writes it before any
 * optimisation, into an object file with heddle's hooks. `heddle cc` runs it; loading
 * LLVM takes tens of milliseconds, so it is a separate program.
 *
 *   instrument [OPTIONS] -i INLINE.bc -f NAME -o OUTPUT INPUT.bc
 *
 *   -O LEVEL   the user's optimisation level: 0 1 2 3 s z
 *   -c         hooks for statements and branches
 *   -d FOLDER  where the compiler ran, if not here
 *   -e WHAT    what to write: obj asm ll bc
 *   -f NAME    the source file's name, for messages
 *   -l         the file is part of heddle's runtime: only hooks for inputs
 *   -p         no twins, unless the file itself asks for inputs; the object keeps the bitcode (compile/kept.h)
 *   -s         a section for each function
 *   -t         print the CPU time of each step, and of LLVM's passes
 *   -w         no warnings
 */
#include "base/error.h"
#include "compile/passes/allowed.h"
#include "compile/passes/backend.h"
#include "compile/passes/passes.h"
#include "compile/passes/shadow.h"

#include <llvm-c/Support.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct request {
    const char *input, *output, *inline_path, *file, *folder, *annotations;
    char level;
    hd_cc_emit emit;
    bool library, plain, sections, quiet, cover, timed, emitting;
} request;

static _Noreturn void usage(const char *what)
{
    fprintf(stderr, "instrument: %s; this program is run by 'heddle cc'\n", what);
    exit(HD_EXIT_USAGE);
}

static hd_cc_emit emit_named(const char *name)
{
    static const char *const names[] = {
        [HD_EMIT_OBJECT] = "obj", [HD_EMIT_ASSEMBLY] = "asm", [HD_EMIT_TEXT] = "ll", [HD_EMIT_BITCODE] = "bc"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return (hd_cc_emit)i;
    usage("-e expects obj, asm, ll or bc");
}

static void parse_one(request *r, int option)
{
    switch (option) {
    case 'O':
        r->level = optarg[0];
        break;
    case 'a':
        r->annotations = optarg;
        break;
    case 'c':
        r->cover = true;
        break;
    case 'd':
        r->folder = optarg;
        break;
    case 'e':
        r->emit = emit_named(optarg);
        break;
    case 'f':
        r->file = optarg;
        break;
    case 'i':
        r->inline_path = optarg;
        break;
    case 'l':
        r->library = true;
        break;
    case 'o':
        r->output = optarg;
        break;
    case 'p':
        r->plain = true;
        break;
    case 's':
        r->sections = true;
        break;
    case 't':
        r->timed = true;
        break;
    case 'w':
        r->quiet = true;
        break;
    default:
        usage("unknown option");
    }
}

static request parse(int argc, char **argv)
{
    request r = { .level = '2', .emit = HD_EMIT_OBJECT };
    for (int option; (option = getopt(argc, argv, "O:a:cd:e:f:i:lo:pstw")) != -1;)
        parse_one(&r, option);
    if (optind + 1 != argc || !r.output || !r.inline_path)
        usage("expected -i INLINE.bc -o OUTPUT INPUT.bc");
    if (!strchr("0123sz", r.level))
        usage("-O expects 0, 1, 2, 3, s or z");
    r.input = argv[optind];
    r.file = r.file ? r.file : r.input;
    return r;
}

/* Errors and warnings of LLVM's back end, for example about inline assembly, concern the user's code. Errors before
 * that are errors in heddle. */
static void diagnose(LLVMDiagnosticInfoRef info, void *context)
{
    const request *r = context;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    if (severity != LLVMDSError && severity != LLVMDSWarning)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    if (severity == LLVMDSError && !r->emitting)
        hd_panic("%s: %s", r->file, text);
    fprintf(stderr, "%s: %s: %s\n", r->file, severity == LLVMDSError ? "error" : "warning", text);
    LLVMDisposeMessage(text);
    if (severity == LLVMDSError)
        exit(1);
}

/* --- time ------------------------------------------------------------------------- */

static void time_llvm(void)
{
    static const char *const options[] = { "instrument", "-time-passes" };
    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
}

/* Prints the CPU time of a step that began at `*since`, which becomes the start of the next one. */
static void step(const request *r, const char *name, clock_t *since)
{
    clock_t now = clock();
    if (r->timed)
        fprintf(stderr, "%s: %-28s %8.3f s\n", r->file, name, (double)(now - *since) / CLOCKS_PER_SEC);
    *since = now;
}

/* A file of the runtime that carries shadows: it has twins, but no hooks of accesses, which it announces itself. */
static void instrument_runtime(hd_cc_unit *unit, LLVMTargetMachineRef machine)
{
    hd_cc_twins twins;
    hd_cc_backend_prepare(unit, machine, '0');
    hd_cc_twins_open(&twins, unit);
    hd_cc_pass_shadow(&twins, true);
    hd_cc_twins_close(&twins, unit);
    hd_cc_twins_dispatch(unit);
    hd_cc_backend_verify(unit);
}

/* How many inline hooks LLVM can take. Twins have several for each access, and calls instead cost them more. */
static const hd_cc_inline_limits plain_limits = { 48, 1920 }, twin_limits = { 300, 6000 }, none = { 0, 0 };

/* Twins are copies of the functions with all hooks, so they are created after the other passes; originals and twins
 * then get their versions separately. */
static void multiply_with_twins(hd_cc_unit *unit, LLVMTargetMachineRef machine, bool versions)
{
    hd_cc_twins twins;
    hd_cc_twins_open(&twins, unit);
    hd_cc_pass_shadow(&twins, false);
    hd_cc_pass_outline(&twins.unit, versions ? twin_limits : none);
    if (versions) {
        hd_cc_pass_versions(unit, machine, false);
        hd_cc_pass_versions(&twins.unit, machine, true);
    }
    hd_cc_twins_close(&twins, unit);
    hd_cc_twins_dispatch(unit);
}

/* The options to instrument the unit's bitcode again, with twins. */
static void keep(hd_cc_unit *unit, const request *r)
{
    const char *options[11], **next = options;
    *next++ = hd_arena_print(&unit->texts, "-O%c", r->level);
    *next++ = "-d";
    *next++ = unit->folder;
    *next++ = "-f";
    *next++ = r->file;
    if (r->sections)
        *next++ = "-s";
    if (r->cover)
        *next++ = "-c";
    if (r->annotations) {
        *next++ = "-a";
        *next++ = r->annotations;
    }
    *next++ = "-w"; /* warnings have been printed */
    *next = NULL;
    hd_cc_pass_keep(unit, options, r->input);
}

/* The order of the passes: see passes.h. */
static void instrument(hd_cc_unit *unit, hd_cc_bounds *bounds, const request *r, LLVMTargetMachineRef machine)
{
    bool versions = strchr("123", r->level) != NULL, plain = r->plain && !hd_cc_asks_for_inputs(unit);
    clock_t since = clock();
    hd_cc_pass_attributes(unit);
    hd_cc_pass_atomic_functions(unit);
    hd_cc_pass_annotations(unit, r->annotations);
    hd_cc_pass_returns(unit);
    hd_cc_pass_assembly(unit, !r->quiet);
    hd_cc_pass_machine(unit);
    hd_cc_pass_errno(unit);
    hd_cc_pass_paths(unit);
    hd_cc_backend_prepare(unit, machine, r->level);
    step(r, "inlining", &since);
    hd_cc_bounds_open(bounds, unit);
    step(r, "bounds", &since);
    hd_cc_pass_loops(unit);
    hd_cc_pass_accesses(unit);
    hd_cc_pass_again(unit);
    hd_cc_pass_fill(unit);
    hd_cc_pass_clocks(unit);
    hd_cc_pass_calls(unit);
    hd_cc_pass_tls(unit);
    if (r->cover)
        hd_cc_pass_cover(unit);
    hd_cc_pass_outline(unit, versions ? plain_limits : none);
    step(r, "hooks", &since);
    if (!plain)
        multiply_with_twins(unit, machine, versions);
    else if (versions)
        hd_cc_pass_versions(unit, machine, false);
    step(r, plain ? "versions" : "twins and versions", &since);
    hd_cc_pass_globals(unit);
    hd_cc_pass_own(unit);
    if (plain)
        keep(unit, r);
    if (r->sections)
        hd_cc_pass_sections(unit);
    hd_cc_backend_verify(unit);
}

int main(int argc, char **argv)
{
    request r = parse(argc, argv);
    clock_t since = clock();
    if (r.timed)
        time_llvm();
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, diagnose, &r);
    LLVMModuleRef module = hd_cc_backend_read(context, r.input);
    LLVMTargetMachineRef machine = hd_cc_backend_machine(module, r.level, r.file);
    hd_cc_unit unit;
    hd_cc_bounds bounds = { 0 };
    hd_cc_unit_open(&unit, module, r.file);
    if (r.folder)
        unit.folder = r.folder;
    step(&r, "reading", &since);
    if (r.library)
        instrument_runtime(&unit, machine);
    else
        instrument(&unit, &bounds, &r, machine);
    since = clock();
    hd_cc_backend_link_hooks(&unit, r.inline_path);
    hd_cc_backend_optimise(&unit, machine, r.level);
    step(&r, "optimising", &since);
    hd_cc_pass_name_plain(&unit);
    hd_cc_bounds_write(&bounds, &unit);
    hd_cc_bounds_close(&bounds);
    r.emitting = true;
    hd_cc_backend_emit(&unit, machine, r.emit, r.output);
    step(&r, "machine code", &since);
    hd_cc_unit_close(&unit);
    LLVMDisposeTargetMachine(machine);
    LLVMContextDispose(context);
    if (r.timed)
        LLVMShutdown(); /* prints the times of the back end's passes */
    return HD_EXIT_CLEAN;
}
