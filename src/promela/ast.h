/* A parsed model. Control flow is represented as in SPIN, because states and transitions are counted
 * as SPIN counts them: every basic statement is an element with a number of its own (its control
 * state), `if` and `do` are elements with one sequence per option, `{ }` blocks hang below an element,
 * and joins are elements too ("." after a selection, a break target after a loop). flow.c computes
 * what a process can do next at an element, analyse.c which statements run together, compile.c the
 * code.
 *
 * Everything lives in the model's arena. The tree is plain data, which every phase reads and adds to. */
#ifndef HD_PROMELA_AST_H
#define HD_PROMELA_AST_H

#include "base/memory.h"
#include "base/vec.h"
#include "promela/lexer.h"

typedef enum hd_promela_type {
    HD_TYPE_NONE,
    HD_TYPE_BIT,
    HD_TYPE_BOOL,
    HD_TYPE_BYTE,
    HD_TYPE_MTYPE,
    HD_TYPE_PID,
    HD_TYPE_CHAN,
    HD_TYPE_SHORT,
    HD_TYPE_INT,
    HD_TYPE_UNSIGNED,
    HD_TYPE_STRUCT,
} hd_promela_type;

typedef enum hd_promela_symbol_kind {
    HD_SYMBOL_VARIABLE,
    HD_SYMBOL_CONSTANT, /* a name of an mtype */
    HD_SYMBOL_PROCTYPE,
    HD_SYMBOL_INLINE,
    HD_SYMBOL_TYPEDEF,
    HD_SYMBOL_PID, /* _pid, _nr_pr, _last, _ */
    HD_SYMBOL_NR_PR,
    HD_SYMBOL_LAST,
    HD_SYMBOL_ANY,
} hd_promela_symbol_kind;

typedef struct hd_promela_field { /* one scalar of a message */
    hd_promela_type type;
    int bits;
} hd_promela_field;

typedef struct hd_promela_channel { /* what `[4] of { mtype, byte }` says */
    hd_promela_location location;
    int capacity; /* 0: rendezvous */
    hd_promela_field *fields;
    int field_count;
    uint32_t message_size;
} hd_promela_channel;

typedef struct hd_promela_scope {
    struct hd_promela_scope *parent;
} hd_promela_scope;

struct hd_promela_node;
struct hd_promela_proctype;

enum { HD_EXCLUSIVE_RECEIVE = 1, HD_EXCLUSIVE_SEND = 2 };

typedef struct hd_promela_symbol {
    const char *name;
    hd_promela_symbol_kind kind;
    hd_promela_type type;
    int bits; /* of an unsigned */
    int count; /* array length, 1 for a scalar */
    bool is_array, as_local;
    bool written; /* written by a statement (an initial value does not count) */
    bool read; /* read outside printf; a global that is never read is not part of the state */
    struct hd_promela_symbol **fields; /* of a typedef, and of variables of it */
    int field_count;
    struct hd_promela_proctype *owner; /* NULL: global */
    hd_promela_scope *scope;
    struct hd_promela_node *initial; /* an expression, or a list for arrays */
    bool initial_is_list;
    hd_promela_channel *channel; /* of a chan with an initialiser */
    uint32_t offset, element_size; /* in its frame, or in its struct */
    int value; /* of a constant */
    unsigned exclusive; /* xr, xs */
    size_t body_from, body_to; /* of an inline: tokens of its body */
    const char **parameters;
    int parameter_count;
    struct hd_promela_proctype *proctype;
    hd_promela_location location;
    struct hd_promela_symbol *next;
} hd_promela_symbol;

/* The kinds of nodes. Operators stand for themselves in `sign`. */
typedef enum hd_promela_op {
    HD_N_CONST,
    HD_N_NAME, /* left: index, right: field */
    HD_N_UNARY, /* sign, left */
    HD_N_BINARY, /* sign, left, right */
    HD_N_CHOOSE, /* (left -> right : third) */
    HD_N_RUN, /* symbol, arguments in `list` */
    HD_N_LEN, /* left: channel; also the next four */
    HD_N_EMPTY,
    HD_N_NEMPTY,
    HD_N_FULL,
    HD_N_NFULL,
    HD_N_POLL, /* left?[list]; value 1: ?? */
    HD_N_EVAL, /* eval(left), in a receive */
    HD_N_TIMEOUT,
    /* in claims only */
    HD_N_TEMPORAL, /* sign: an hd_promela_temporal; left, right */
    HD_N_AT_LABEL, /* symbol[left]@label: a proctype, a pid or NULL */
    HD_N_REMOTE, /* symbol[left]:right */
    HD_N_ENABLED, /* left: a pid; also the next */
    HD_N_PC_VALUE,
    HD_N_NO_PROGRESS, /* np_ */
    /* statements */
    HD_S_EXPRESSION, /* left */
    HD_S_ASSIGN, /* left = right */
    HD_S_SEND, /* left!list; value 1: !! */
    HD_S_RECEIVE, /* left?list; value 1: ??, 2: ?<>, 3: ??<> */
    HD_S_ASSERT,
    HD_S_PRINT, /* list */
    HD_S_ELSE,
    HD_S_GOTO, /* label, or break_target */
    HD_S_LABELLED, /* label: left */
    HD_S_IF,
    HD_S_DO,
    HD_S_ATOMIC,
    HD_S_D_STEP,
    HD_S_BLOCK,
    HD_S_UNLESS,
    HD_S_JOIN, /* "." */
    HD_S_BREAK_TARGET,
    HD_S_END,
} hd_promela_op;

typedef enum hd_promela_temporal {
    HD_T_ALWAYS = 1,
    HD_T_EVENTUALLY,
    HD_T_NEXT,
    HD_T_UNTIL,
    HD_T_WEAK_UNTIL,
    HD_T_RELEASE,
    HD_T_IMPLIES,
    HD_T_EQUIV,
} hd_promela_temporal;

typedef struct hd_promela_node {
    hd_promela_op op;
    int sign; /* token kind of an operator */
    int32_t value;
    hd_promela_symbol *symbol;
    struct hd_promela_node *left, *right, *third;
    struct hd_promela_node *list, *next; /* arguments: list heads a chain of next */
    const char *label;
    struct hd_promela_scope *scope; /* of a goto */
    int break_target; /* of a goto made by `break`: 1, 2, … */
    bool io_else; /* an `else` beside channel operations */
    int in_d_step; /* 0, or the number of the d_step */
    struct hd_promela_sequences *options;
    hd_promela_location location;
} hd_promela_node;

enum { /* status of an element */
    HD_ATOMIC = 2, /* the process keeps going after it */
    HD_LAST_ATOMIC = 4,
    HD_D_STEP = 32,
    HD_DONE = 1,
};

typedef struct hd_promela_dead {
    hd_promela_symbol *variable;
    bool after_write;
    struct hd_promela_dead *next;
} hd_promela_dead;

typedef struct hd_promela_element {
    hd_promela_node *node;
    int number; /* in its proctype, from 1: the control state */
    int id; /* in the model: SPIN's transition id */
    int merge, merge_start, merge_single, incoming;
    unsigned status;
    hd_promela_dead *dead;
    struct hd_promela_sequences *options, *escapes;
    struct hd_promela_element *next, *older; /* in the sequence; in the model */
} hd_promela_element;

typedef struct hd_promela_sequence {
    hd_promela_element *first, *last, *extent;
} hd_promela_sequence;

typedef struct hd_promela_sequences {
    hd_promela_sequence *sequence;
    struct hd_promela_sequences *next;
} hd_promela_sequences;

typedef struct hd_promela_label {
    const char *name; /* NULL: a break target */
    int break_target;
    hd_promela_scope *scope;
    hd_promela_element *element;
    struct hd_promela_label *next;
} hd_promela_label;

typedef struct hd_promela_proctype {
    const char *name;
    hd_promela_symbol *symbol; /* NULL for init */
    hd_vec(hd_promela_symbol *) variables; /* parameters first, then locals */
    int parameter_count;
    int active; /* instances at the start */
    hd_promela_node *provided;
    hd_promela_sequence *body;
    hd_promela_label *labels; /* newest first */
    int element_count; /* numbers below this are taken */
    uint32_t frame_size;
    int index;
    bool is_init;
    bool merged; /* chains of statements have been merged (analyse.c) */
    hd_promela_location location;
} hd_promela_proctype;

typedef struct hd_promela_claim {
    const char *name;
    hd_promela_location location;
    bool is_ltl;
    hd_promela_node *formula; /* of an ltl */
    hd_promela_proctype *never; /* of a never claim; not among the model's proctypes */
    size_t from, to; /* its tokens */
} hd_promela_claim;

typedef struct hd_promela_model {
    hd_arena arena;
    const char *file;
    hd_vec(hd_promela_symbol *) globals; /* variables, in the order of declaration */
    hd_vec(hd_promela_symbol *) constants; /* of mtypes */
    hd_vec(hd_promela_proctype *) proctypes;
    hd_vec(hd_promela_claim) claims;
    hd_promela_element *elements; /* newest first */
    int element_ids;
    uint32_t frame_size; /* of the globals */
    bool has_rendezvous, has_provided, has_unless, has_last, has_timeout;
    bool has_remote_variable; /* then dead locals are not reset and statements are not merged, since a claim could
                                 observe both */
} hd_promela_model;

/* The name of an mtype constant, or NULL. */
const char *hd_promela_constant_name(const hd_promela_model *m, int value);

/* Are two expressions structurally equal? */
bool hd_promela_same(const hd_promela_node *a, const hd_promela_node *b);

/* Bytes that a variable of this type takes. */
uint32_t hd_promela_type_size(hd_promela_type type);

#endif
