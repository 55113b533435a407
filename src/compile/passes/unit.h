/* The module being instrumented, and what every pass needs of it.
 *
 * A unit is one translation unit as clang made it, before any optimisation but
 * inlining and the promotion of private variables: each access of the source to
 * memory that could be shared is still there, with its own location.
 * Passes add calls of hooks (abi/hooks.def) and change names, types and
 * sections; they never remove or move an access.
 *
 * `functions` are the user's functions with a body, collected before any pass
 * that inserts hooks. Passes walk a function's instructions through hd_cc_unit_instructions, a
 * copy, so that what they insert is not walked.
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

/* Takes over `module`. */
void hd_cc_unit_open(hd_cc_unit *unit, LLVMModuleRef module, const char *file);
void hd_cc_unit_close(hd_cc_unit *unit);

/* Sets `functions` anew. */
void hd_cc_unit_collect(hd_cc_unit *unit);

/* The instructions of `function` as they are now; valid until the next call. */
hd_cc_values *hd_cc_unit_instructions(hd_cc_unit *unit, LLVMValueRef function);

LLVMValueRef hd_cc_unit_i32(hd_cc_unit *unit, uint32_t value);
LLVMValueRef hd_cc_unit_i64(hd_cc_unit *unit, uint64_t value);

/* New instructions go in front of `instruction`, and share its location. */
void hd_cc_unit_before(hd_cc_unit *unit, LLVMValueRef instruction);

/* New instructions go to the top of `block`, without a location. */
void hd_cc_unit_at_top(hd_cc_unit *unit, LLVMBasicBlockRef block);

/* Calls a hook at the builder's place; as many arguments as its row has. */
LLVMValueRef hd_cc_unit_call(hd_cc_unit *unit, hd_cc_hook hook, LLVMValueRef *arguments);

bool hd_cc_unit_is_hook(const char *name);
bool hd_cc_unit_inline_hook(const char *name);

/* The function with this name, declared if the module does not have it. */
LLVMValueRef hd_cc_unit_function(hd_cc_unit *unit, const char *name, LLVMTypeRef type);

/* Nothing but the user's assembly may stand in it. */
bool hd_cc_is_naked(LLVMValueRef function);

/* A private constant with the text; the same one for the same text. */
/* A line of assembly outside of all functions. */
void hd_cc_unit_assembly(hd_cc_unit *unit, const char *format, ...) __attribute__((format(printf, 2, 3)));

LLVMValueRef hd_cc_unit_text(hd_cc_unit *unit, const char *text);

/* A new hd_site for the instruction. */
LLVMValueRef hd_cc_unit_site(hd_cc_unit *unit, LLVMValueRef instruction);

/* A new hd_loop_site for a loop that begins with the instruction. */
LLVMValueRef hd_cc_unit_loop_site(hd_cc_unit *unit, LLVMValueRef instruction, LLVMValueRef looks_at);

/* Where the user wrote the instruction. The file is named as the compiler was
 * told of it: relative to the folder of the compilation, or in full. Its text
 * belongs to the unit. */
typedef struct hd_cc_location {
    const char *file, *function;
    unsigned line, column;
} hd_cc_location;

/* The instruction's own place, else the nearest one before it in its block,
 * else the function's. */
hd_cc_location hd_cc_unit_location(hd_cc_unit *unit, LLVMValueRef instruction);
bool hd_cc_is_located(LLVMValueRef instruction); /* has a place of its own */

/* Calls of every kind. */
bool hd_cc_is_call(LLVMValueRef instruction);

/* The name of the function that is called, intrinsics included; "" for
 * pointers and inline assembly. */
const char *hd_cc_called_name(LLVMValueRef call);

#endif
