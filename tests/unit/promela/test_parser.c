#include "promela/program.h"
#include "unit/test.h"

static void check_error(const char *source, const char *expected)
{
    hd_error error = { "" };
    hd_promela_model *m = hd_promela_parse("m.pml", source, &error);
    if (m) {
        hd_test_failed(__FILE__, __LINE__, "accepted: %s", source);
        hd_promela_model_close(m);
    } else if (!strstr(error.text, expected)) {
        hd_test_failed(__FILE__, __LINE__, "'%s' does not say '%s'", error.text, expected);
    }
}

TEST(errors_name_file_line_column_and_what_was_expected)
{
    check_error("byte x;\nactive proctype A() {\n  x = ;\n}", "m.pml:3:7: expected an expression, not ';'");
    check_error("active proctype A() { skip", "m.pml:1:27: ");
    check_error("active proctype A() { y = 1 }", "m.pml:1:23: 'y' is not declared");
    check_error("active proctype A() { if fi }", "expected '::' and an option, not 'fi'");
    check_error("active proctype A() { do :: skip fi }", "expected '::' or 'od', not 'fi'");
    check_error("active proctype A() { break }", "break is only possible inside do or for");
    check_error("active proctype A() { goto nowhere }", "there is no label 'nowhere'");
    check_error("active proctype A() { L: goto L }", "leads back to itself");
    check_error("byte x; byte x; active proctype A() { skip }", "'x' is declared twice");
    check_error("byte x[3]; active proctype A() { x = 1 }", "'x' is an array: expected an index");
    check_error("byte x; active proctype A() { x[1] = 1 }", "'x' is not an array");
    check_error("active proctype A() { run B() }", "'B' is not a proctype");
    check_error("proctype B(byte k) { skip } init { run B() }", "'B' expects 1 arguments, not 0");
    check_error("chan q = [1] of { byte, byte }; active proctype A() { q!1 }", "messages of 'q' have 2 values, not 1");
    check_error("byte q; active proctype A() { q!1 }", "expected a channel");
    check_error("proctype A() { skip }", "nothing runs");
    check_error("/* open", "this comment is never closed");
    check_error("active proctype A() { printf(\"x) }", "this string is never closed");
    check_error("active proctype A() { x $ 1 }", "this character has no meaning");
    check_error("inline f(a) { skip } active proctype A() { f(1, 2) }", "expects 1 arguments, not 2");
    check_error("inline f() { f() } active proctype A() { f() }", "an inline cannot call itself");
    check_error("active proctype A() { x = 99999999999 }", "does not fit in 32 bits");
    check_error("active proctype A() { d_step { goto L }; L: skip }", "out of d_step");
}

TEST(line_markers_give_the_place_in_the_users_file)
{
    check_error("# 40 \"inner.pml\"\nbyte x;\nbyte x;", "inner.pml:41:6");
}

TEST(what_is_not_supported_is_refused_by_name)
{
    check_error("trace { skip } active proctype A() { skip }", "'trace'");
    check_error("active proctype A() { a: A@a }", "never claims only");
    check_error("active proctype A() { c_code { int x; } }", "embedded C");
    check_error("active proctype A() priority 3 { skip }", "priorities");
    check_error("active proctype A() { enabled(1) -> skip }", "'enabled'");
}

static hd_promela_program *compiled(const char *source)
{
    hd_error error = { "" };
    hd_promela_model *m = hd_promela_parse("m.pml", source, &error);
    hd_promela_program *p = m ? hd_promela_compile(m, NULL, &error) : NULL;
    if (!p)
        hd_test_failed(__FILE__, __LINE__, "%s", error.text);
    return p;
}

TEST(mtype_names_are_numbered_from_the_last)
{
    hd_promela_program *p = compiled("mtype = { a, b }; mtype = { c }; active proctype A() { skip }");
    CHECK_TEXT(hd_promela_constant_name(p->model, 2), "a");
    CHECK_TEXT(hd_promela_constant_name(p->model, 1), "b");
    CHECK_TEXT(hd_promela_constant_name(p->model, 3), "c");
    hd_promela_program_close(p);
}

TEST(private_statements_run_as_one_step)
{
    hd_promela_program *p = compiled("byte g; active proctype A() { byte a, b; a = 1; b = a; g = b; g = g + 1 }");
    const hd_promela_step *first = p->codes[0].flow->steps[p->codes[0].flow->start];
    CHECK_INT(first->merged_count, 1);
    CHECK(first->next == NULL);
    hd_promela_program_close(p);
}

TEST(nested_choices_become_one_list_of_steps)
{
    hd_promela_program *p = compiled("byte g; active proctype A() { if :: g == 1 :: if :: g == 2 :: g == 3 fi fi }");
    int steps = 0;
    for (const hd_promela_step *s = p->codes[0].flow->steps[p->codes[0].flow->start]; s; s = s->next)
        steps++;
    CHECK_INT(steps, 3);
    hd_promela_program_close(p);
}

TEST(statements_print_as_they_are_written)
{
    char text[80];
    hd_promela_program *p = compiled("mtype = { m }; chan q = [2] of { mtype, byte }; byte x[3];\n"
                                     "active proctype A() { q!m(x[1] + 2) }");
    hd_promela_print_statement(text, sizeof text, p->model, p->codes[0].flow->steps[1]->element->node);
    CHECK_TEXT(text, "q!m,(x[1]+2)");
    hd_promela_program_close(p);
}
