#include "report/names.h"

#include "base/elf.h"
#include "base/map.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "event/op.h"
#include "report/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 160 /* bytes of a name at most; what is longer is cut off */ };

/* A pointer by which accesses reach a block. */
typedef struct root {
    const char *text; /* NULL: only the type is known */
    hd_dwarf_type type; /* of what it points to */
    hd_dwarf *dwarf; /* that the type is of */
    uint64_t size; /* of the type */
    bool is_array; /* an access has gone to another element than the first, or to any */
    bool is_refuted; /* an access has shown that it points elsewhere */
} root;

typedef hd_vec(root) roots;

/* What is known about one block of hd_recorded_run.blocks. */
typedef struct block {
    roots roots;
    root *best; /* NULL: nothing is known */
    const char *text; /* how the block is called: best->text, or its number */
    bool is_named; /* text is not a number */
} block;

struct hd_report_names {
    const hd_recorded_run *run;
    const char *program;
    hd_arena *arena;
    hd_elf elf; /* of the program */
    hd_dwarf **dwarfs; /* per module; NULL: not opened yet, or none */
    bool *opened;
    block *blocks; /* parallel to run->blocks */
    hd_vec(struct snapshot {
        uint64_t stack; /* its number */
        uint32_t entry; /* of the log; ~0: at the end */
        const hd_stack *frames;
    }) snapshots; /* by stack and entry */
};

/* A name that is found: its words, and the type of the bytes. */
typedef struct named {
    char text[NAME];
    const char *suffix; /* " (local of main)", or "" */
    hd_dwarf *dwarf;
    hd_dwarf_type type; /* 0: unknown */
    bool is_opaque; /* an object of the runtime: its bytes mean nothing */
} named;

/* --- modules ------------------------------------------------------------------------------- */

static const hd_module *module_at(const hd_report_names *n, uint64_t address)
{
    for (uint32_t i = 0; i < n->run->module_count; i++)
        if (address >= n->run->modules[i].start && address < n->run->modules[i].end)
            return &n->run->modules[i];
    return NULL;
}

static bool is_system(const char *path)
{
    return !strncmp(path, "/lib", 4) || !strncmp(path, "/usr/lib", 8) || *path == '[';
}

static hd_dwarf *dwarf_of(hd_report_names *n, const hd_module *m)
{
    size_t i = (size_t)(m - n->run->modules);
    if (!n->opened[i] && !is_system(m->path))
        n->dwarfs[i] = hd_dwarf_open(*m->path ? m->path : n->program);
    n->opened[i] = true;
    return n->dwarfs[i];
}

/* The debug information of the code at `pc`, for which it is at `*pc` afterwards. */
static hd_dwarf *dwarf_at(hd_report_names *n, uint64_t *address)
{
    const hd_module *m = module_at(n, *address);
    *address -= m ? m->base : 0;
    return m ? dwarf_of(n, m) : NULL;
}

/* --- variables ------------------------------------------------------------------------------ */

/* The part of a variable. */
static void name_part(
    named *name, hd_dwarf *d, const char *variable, hd_dwarf_type type, uint64_t offset, uint32_t bytes)
{
    hd_sentence s = { name->text, sizeof name->text, 0 };
    hd_sentence_add(&s, "%s", variable);
    name->dwarf = d;
    name->type = hd_dwarf_part(d, type, offset, bytes, &s);
}

static bool name_symbol(hd_report_names *n, uint64_t address, named *name)
{
    hd_elf_symbol symbol;
    const hd_module *m = module_at(n, address);
    if (!m || *m->path || !n->elf.bytes || !hd_elf_data_at(&n->elf, address - m->base, &symbol))
        return false;
    symbol.address += m->base;
    if (hd_report_own_name(&symbol, address, name->text, sizeof name->text))
        name->is_opaque = true;
    else if (address == symbol.address)
        snprintf(name->text, sizeof name->text, "%s", symbol.name);
    else
        snprintf(name->text, sizeof name->text, "%s+%" PRIu64, symbol.name, address - symbol.address);
    return true;
}

static bool name_global(hd_report_names *n, uint64_t address, uint32_t bytes, named *name)
{
    hd_dwarf_variable v;
    uint64_t at = address;
    hd_dwarf *d = dwarf_at(n, &at);
    if (!d || !hd_dwarf_global(d, at, &v))
        return name_symbol(n, address, name);
    name_part(name, d, v.name, v.type, at - v.address, bytes);
    return true;
}

/* Stacks lie at fixed addresses, one span each. */
static uint64_t stack_number(uint64_t address)
{
    return (address - HD_STACK_BASE) / HD_STACK_SPAN;
}

static bool is_on_stack(uint64_t address)
{
    return address >= HD_STACK_BASE && stack_number(address) < HD_MAX_THREADS;
}

static int by_copy(const void *key, const void *item)
{
    uint64_t address = *(const uint64_t *)key, other = ((const hd_recorded_copy *)item)->address;
    return (address > other) - (address < other);
}

static bool name_thread_local(hd_report_names *n, uint64_t address, uint32_t bytes, named *name)
{
    const hd_recorded_run *run = n->run;
    const hd_recorded_copy *c =
        run->copy_count ? bsearch(&address, run->copies, run->copy_count, sizeof *run->copies, by_copy) : NULL;
    if (!c || !name_global(n, c->initial, bytes, name))
        return false;
    uint32_t thread = hd_recorded_number(run, (uint32_t)stack_number(address));
    name->suffix = hd_arena_print(n->arena, " (of T%" PRIu32 ")", thread);
    return true;
}

static int by_stack(const void *a, const void *b)
{
    const struct snapshot *x = a, *y = b;
    if (x->stack != y->stack)
        return x->stack < y->stack ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static void add_snapshot(hd_report_names *n, uint32_t entry, const hd_stack *stack)
{
    if (stack->pc[0] && is_on_stack(stack->frame[0]))
        hd_vec_push(&n->snapshots, ((struct snapshot) { stack_number(stack->frame[0]), entry, stack }));
}

static void collect_snapshots(hd_report_names *n)
{
    for (uint32_t i = 0; i < n->run->op_count; i++)
        add_snapshot(n, i, &n->run->ops[i].stack);
    for (uint32_t i = 0; i < n->run->thread_count; i++)
        add_snapshot(n, ~0u, &n->run->threads[i].stack);
    if (n->snapshots.count)
        qsort(n->snapshots.items, n->snapshots.count, sizeof *n->snapshots.items, by_stack);
}

/* The local variable, if it is in a frame of the snapshot: the innermost one that begins above the address. */
static bool name_in_frames(hd_report_names *n, const struct snapshot *s, uint64_t address, uint32_t bytes, named *name)
{
    hd_dwarf_variable v;
    for (int i = 0; i < HD_STACK_DEPTH && s->frames->pc[i]; i++) {
        uint64_t pc = s->frames->pc[i];
        if (s->frames->frame[i] <= address)
            continue;
        hd_dwarf *d = dwarf_at(n, &pc);
        if (!d || !hd_dwarf_local(d, pc, s->frames->frame[i], address, &v))
            return false;
        name_part(name, d, v.name, v.type, address - v.address, bytes);
        name->suffix = v.function ? hd_arena_print(n->arena, " (local of %s)", v.function) : " (local)";
        return true;
    }
    return false;
}

/* The stack's owner was last seen before the operation, or next after it. */
static bool name_local(hd_report_names *n, uint64_t address, uint32_t bytes, uint32_t entry, named *name)
{
    struct snapshot key = { stack_number(address), entry, NULL };
    size_t low = 0, high = n->snapshots.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_stack(&n->snapshots.items[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct snapshot *all = n->snapshots.items;
    return (low > 0 && all[low - 1].stack == key.stack && name_in_frames(n, &all[low - 1], address, bytes, name))
        || (low < n->snapshots.count && all[low].stack == key.stack
            && name_in_frames(n, &all[low], address, bytes, name));
}

/* --- paths (abi/site.h) --------------------------------------------------------------------- */

/* A path as it is followed. Where it ends, `text` points to something of this type, and the access is at `offset`. */
typedef struct way {
    hd_dwarf *dwarf;
    char text[NAME]; /* "": not known */
    hd_dwarf_type type; /* of what the pointer points to */
    uint64_t offset; /* from there, without indexes */
    uint64_t stride; /* of the index of the pointer itself; 0: it has none */
    bool is_indexed; /* some index is not known */
    bool is_direct; /* a variable itself: no pointer */
} way;

/* `->count`, `[2].next`, or a star in front. */
static void add_member(hd_sentence *s, const char *pointer, uint64_t index, bool is_array, const char *part)
{
    if (is_array)
        hd_sentence_add(s, "%s[%" PRIu64 "]%s", pointer, index, part);
    else if (*part == '.')
        hd_sentence_add(s, "%s->%s", pointer, part + 1);
    else if (*part == '[')
        hd_sentence_add(s, "(*%s)%s", pointer, part);
    else
        hd_sentence_add(s, "*%s%s", pointer, part);
}

/* Follows a pointer that is stored where the way has got to. */
static void follow(way *w)
{
    char part[NAME] = "", text[NAME] = "";
    hd_sentence s = { part, sizeof part, 0 }, t = { text, sizeof text, 0 };
    hd_dwarf_type pointer = hd_dwarf_part(w->dwarf, w->type, w->offset, sizeof(void *), &s);
    if (w->is_direct)
        hd_sentence_add(&t, "%s%s", w->text, part);
    else
        add_member(&t, w->text, 0, false, part);
    if (w->is_indexed || !*w->text || !pointer)
        *text = '\0';
    *w = (way) { .dwarf = w->dwarf, .type = hd_dwarf_target(w->dwarf, pointer) };
    memcpy(w->text, text, sizeof text);
}

static const char *begin_way(way *w, const char *path, const hd_location *at)
{
    w->is_direct = *path == '&';
    path += w->is_direct;
    size_t length = strcspn(path, "(+-*@{");
    snprintf(w->text, sizeof w->text, "%.*s", (int)length, path);
    path += length;
    if (*path == '(') {
        w->type = hd_dwarf_target(w->dwarf, hd_dwarf_result(w->dwarf, w->text));
        snprintf(w->text + length, sizeof w->text - length, "()");
        return path + 2;
    }
    hd_dwarf_type type = hd_dwarf_type_of(w->dwarf, at->function, at->line, w->text);
    w->type = w->is_direct ? type : hd_dwarf_target(w->dwarf, type);
    return path;
}

static const char *use_structure(way *w, const char *path)
{
    char name[NAME];
    size_t length = strcspn(path, "}");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    hd_dwarf_type type = hd_dwarf_structure(w->dwarf, name);
    /* The declared type may have a member of the same structure at its start. */
    if (type && hd_dwarf_size(w->dwarf, type) > hd_dwarf_size(w->dwarf, w->type))
        w->type = type;
    return path + length + (path[length] == '}');
}

static void add_index(way *w, uint64_t size)
{
    if (!w->offset && !w->is_indexed && !w->is_direct && size == hd_dwarf_size(w->dwarf, w->type))
        w->stride = size;
    w->is_indexed = true;
}

/* False: the path says nothing. */
static bool go(way *w, hd_dwarf *d, const char *path, const hd_location *at)
{
    const char *colon = path ? strchr(path, ':') : NULL;
    path = colon ? colon + 1 : path;
    *w = (way) { .dwarf = d };
    if (!path || !*path || !d)
        return false;
    path = begin_way(w, path, at);
    while (*path) {
        char *end = (char *)path + 1;
        if (*path == '{')
            end = (char *)use_structure(w, path + 1);
        else if (*path == '@')
            follow(w);
        else if (*path == '*')
            add_index(w, strtoull(path + 1, &end, 10));
        else
            w->offset += (uint64_t)strtoll(path, &end, 10);
        path = end;
    }
    return true;
}

/* --- blocks of the heap ----------------------------------------------------------------------- */

uint32_t hd_report_block_at(const hd_recorded_run *run, uint64_t address)
{
    uint32_t low = 0, high = run->block_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (run->blocks[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address - run->blocks[low - 1].address < run->blocks[low - 1].size ? low - 1 : ~0u;
}

static root *find_root(roots *all, const way *w)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].type == w->type && all->items[i].dwarf == w->dwarf
            && !strcmp(all->items[i].text ? all->items[i].text : "", w->text))
            return &all->items[i];
    return NULL;
}

/* An access by this way goes to `address` in the block. What does it tell of the block? A call may access other memory
 * than its first argument points to (a wait gives back a lock, too), so it refutes nothing. */
static void learn(hd_report_names *n, uint32_t number, const way *w, uint64_t address, bool is_call)
{
    const hd_recorded_block *b = &n->run->blocks[number];
    roots *all = &n->blocks[number].roots;
    uint64_t size = w->type ? hd_dwarf_size(w->dwarf, w->type) : 0, start = address - w->offset;
    if (w->is_direct || !size || size > b->size || (is_call && start != b->address))
        return;
    root *r = find_root(all, w);
    if (!r) {
        hd_vec_push(all,
            ((root) { .text = *w->text ? hd_arena_copy(n->arena, w->text) : NULL,
                .type = w->type,
                .dwarf = w->dwarf,
                .size = size }));
        r = &all->items[all->count - 1];
    }
    r->is_array |= w->stride != 0 || w->offset >= size;
    if (!w->is_indexed && start != b->address) {
        r->is_refuted = true; /* the pointer does not stay at the start of the block */
        r->is_array |= start > b->address && (start - b->address) % size == 0;
    }
}

/* The largest type says most; of its pointers, the shortest. */
static bool is_better(const root *a, const root *b)
{
    if (!b || a->size != b->size)
        return !b || a->size > b->size;
    bool usable = a->text && !a->is_refuted, other = b->text && !b->is_refuted;
    if (usable != other)
        return usable;
    return usable && strlen(a->text) < strlen(b->text);
}

static void choose_root(hd_report_names *n, uint32_t number)
{
    block *b = &n->blocks[number];
    bool is_array = false;
    for (size_t i = 0; i < b->roots.count; i++)
        if (is_better(&b->roots.items[i], b->best))
            b->best = &b->roots.items[i];
    for (size_t i = 0; i < b->roots.count; i++)
        is_array |= b->roots.items[i].is_array && b->roots.items[i].type == b->best->type;
    if (b->best)
        b->best->is_array = is_array;
    b->is_named = b->best && b->best->text && !b->best->is_refuted;
    b->text = b->is_named ? b->best->text : hd_arena_print(n->arena, "block#%" PRIu32, number + 1);
}

/* The same words for two blocks name neither. */
static void tell_apart(hd_report_names *n)
{
    for (uint32_t i = 0; i < n->run->block_count; i++) {
        bool again = false;
        for (uint32_t k = i + 1; k < n->run->block_count && n->blocks[i].is_named; k++)
            if (n->blocks[k].is_named && !strcmp(n->blocks[i].text, n->blocks[k].text)) {
                again = true;
                n->blocks[k].is_named = false;
                n->blocks[k].text = hd_arena_print(n->arena, "block#%" PRIu32, k + 1);
            }
        if (again) {
            n->blocks[i].is_named = false;
            n->blocks[i].text = hd_arena_print(n->arena, "block#%" PRIu32, i + 1);
        }
    }
}

/* The debug information of the function that did the operation. */
static hd_dwarf *dwarf_of_op(hd_report_names *n, const hd_recorded_op *o)
{
    uint64_t pc = o->stack.pc[0];
    hd_dwarf *d = pc ? dwarf_at(n, &pc) : NULL;
    return d || !n->run->module_count ? d : dwarf_of(n, &n->run->modules[0]);
}

static void learn_blocks(hd_report_names *n)
{
    for (uint32_t i = 0; i < n->run->op_count; i++) {
        const hd_recorded_op *o = &n->run->ops[i];
        uint32_t bytes;
        uint64_t address = hd_report_view_address(&o->op, &bytes);
        uint32_t number = o->path ? hd_report_block_at(n->run, address) : ~0u;
        way w;
        if (number != ~0u && go(&w, dwarf_of_op(n, o), o->path, &o->location))
            learn(n, number, &w, address, strchr(o->path, ':') != NULL);
    }
    for (uint32_t i = 0; i < n->run->block_count; i++)
        choose_root(n, i);
    tell_apart(n);
}

static bool name_in_block(hd_report_names *n, uint64_t address, uint32_t bytes, named *name)
{
    uint32_t number = hd_report_block_at(n->run, address);
    char part[NAME] = "";
    hd_sentence s = { name->text, sizeof name->text, 0 }, p = { part, sizeof part, 0 };
    if (number == ~0u)
        return false;
    const block *b = &n->blocks[number];
    uint64_t offset = address - n->run->blocks[number].address, index = 0;
    if (!b->best) {
        hd_sentence_add(&s, offset ? "%s+%" PRIu64 : "%s", b->text, offset);
        return true;
    }
    name->dwarf = b->best->dwarf;
    if (b->best->is_array) {
        index = offset / b->best->size;
        offset %= b->best->size;
    }
    name->type = hd_dwarf_part(name->dwarf, b->best->type, offset, bytes, &p);
    add_member(&s, b->text, index, b->best->is_array, part);
    return true;
}

const char *hd_report_names_block(hd_report_names *n, uint32_t number)
{
    const hd_recorded_block *b = &n->run->blocks[number];
    char text[300], type[100] = "";
    hd_sentence s = { text, sizeof text, 0 };
    const char *slash = strrchr(b->allocated.file, '/');
    const root *best = n->blocks[number].best;
    if (best)
        hd_dwarf_type_name(best->dwarf, best->type, type, sizeof type);
    hd_sentence_add(&s, "block of %" PRIu64 " byte%s", b->size, b->size == 1 ? "" : "s");
    if (*type && b->size >= 2 * best->size)
        hd_sentence_add(&s, " (%s[%" PRIu64 "])", type, b->size / best->size);
    else if (*type)
        hd_sentence_add(&s, " (%s)", type);
    if (b->function)
        hd_sentence_add(&s, " from %s", b->function);
    if (b->allocated.line)
        hd_sentence_add(&s, " at %s:%" PRIu32, slash ? slash + 1 : b->allocated.file, b->allocated.line);
    return hd_arena_copy(n->arena, text);
}

/* --- opening ------------------------------------------------------------------------------------ */

hd_report_names *hd_report_names_open(const hd_recorded_run *run, const char *program, hd_arena *arena)
{
    hd_report_names *n = hd_arena_alloc(arena, sizeof *n);
    n->run = run;
    n->program = program;
    n->arena = arena;
    hd_elf_open(&n->elf, program, NULL);
    n->dwarfs = hd_arena_alloc(arena, (run->module_count + 1) * sizeof *n->dwarfs);
    n->opened = hd_arena_alloc(arena, run->module_count + 1);
    n->blocks = hd_arena_alloc(arena, (run->block_count + 1) * sizeof *n->blocks);
    collect_snapshots(n);
    learn_blocks(n);
    return n;
}

void hd_report_names_close(hd_report_names *n)
{
    for (uint32_t i = 0; i < n->run->module_count; i++)
        hd_dwarf_close(n->dwarfs[i]);
    for (uint32_t i = 0; i < n->run->block_count; i++)
        hd_vec_fini(&n->blocks[i].roots);
    hd_vec_fini(&n->snapshots);
    hd_elf_close(&n->elf);
}

/* --- names and values --------------------------------------------------------------------------- */

static bool find_name(hd_report_names *n, uint64_t address, uint32_t bytes, uint32_t entry, named *name)
{
    *name = (named) { .suffix = "" };
    return name_thread_local(n, address, bytes, name) || name_global(n, address, bytes, name)
        || (is_on_stack(address) && name_local(n, address, bytes, entry, name))
        || name_in_block(n, address, bytes, name);
}

/* Memory that has no name of its own: as the access calls it, if that tells which bytes they are. */
static bool name_by_path(hd_report_names *n, const hd_recorded_op *o, uint32_t bytes, named *name)
{
    way w;
    char part[NAME] = "";
    hd_sentence s = { name->text, sizeof name->text, 0 }, p = { part, sizeof part, 0 };
    if (!go(&w, dwarf_of_op(n, o), o->path, &o->location) || w.is_indexed || w.is_direct || !*w.text)
        return false;
    name->dwarf = w.dwarf;
    uint64_t size = w.type ? hd_dwarf_size(w.dwarf, w.type) : 0, index = size ? w.offset / size : 0;
    w.offset -= index * size;
    name->type = w.type ? hd_dwarf_part(w.dwarf, w.type, w.offset, bytes, &p) : 0;
    if (!w.type && w.offset)
        snprintf(part, sizeof part, "+%" PRIu64, w.offset);
    add_member(&s, w.text, index, index != 0, part);
    return true;
}

static int64_t as_signed(uint64_t value, uint32_t bytes)
{
    uint32_t unused = bytes && bytes < 8 ? 64 - 8 * bytes : 0;
    return (int64_t)(value << unused) >> unused;
}

/* `bytes`: of what it points to; 0: unknown. */
static const char *pointer_text(hd_report_names *n, uint64_t value, uint64_t bytes, uint32_t entry)
{
    named name;
    uint32_t number = hd_report_block_at(n->run, value);
    if (!value)
        return "NULL";
    if (number != ~0u && value == n->run->blocks[number].address)
        return hd_arena_print(n->arena, "block#%" PRIu32, number + 1);
    if (number != ~0u)
        return hd_arena_print(
            n->arena, "block#%" PRIu32 "+%" PRIu64, number + 1, value - n->run->blocks[number].address);
    if (find_name(n, value, (uint32_t)bytes, entry, &name))
        return hd_arena_print(n->arena, "&%s", name.text);
    return hd_arena_print(n->arena, "0x%" PRIx64, value);
}

static const char *character_text(hd_report_names *n, uint64_t value)
{
    if (value >= ' ' && value <= '~')
        return hd_arena_print(n->arena, value == '\'' || value == '\\' ? "'\\%c'" : "'%c'", (int)value);
    return hd_arena_print(n->arena, "%" PRId64, as_signed(value, 1));
}

static const char *real_text(hd_report_names *n, uint64_t value, uint32_t bytes)
{
    double number;
    float narrow;
    memcpy(&number, &value, sizeof number);
    memcpy(&narrow, &value, sizeof narrow);
    return hd_arena_print(n->arena, "%g", bytes == sizeof narrow ? (double)narrow : number);
}

static const char *value_text(hd_report_names *n, const named *name, uint64_t value, uint32_t bytes, uint32_t entry)
{
    hd_dwarf_form form = name->type ? hd_dwarf_form_of(name->dwarf, name->type) : HD_DWARF_UNKNOWN;
    const char *constant =
        form == HD_DWARF_ENUM ? hd_dwarf_constant(name->dwarf, name->type, as_signed(value, bytes)) : NULL;
    if (constant)
        return constant;
    switch (form) {
    case HD_DWARF_POINTER:
        return pointer_text(n, value, hd_dwarf_size(name->dwarf, hd_dwarf_target(name->dwarf, name->type)), entry);
    case HD_DWARF_BOOLEAN:
        return value < 2 ? (value ? "true" : "false") : hd_arena_print(n->arena, "%" PRIu64, value);
    case HD_DWARF_CHARACTER:
        return character_text(n, value);
    case HD_DWARF_REAL:
        return real_text(n, value, bytes);
    case HD_DWARF_UNSIGNED:
        return hd_arena_print(n->arena, "%" PRIu64, value);
    default:
        return hd_arena_print(n->arena, "%" PRId64, as_signed(value, bytes));
    }
}

static const char *whole_name(hd_report_names *n, const named *name)
{
    return hd_arena_print(n->arena, "%s%s", name->text, name->suffix);
}

hd_report_access hd_report_names_access(hd_report_names *n, uint32_t entry)
{
    const hd_recorded_op *o = &n->run->ops[entry];
    hd_object_class class = hd_op_class(o->op.kind);
    uint32_t bytes;
    uint64_t address = hd_report_view_address(&o->op, &bytes);
    hd_report_access access = { 0 };
    named name;
    if (class == HD_OBJECT_THREAD || class == HD_OBJECT_NONE || class == HD_OBJECT_PROCESS)
        return access;
    if (!find_name(n, address, bytes, entry, &name) && !name_by_path(n, o, bytes, &name))
        snprintf(name.text, sizeof name.text, "0x%" PRIx64, address);
    access.name = whole_name(n, &name);
    /* What is left in memory that is freed is no value of the program. */
    if (o->has_value && !name.is_opaque && !hd_report_frees(n->run, entry))
        access.value = hd_arena_copy(n->arena, value_text(n, &name, o->value, bytes, entry));
    return access;
}

const char *hd_report_names_at(hd_report_names *n, uint64_t object, uint32_t bytes)
{
    named name;
    uint64_t address = object & ((1ull << HD_ADDRESS_BITS) - 1);
    if (!find_name(n, address, bytes, ~0u, &name))
        snprintf(name.text, sizeof name.text, "0x%" PRIx64, address);
    return whole_name(n, &name);
}

const char *hd_report_names_awaited(hd_report_names *n, uint32_t thread)
{
    const hd_thread_view *v = &n->run->threads[thread].view;
    uint32_t bytes = 0;
    bool waits = v->status == HD_THREAD_WAITING;
    if (!waits && v->status != HD_THREAD_AT_OP)
        return NULL;
    uint64_t address = waits ? v->wait_object : hd_report_view_address(&v->pending, &bytes);
    return address ? hd_report_names_at(n, address, bytes) : NULL;
}
