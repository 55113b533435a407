/* A row for every function of abi/redirect.def: its name, the program's function of that
 * name, hd_NAME, which instrumented code calls instead, and the C library's function.
 * References are weak: they pull nothing into the program, and are 0 where nothing
 * defines the name. See runtime/image/owners.h.
 *
 * The runtime itself calls hd_libc_NAME (scripts/weaken-faces). */
    .hidden hd_owners, hd_owners_end
    .globl hd_owners, hd_owners_end
    .section hd_own_data, "aw", @progbits
hd_owners:

    .macro owner name, face, libc
    .weak \name
    .ifnc \face, 0
    .weak \face
    .endif
    .section .rodata.str1.1, "aMS", @progbits, 1
1:  .asciz "\name"
    .section hd_own_data, "aw", @progbits
    .quad 1b, \name, \face
2:  .quad \libc
    .ifndef hd_libc_\name
    .section hd_text, "ax", @progbits
    .hidden hd_libc_\name
    .globl hd_libc_\name
    .type hd_libc_\name, @function
hd_libc_\name:
    jmp *2b(%rip)
    .section hd_own_data, "aw", @progbits
    .endif
    .endm

#define REDIRECT(name) owner name, hd_##name, name;
#define PROVIDE(name) owner name, hd_##name, 0;
#define REDIRECT_AS(name, other) owner name, hd_##other, name;
#define REDIRECT_UNUSED(name) owner name, hd_##name##_unused, name;
#define UNMODELLED(name) owner name, 0, name;
#include "abi/redirect.def"

#define FOLLOWS(name)
#define CARRIES(name)
#define SHOWS(name)
#define PRINTS(name)
#define FOLLOWS_IN_TWINS(name) owner name, hd_##name, name;
#include "abi/follow.def"

/* Not modelled, but called by the runtime. */
    .irp name, dl_iterate_phdr, dladdr, dlerror, fileno, getenv, madvise, memfd_create, munmap, process_vm_readv, \
        pthread_attr_getdetachstate, pthread_attr_init, pthread_attr_setdetachstate, pthread_attr_setstack, \
        pthread_mutexattr_getrobust, pthread_mutexattr_gettype, pwrite, sigabbrev_np, sigdescr_np, strerror, strsignal, \
        sysconf
    owner \name, 0, \name
    .endr

hd_owners_end:
    .section .note.GNU-stack, "", @progbits
