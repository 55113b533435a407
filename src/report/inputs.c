#include "report/inputs.h"

#include "abi/lives.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static int64_t signed_value(const hd_input *i)
{
    uint32_t unused = 64 - i->width;
    return (int64_t)(i->value << unused) >> unused;
}

static const char *type_of(const hd_input *i)
{
    switch (i->width) {
    case 1:
        return "bool";
    case 8:
        return i->is_signed ? "char" : "unsigned char";
    case 16:
        return i->is_signed ? "short" : "unsigned short";
    case 32:
        return i->is_signed ? "int" : "unsigned int";
    case 64:
        return i->is_signed ? "long" : "unsigned long";
    default:
        return "bits";
    }
}

/* Is `i` byte number `index` of the array that begins with `first`? */
static bool belongs_to(const hd_input *first, const hd_input *i, uint32_t index)
{
    char name[HD_INPUT_NAME + 16];
    size_t base = strcspn(first->name, "[");
    snprintf(name, sizeof name, "%.*s[%u]", (int)base, first->name, index);
    return i->width == 8 && i->thread == first->thread && i->life == first->life
        && !strncmp(name, i->name, HD_INPUT_NAME - 1);
}

/* Octal escapes are written with three digits if a digit follows, which would otherwise be read as
 * part of them. */
static void print_byte(uint8_t c, bool digit_follows, FILE *out)
{
    if (c == '"' || c == '\\')
        fprintf(out, "\\%c", c);
    else if (c == '\n')
        fputs("\\n", out);
    else if (isprint(c) && c < 0x80)
        putc(c, out);
    else if (digit_follows)
        fprintf(out, "\\%03o", c);
    else
        fprintf(out, "\\%o", c);
}

/* Prints the array that begins with `first` as a string; returns its length. */
static uint32_t print_text(const hd_input *first, uint32_t count, FILE *out)
{
    uint32_t length = 1;
    while (length < count && belongs_to(first, &first[length], length))
        length++;
    fprintf(out, "%.*s = \"", (int)strcspn(first->name, "["), first->name);
    for (uint32_t i = 0; i < length; i++)
        print_byte((uint8_t)first[i].value, i + 1 < length && isdigit((uint8_t)first[i + 1].value), out);
    putc('"', out);
    return length;
}

static void print_number(const hd_input *i, FILE *out)
{
    fprintf(out, "%s = ", *i->name ? i->name : "(unnamed)");
    if (i->is_signed)
        fprintf(out, "%" PRId64, signed_value(i));
    else
        fprintf(out, "%" PRIu64, i->value);
    fprintf(out, " (%s)", type_of(i));
}

void hd_report_inputs_print(const hd_input *inputs, uint32_t count, FILE *out)
{
    for (uint32_t i = 0; i < count;) {
        if (i)
            fputs(", ", out);
        if (belongs_to(&inputs[i], &inputs[i], 0)) {
            i += print_text(&inputs[i], count - i, out);
        } else {
            print_number(&inputs[i], out);
            i++;
        }
    }
}

void hd_report_inputs_json(hd_json *j, const char *name, const hd_recorded_run *run)
{
    const hd_input *inputs = run ? run->inputs : NULL;
    hd_json_array(j, name);
    for (uint32_t i = 0; run && i < run->input_count; i++) {
        char value[24];
        snprintf(value, sizeof value, "%" PRIu64, inputs[i].value);
        hd_json_object(j, NULL);
        hd_json_text(j, "name", inputs[i].name);
        hd_json_int(j, "thread", hd_recorded_number_in(run, inputs[i].thread, inputs[i].life));
        hd_json_int(j, "number", hd_input_number(inputs, i));
        hd_json_int(j, "bits", inputs[i].width);
        hd_json_bool(j, "signed", inputs[i].is_signed);
        if (inputs[i].is_signed || inputs[i].value <= INT64_MAX)
            hd_json_int(j, "value", inputs[i].is_signed ? signed_value(&inputs[i]) : (int64_t)inputs[i].value);
        else
            hd_json_text(j, "value", value); /* does not fit into the integers of JSON readers */
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
}
