/* Inline assembly. The compiler's intermediate form says of it: a text with
 * holes, and a list of operands, each with a constraint that says where it may
 * be (a register, a constant, memory).
 *
 * Assembly that consists of instructions in assembly.def is *lifted*: it is
 * replaced by the same loads, stores, atomic updates and fences in LLVM's own
 * terms, so that all passes behind treat it like code that the user has written
 * in C. Other assembly stays; its memory operands are accesses, and if it may
 * touch other memory as well, or its operands in a way that is not known, the
 * runtime is told whenever it is executed (hd_unseen), and the verdict says so.
 */
#ifndef HD_COMPILE_PASSES_ASSEMBLY_H
#define HD_COMPILE_PASSES_ASSEMBLY_H

#include "compile/passes/unit.h"

typedef enum hd_cc_assembly_kind {
    HD_ASSEMBLY_NOTHING, /* a compiler barrier, or the processor's pause */
    HD_ASSEMBLY_REGISTERS, /* computes on registers only */
    HD_ASSEMBLY_OPERANDS, /* accesses its memory operands, and nothing else */
    HD_ASSEMBLY_UNSEEN /* may access what is not known */
} hd_cc_assembly_kind;

hd_cc_assembly_kind hd_cc_assembly_judge(LLVMValueRef call);

/* --- operands --------------------------------------------------------------- */

enum { HD_ASM_OPERANDS = 30, HD_ASM_NO_REGISTER = -1, HD_ASM_REGISTERS = 16 };

typedef struct hd_cc_asm_operand {
    bool is_output, is_memory; /* memory: `value` is its address */
    bool may_be_register; /* of one in memory */
    int fixed; /* the register it must be in */
    int tied; /* the output that this input shares its place with, or -1 */
    const char *flag; /* of the condition that this output tells, or NULL */
    LLVMValueRef value; /* of inputs and of memory */
    unsigned argument; /* of the call: `value` */
    LLVMTypeRef type;
    unsigned result; /* of an output in a register: which part of the call's result */
} hd_cc_asm_operand;

typedef struct hd_cc_asm_operands {
    hd_cc_asm_operand items[HD_ASM_OPERANDS];
    unsigned count, result_count;
    bool clobbers_memory;
    bool clobbers[HD_ASM_REGISTERS];
    bool is_understood; /* false: there are too many, or of a strange kind */
} hd_cc_asm_operands;

typedef struct hd_cc_asm {
    char *printed; /* the storage of the text */
    char *text; /* with LLVM's holes ($0, ${1:w}, $$) */
    bool is_intel;
    hd_cc_asm_operands operands;
} hd_cc_asm;

void hd_cc_asm_open(hd_cc_asm *a, LLVMValueRef call);
void hd_cc_asm_close(hd_cc_asm *a);

bool hd_cc_is_assembly(LLVMValueRef instruction);

/* Whether the call's argument is a memory operand of an assembly, whose address
 * goes no further. */
bool hd_cc_asm_is_memory_operand(LLVMValueRef call, unsigned argument);

/* --- text ------------------------------------------------------------------- */

enum { HD_ASM_STATEMENTS = 24, HD_ASM_ARGUMENTS = 3 };

typedef enum hd_cc_asm_storage { HD_ASM_REGISTER, HD_ASM_CONSTANT, HD_ASM_MEMORY } hd_cc_asm_storage;

/* Where a value of an instruction is. A register is one of the machine's, or
 * HD_ASM_REGISTERS + the number of an operand, which stands for the register that
 * the compiler would choose for it. */
typedef struct hd_cc_asm_argument {
    hd_cc_asm_storage storage;
    int reg;
    unsigned width; /* of a register, as it is named; 0: not said */
    int operand; /* the operand of which the address is part, or -1 */
    int base, index; /* registers of an address, or HD_ASM_NO_REGISTER */
    unsigned scale;
    int64_t constant; /* also what is added to an address */
    int constant_operand; /* is added to it, or -1 */
    bool is_stack; /* relative to the stack pointer */
    bool in_thread; /* relative to the thread pointer (%fs) */
} hd_cc_asm_argument;

typedef struct hd_cc_asm_statement {
    char mnemonic[16];
    bool is_locked, is_repeated;
    unsigned count;
    hd_cc_asm_argument arguments[HD_ASM_ARGUMENTS];
} hd_cc_asm_statement;

typedef struct hd_cc_asm_program {
    hd_cc_asm_statement items[HD_ASM_STATEMENTS];
    unsigned count;
} hd_cc_asm_program;

/* False: something in the text is not understood. */
bool hd_cc_asm_parse(const hd_cc_asm *a, hd_cc_asm_program *program);

/* The register with this name; its width in bits. */
int hd_cc_asm_register(const char *name, size_t length, unsigned *width);

/* --- lifting ---------------------------------------------------------------- */

/* Replaces the call by what it means; false: it is left as it is. */
bool hd_cc_asm_lift(hd_cc_unit *unit, LLVMValueRef call, const hd_cc_asm *a);

/* Whether the instruction accesses memory only through its operands. */
bool hd_cc_asm_stays_in_operands(const hd_cc_asm_statement *statement);

#endif
