/* The calling convention of hooks that are called from inlined code (runtime/inline.c): they save all registers, so
 * the fast path around them needs none saved. */
#ifndef HD_RUNTIME_SYMBOLIC_HOOK_H
#define HD_RUNTIME_SYMBOLIC_HOOK_H

#if __has_attribute(preserve_most)
#define HOOK_ENTRY __attribute__((visibility("default"), preserve_most))
#else
#define HOOK_ENTRY __attribute__((visibility("default")))
#endif

#endif
