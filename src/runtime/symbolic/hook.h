/* How the slow halves of hooks are defined: see runtime/inline.c. */
#ifndef HD_RUNTIME_SYMBOLIC_HOOK_H
#define HD_RUNTIME_SYMBOLIC_HOOK_H

#if __has_attribute(preserve_most)
#define HOOK_ENTRY __attribute__((visibility("default"), preserve_most))
#else
#define HOOK_ENTRY __attribute__((visibility("default")))
#endif

#endif
