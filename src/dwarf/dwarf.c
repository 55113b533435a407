#include "dwarf/dwarf.h"

#include "base/memory.h"
#include "base/vec.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DEPTH = 64 /* of nested types and blocks: damaged information may have cycles */ };

typedef struct entry {
    const char *name, *function;
    uint64_t address;
    Dwarf_Off die;
} entry;

typedef hd_vec(entry) entries;

struct hd_dwarf {
    int file;
    Dwarf *dwarf;
    entries globals, code; /* variables and functions by address */
    entries functions, structures; /* by name */
    entries names; /* of global variables, by name */
};

/* --- the index ----------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->die > y->die) - (x->die < y->die);
}

/* The address of a variable that is always at the same place. */
static bool fixed_address(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute attribute, base;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &ops, &count) || count < 1)
        return false;
    if (ops[0].atom == DW_OP_addr)
        *address = ops[0].number;
    else if (ops[0].atom != DW_OP_addrx || dwarf_getlocation_attr(&attribute, ops, &base)
        || dwarf_formaddr(&base, address))
        return false;
    return count == 1 || (count == 2 && ops[1].atom == DW_OP_plus_uconst && (*address += ops[1].number, true));
}

static bool is_declaration(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    return dwarf_attr(die, DW_AT_declaration, &attribute) != NULL;
}

static void index_variable(hd_dwarf *d, Dwarf_Die *die, const char *function)
{
    Dwarf_Attribute attribute;
    uint64_t address;
    /* A variable may be defined apart from its declaration. */
    Dwarf_Attribute *name = dwarf_attr_integrate(die, DW_AT_name, &attribute);
    if (!name || !fixed_address(die, &address))
        return;
    entry e = { dwarf_formstring(name), function, address, dwarf_dieoffset(die) };
    hd_vec_push(&d->globals, e);
    if (!function)
        hd_vec_push(&d->names, e);
}

static void index_die(hd_dwarf *d, Dwarf_Die *die, const char *function, int depth)
{
    int tag = dwarf_tag(die);
    const char *name = dwarf_diename(die);
    Dwarf_Die child;
    if (tag == DW_TAG_variable)
        index_variable(d, die, function);
    if (tag == DW_TAG_structure_type && name && !is_declaration(die))
        hd_vec_push(&d->structures, ((entry) { .name = name, .die = dwarf_dieoffset(die) }));
    if (tag == DW_TAG_subprogram && name && !is_declaration(die)) {
        entry e = { .name = name, .die = dwarf_dieoffset(die) };
        hd_vec_push(&d->functions, e);
        if (!dwarf_lowpc(die, &e.address))
            hd_vec_push(&d->code, e);
        function = name;
    }
    bool has_variables = tag == DW_TAG_compile_unit || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
    if (!has_variables || depth == MOST_DEPTH || dwarf_child(die, &child))
        return;
    do
        index_die(d, &child, function, depth + 1);
    while (!dwarf_siblingof(&child, &child));
}

/* The runtime is linked into every program. Its own variables have their own names in reports. */
static bool is_runtime(Dwarf_Die *unit)
{
    const char *name = dwarf_diename(unit);
    return name && !strncmp(name, "src/runtime/", 12);
}

/* The address of an empty array may be null, which qsort does not accept. */
static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count)
        qsort(items, count, size, compare);
}

static void index_units(hd_dwarf *d)
{
    Dwarf_Off at = 0, next;
    size_t header;
    while (!dwarf_nextcu(d->dwarf, at, &next, &header, NULL, NULL, NULL)) {
        Dwarf_Die unit;
        if (dwarf_offdie(d->dwarf, at + header, &unit) && !is_runtime(&unit))
            index_die(d, &unit, NULL, 0);
        at = next;
    }
    sort(d->globals.items, d->globals.count, sizeof *d->globals.items, by_address);
    sort(d->code.items, d->code.count, sizeof *d->code.items, by_address);
    sort(d->names.items, d->names.count, sizeof *d->names.items, by_name);
    sort(d->functions.items, d->functions.count, sizeof *d->functions.items, by_name);
    sort(d->structures.items, d->structures.count, sizeof *d->structures.items, by_name);
}

hd_dwarf *hd_dwarf_open(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = file < 0 ? NULL : dwarf_begin(file, DWARF_C_READ);
    if (!dwarf) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    hd_dwarf *d = hd_alloc(&hd_heap, sizeof *d);
    d->file = file;
    d->dwarf = dwarf;
    index_units(d);
    return d;
}

void hd_dwarf_close(hd_dwarf *d)
{
    if (!d)
        return;
    hd_vec_fini(&d->globals);
    hd_vec_fini(&d->code);
    hd_vec_fini(&d->names);
    hd_vec_fini(&d->functions);
    hd_vec_fini(&d->structures);
    dwarf_end(d->dwarf);
    close(d->file);
    hd_release(&hd_heap, d, sizeof *d);
}

/* The first entry with this name; entries with the same name follow. NULL: none. */
static const entry *find_name(const entries *all, const char *name)
{
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(all->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->count && !strcmp(all->items[low].name, name) ? &all->items[low] : NULL;
}

/* The last entry at or before the address; NULL: none. */
static const entry *find_address(const entries *all, uint64_t address)
{
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (all->items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &all->items[low - 1] : NULL;
}

/* --- types --------------------------------------------------------------------------------- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static bool is_alias(int tag)
{
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_atomic_type
        || tag == DW_TAG_restrict_type;
}

static bool is_aggregate(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* The type behind typedefs and qualifiers. */
static bool peeled(hd_dwarf *d, hd_dwarf_type type, Dwarf_Die *die)
{
    if (!type || !dwarf_offdie(d->dwarf, type, die))
        return false;
    for (int i = 0; i < MOST_DEPTH && is_alias(dwarf_tag(die)); i++)
        if (!type_of(die, die))
            return false;
    return true;
}

static hd_dwarf_type offset_of_type(Dwarf_Die *die)
{
    Dwarf_Die type;
    return type_of(die, &type) ? dwarf_dieoffset(&type) : 0;
}

uint64_t hd_dwarf_size(hd_dwarf *d, hd_dwarf_type type)
{
    Dwarf_Die die;
    Dwarf_Word size;
    return peeled(d, type, &die) && !dwarf_aggregate_size(&die, &size) ? size : 0;
}

hd_dwarf_type hd_dwarf_target(hd_dwarf *d, hd_dwarf_type pointer)
{
    Dwarf_Die die;
    if (!peeled(d, pointer, &die) || dwarf_tag(&die) != DW_TAG_pointer_type)
        return 0;
    return offset_of_type(&die);
}

hd_dwarf_type hd_dwarf_structure(hd_dwarf *d, const char *name)
{
    const entry *e = find_name(&d->structures, name);
    return e ? e->die : 0;
}

void hd_dwarf_type_name(hd_dwarf *d, hd_dwarf_type type, char *text, size_t size)
{
    Dwarf_Die die;
    hd_sentence s = { text, size, 0 };
    hd_sentence_add(&s, "%s", "");
    if (!type || !dwarf_offdie(d->dwarf, type, &die))
        return;
    /* A typedef is what the source calls the type. */
    for (int i = 0; i < MOST_DEPTH && is_alias(dwarf_tag(&die)) && dwarf_tag(&die) != DW_TAG_typedef; i++)
        if (!type_of(&die, &die))
            return;
    const char *name = dwarf_diename(&die);
    int tag = dwarf_tag(&die);
    if (tag == DW_TAG_pointer_type) {
        char target[100];
        hd_dwarf_type_name(d, offset_of_type(&die), target, sizeof target);
        hd_sentence_add(&s, "%s *", *target ? target : "void");
    } else if (name) {
        const char *word = tag == DW_TAG_structure_type ? "struct "
            : tag == DW_TAG_union_type                  ? "union "
            : tag == DW_TAG_enumeration_type            ? "enum "
                                                        : "";
        hd_sentence_add(&s, "%s%s", word, name);
    }
}

/* Is it a structure of the system's headers? Its members mean nothing to the program. */
static bool is_system_type(Dwarf_Die *die)
{
    const char *file = dwarf_decl_file(die);
    return file && !strncmp(file, "/usr/", 5);
}

/* --- parts of variables ---------------------------------------------------------------------- */

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word))
        return false;
    *value = word;
    return true;
}

/* The bytes of a structure that the member takes. */
static bool member_span(hd_dwarf *d, Dwarf_Die *member, uint64_t *start, uint64_t *size)
{
    uint64_t bits, width;
    if (number_of(member, DW_AT_data_bit_offset, &bits) && number_of(member, DW_AT_bit_size, &width)) {
        *start = bits / 8;
        *size = (bits + width + 7) / 8 - *start;
        return true;
    }
    *size = hd_dwarf_size(d, offset_of_type(member));
    if (!number_of(member, DW_AT_data_member_location, start))
        *start = 0; /* of a union */
    return true;
}

/* The member of the aggregate that contains the bytes; in a union preferably one of their size. */
static bool member_at(hd_dwarf *d, Dwarf_Die *die, uint64_t offset, uint64_t bytes, Dwarf_Die *found)
{
    Dwarf_Die child;
    bool any = false;
    if (dwarf_child(die, &child))
        return false;
    do {
        uint64_t start, size;
        if (dwarf_tag(&child) != DW_TAG_member || !member_span(d, &child, &start, &size))
            continue;
        /* An array of unknown length ends the structure: its size is 0. */
        bool inside = offset >= start && (offset - start + (bytes ? bytes : 1) <= size || !size);
        if (!inside || (any && size != bytes))
            continue;
        *found = child;
        any = true;
        if (size == bytes)
            return true;
    } while (!dwarf_siblingof(&child, &child));
    return any;
}

static hd_dwarf_type add_element(
    hd_dwarf *d, Dwarf_Die *array, uint64_t *offset, uint64_t bytes, hd_sentence *path, bool *is_inside)
{
    Dwarf_Die child;
    hd_dwarf_type element = offset_of_type(array);
    uint64_t size = hd_dwarf_size(d, element), counts[8], stride;
    int dimensions = 0;
    *is_inside = false;
    if (!size || *offset % size + (bytes ? bytes : 1) > size || dwarf_child(array, &child))
        return 0;
    do {
        uint64_t count = 0;
        if (dwarf_tag(&child) != DW_TAG_subrange_type || dimensions == 8)
            continue;
        if (!number_of(&child, DW_AT_count, &count) && number_of(&child, DW_AT_upper_bound, &count))
            count++;
        counts[dimensions++] = count;
    } while (!dwarf_siblingof(&child, &child));
    for (int i = 0; i < dimensions; i++) {
        stride = size;
        for (int k = i + 1; k < dimensions; k++)
            stride *= counts[k] ? counts[k] : 1;
        hd_sentence_add(path, "[%llu]", (unsigned long long)(*offset / stride));
        *offset %= stride;
    }
    *is_inside = true;
    return element;
}

hd_dwarf_type hd_dwarf_part(hd_dwarf *d, hd_dwarf_type type, uint64_t offset, uint64_t bytes, hd_sentence *path)
{
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        Dwarf_Die die, member;
        if (!peeled(d, type, &die))
            return 0;
        if (is_aggregate(dwarf_tag(&die))) {
            uint64_t start, size;
            if (is_system_type(&die))
                return type;
            if (!member_at(d, &die, offset, bytes, &member) || !member_span(d, &member, &start, &size))
                break;
            if (dwarf_diename(&member))
                hd_sentence_add(path, ".%s", dwarf_diename(&member));
            offset -= start;
            type = offset_of_type(&member);
            continue;
        }
        bool is_inside = false;
        hd_dwarf_type element =
            dwarf_tag(&die) == DW_TAG_array_type ? add_element(d, &die, &offset, bytes, path, &is_inside) : 0;
        if (!is_inside)
            break;
        type = element;
    }
    if (offset)
        hd_sentence_add(path, "+%llu", (unsigned long long)offset);
    return offset || (bytes && hd_dwarf_size(d, type) != bytes) ? 0 : type;
}

/* --- values --------------------------------------------------------------------------------- */

hd_dwarf_form hd_dwarf_form_of(hd_dwarf *d, hd_dwarf_type type)
{
    Dwarf_Die die;
    uint64_t encoding;
    if (!peeled(d, type, &die))
        return HD_DWARF_UNKNOWN;
    if (dwarf_tag(&die) == DW_TAG_pointer_type)
        return HD_DWARF_POINTER;
    if (dwarf_tag(&die) == DW_TAG_enumeration_type)
        return HD_DWARF_ENUM;
    if (dwarf_tag(&die) != DW_TAG_base_type || !number_of(&die, DW_AT_encoding, &encoding))
        return HD_DWARF_UNKNOWN;
    switch (encoding) {
    case DW_ATE_boolean:
        return HD_DWARF_BOOLEAN;
    case DW_ATE_float:
        return HD_DWARF_REAL;
    case DW_ATE_signed:
        return HD_DWARF_SIGNED;
    case DW_ATE_unsigned:
        return HD_DWARF_UNSIGNED;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
        return dwarf_diename(&die) && !strcmp(dwarf_diename(&die), "char") ? HD_DWARF_CHARACTER
            : encoding == DW_ATE_signed_char                               ? HD_DWARF_SIGNED
                                                                           : HD_DWARF_UNSIGNED;
    default:
        return HD_DWARF_UNKNOWN;
    }
}

const char *hd_dwarf_constant(hd_dwarf *d, hd_dwarf_type type, int64_t value)
{
    Dwarf_Die die, child;
    if (!peeled(d, type, &die) || dwarf_child(&die, &child))
        return NULL;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword number;
        if (dwarf_tag(&child) == DW_TAG_enumerator && dwarf_attr(&child, DW_AT_const_value, &attribute)
            && !dwarf_formsdata(&attribute, &number) && number == value)
            return dwarf_diename(&child);
    } while (!dwarf_siblingof(&child, &child));
    return NULL;
}

/* --- variables ------------------------------------------------------------------------------- */

bool hd_dwarf_global(hd_dwarf *d, uint64_t address, hd_dwarf_variable *v)
{
    Dwarf_Die die;
    const entry *e = find_address(&d->globals, address);
    if (!e || !dwarf_offdie(d->dwarf, e->die, &die))
        return false;
    hd_dwarf_type type = offset_of_type(&die);
    if (address - e->address >= hd_dwarf_size(d, type))
        return false;
    *v = (hd_dwarf_variable) { e->name, e->function, e->address, type };
    return true;
}

typedef struct search {
    hd_dwarf *dwarf;
    uint64_t pc, base, address;
    hd_dwarf_variable found;
    int depth; /* of the scope in which it was found; 0: it was not */
} search;

/* The address of a variable in a frame. At this `pc`, or anywhere in the function if it is always at the same place. */
static bool frame_address(search *s, Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation_addr(&attribute, s->pc, &ops, &count, 1) != 1
        || count != 1 || ops[0].atom != DW_OP_fbreg)
        return false;
    *address = s->base + ops[0].number;
    return true;
}

static void look_at(search *s, Dwarf_Die *variable, const char *function, int depth)
{
    uint64_t address;
    Dwarf_Attribute attribute;
    if (depth < s->depth || !frame_address(s, variable, &address))
        return;
    hd_dwarf_type type = offset_of_type(variable);
    Dwarf_Attribute *name = dwarf_attr_integrate(variable, DW_AT_name, &attribute);
    if (!name || s->address - address >= hd_dwarf_size(s->dwarf, type))
        return;
    s->found = (hd_dwarf_variable) { dwarf_formstring(name), function, address, type };
    s->depth = depth;
}

/* Variables of scopes that contain the pc come before those of other scopes, and inner ones before outer ones. */
static void look_through(search *s, Dwarf_Die *scope, const char *function, int depth, bool is_here)
{
    Dwarf_Die child;
    if (depth == MOST_DEPTH || dwarf_child(scope, &child))
        return;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            look_at(s, &child, function, is_here ? MOST_DEPTH + depth : depth);
        if (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine)
            continue;
        Dwarf_Attribute attribute;
        Dwarf_Attribute *name =
            tag == DW_TAG_inlined_subroutine ? dwarf_attr_integrate(&child, DW_AT_name, &attribute) : NULL;
        look_through(
            s, &child, name ? dwarf_formstring(name) : function, depth + 1, is_here && dwarf_haspc(&child, s->pc) == 1);
    } while (!dwarf_siblingof(&child, &child));
}

/* heddle compiles with frame pointers, and clang places variables relative to them. */
static bool has_frame_pointer(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    return dwarf_attr(function, DW_AT_frame_base, &attribute) && !dwarf_getlocation(&attribute, &ops, &count)
        && count == 1 && ops[0].atom == DW_OP_reg6;
}

bool hd_dwarf_local(hd_dwarf *d, uint64_t pc, uint64_t frame, uint64_t address, hd_dwarf_variable *v)
{
    Dwarf_Die function;
    search s = { .dwarf = d, .pc = pc, .base = frame, .address = address };
    const entry *e = find_address(&d->code, pc);
    if (!e || !dwarf_offdie(d->dwarf, e->die, &function) || dwarf_haspc(&function, pc) != 1
        || !has_frame_pointer(&function))
        return false;
    look_through(&s, &function, e->name, 1, true);
    *v = s.found;
    return s.depth > 0;
}

/* --- by name --------------------------------------------------------------------------------- */

/* The variable of the scope with this name that is declared last before the line. */
static void find_declared(Dwarf_Die *scope, uint32_t line, const char *name, int *best, hd_dwarf_type *type, int depth)
{
    Dwarf_Die child;
    if (depth == MOST_DEPTH || dwarf_child(scope, &child))
        return;
    do {
        int tag = dwarf_tag(&child), declared = 0;
        if (tag == DW_TAG_lexical_block)
            find_declared(&child, line, name, best, type, depth + 1);
        const char *own = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_diename(&child) : NULL;
        if (!own || strcmp(own, name) || dwarf_decl_line(&child, &declared) || declared > (int)line || declared < *best)
            continue;
        *best = declared;
        *type = offset_of_type(&child);
    } while (!dwarf_siblingof(&child, &child));
}

hd_dwarf_type hd_dwarf_type_of(hd_dwarf *d, const char *function, uint32_t line, const char *name)
{
    int best = 0;
    hd_dwarf_type type = 0;
    Dwarf_Die die;
    const entry *end = d->functions.items + d->functions.count;
    for (const entry *f = find_name(&d->functions, function); f && f < end && !strcmp(f->name, function); f++)
        if (dwarf_offdie(d->dwarf, f->die, &die))
            find_declared(&die, line, name, &best, &type, 0);
    const entry *global = type ? NULL : find_name(&d->names, name);
    return global && dwarf_offdie(d->dwarf, global->die, &die) ? offset_of_type(&die) : type;
}

hd_dwarf_type hd_dwarf_result(hd_dwarf *d, const char *function)
{
    Dwarf_Die die;
    const entry *f = find_name(&d->functions, function);
    return f && dwarf_offdie(d->dwarf, f->die, &die) ? offset_of_type(&die) : 0;
}
