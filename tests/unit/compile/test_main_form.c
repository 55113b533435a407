/* Definitions of main that clang refuses. */
#include "compile/main_form.h"
#include "unit/test.h"

TEST(usual_definitions_of_main)
{
    static const char *const sources[] = { "int main(void) { }", "int main() { }", "int\nmain ( int n,char**v )\n{ }",
        "int main(int argc, char *argv[], char *envp[]) { }", "int main(int argc, const char *const *argv) { }",
        "int main(int argc) { }", "main(argc, argv) int argc; char **argv; { }", "main(argc, argv) char *argv[]; { }",
        "// int main(int argc, char *argv) { }\nint main(void) { }", "char s[] = \"main(int, char *a) {\";",
        "int domain(int n, char *s) { }", "int f(void) { return main(1, s); } void g(void) { }", "", "main(" };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        CHECK(!hd_cc_is_unusual_main(sources[i]));
}

TEST(unusual_definitions_of_main)
{
    static const char *const sources[] = { "int main(int argc, char *argv) { }", "int main(int argc, int argv) {",
        "int main(char *first) { }", "int main(int a, char **b, char **c, int d) { }",
        "int main(int argc, char *argv[], int x) { }", "main(argc, argv) int argc; char *argv; { }",
        "int main(int argc, char * /* of ** */ argv)\n{ }" };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        CHECK(hd_cc_is_unusual_main(sources[i]));
}
