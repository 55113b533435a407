/* The module that is being instrumented, and what every pass needs of it.
 *
 * A unit is one translation unit as clang made it, before any optimisation except
 * inlining and the promotion of private variables: each access of the source to memory
 * that could be shared is still there, with its own location.
 * Invariant: passes add calls of hooks (abi/hooks.def) and change names, types and
 * sections; they never remove or move an access.
 *
 * `functions` are the user's functions with a body, collected before any pass that
 * inserts hooks. Passes iterate over hd_cc_unit_instructions, a copy of a function's
 * instructions, so that they do not visit what they insert.
 *
 * The structure is open: it is the passes' working data.
 */
#ifndef HD_COMPILE_PASSES_UNIT_H
#define HD_COMPILE_PASSES_UNIT_H

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum hd_cc_hook {
#define HOOK(name, ...) hook_##name,
#define INLINE_HOOK(name, ...) hook_##name,
#include "abi/hooks.def"
#undef HOOK
#undef INLINE_HOOK
    HD_HOOK_COUNT
} hd_cc_hook;

typedef hd_vec(LLVMValueRef) hd_cc_values;

typedef struct hd_cc_unit {
    const char *file; /* the source as the user named it */
    const char *folder; /* where the compiler ran */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef nothing, pointer, i32, i64;
    LLVMValueRef hooks[HD_HOOK_COUNT]; /* NULL until first used */
    LLVMTypeRef hook_types[HD_HOOK_COUNT];
    hd_arena texts;
    hd_cc_values functions;
    hd_cc_values instructions; /* of the last hd_cc_unit_instructions */
} hd_cc_unit;

/* Takes ownership of `module`. */
void hd_cc_unit_open(hd_cc_unit *unit, LLVMModuleRef module, const char *file);
void hd_cc_unit_close(hd_cc_unit *unit);

/* Collects `functions` again. */
void hd_cc_unit_collect(hd_cc_unit *unit);

/* A copy of the list of the instructions of `function`; valid until the next call. */
hd_cc_values *hd_cc_unit_instructions(hd_cc_unit *unit, LLVMValueRef function);

LLVMValueRef hd_cc_unit_i32(hd_cc_unit *unit, uint32_t value);
LLVMValueRef hd_cc_unit_i64(hd_cc_unit *unit, uint64_t value);

/* New instructions are inserted before `instruction`, with its location. */
void hd_cc_unit_before(hd_cc_unit *unit, LLVMValueRef instruction);

/* New instructions are inserted at the top of `block`, without a location. */
void hd_cc_unit_at_top(hd_cc_unit *unit, LLVMBasicBlockRef block);

/* Inserts a call of a hook at the builder's position, with as many arguments as its row has. */
LLVMValueRef hd_cc_unit_call(hd_cc_unit *unit, hd_cc_hook hook, LLVMValueRef *arguments);

/* Is it the name of a hook; of an inline one; of an inline one as a function? */
bool hd_cc_unit_is_hook(const char *name);
bool hd_cc_unit_inline_hook(const char *name);
bool hd_cc_unit_apart_hook(const char *name);
#define HD_APART_SUFFIX "_apart"

/* The function with this name, declared if the module does not have it. */
LLVMValueRef hd_cc_unit_function(hd_cc_unit *unit, const char *name, LLVMTypeRef type);

/* Is it a naked function, which may contain only assembly? */
bool hd_cc_is_naked(LLVMValueRef function);

/* Adds a line of assembly outside of all functions. */
void hd_cc_unit_assembly(hd_cc_unit *unit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text as a string of the assembler, with quotes. */
const char *hd_cc_unit_quoted(hd_cc_unit *unit, const char *text);

/* A private constant with the text; the same constant for the same text. */
LLVMValueRef hd_cc_unit_text(hd_cc_unit *unit, const char *text);

/* The kind of the metadata in which instructions keep their access paths (abi/site.h). */
unsigned hd_cc_path_kind(hd_cc_unit *unit);

/* An operand of a node of debug information for which the C API has no function; NULL: it has no such operand. */
LLVMValueRef hd_cc_unit_part(hd_cc_unit *unit, LLVMMetadataRef node, unsigned index);

/* A new hd_site for the instruction. */
LLVMValueRef hd_cc_unit_site(hd_cc_unit *unit, LLVMValueRef instruction);

/* A new hd_loop_site for a loop that begins with the instruction. */
LLVMValueRef hd_cc_unit_loop_site(hd_cc_unit *unit, LLVMValueRef instruction, LLVMValueRef looks_at);

/* The source location of an instruction. The file is named as on the compiler's command line: relative to the folder of
 * the compilation, or in full. The texts belong to the unit. */
typedef struct hd_cc_location {
    const char *file, *function;
    unsigned line, column;
} hd_cc_location;

/* The instruction's own location, else the nearest one before it in its block, else the function's. */
hd_cc_location hd_cc_unit_location(hd_cc_unit *unit, LLVMValueRef instruction);
bool hd_cc_is_located(LLVMValueRef instruction); /* has it a location of its own? */

/* Is it a call of any kind? */
bool hd_cc_is_call(LLVMValueRef instruction);

/* The name of the called function, also of intrinsics; "" for calls through pointers and inline assembly. */
const char *hd_cc_called_name(LLVMValueRef call);

#endif
