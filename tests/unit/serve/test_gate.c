#include "serve/gate.h"
#include "unit/test.h"

#include <stdio.h>

static const hd_serve_gate gate = { "00112233445566778899aabbccddeeff", 8080 };

static hd_serve_claims honest(void)
{
    return (hd_serve_claims) {
        .method = "GET", .path = "/00112233445566778899aabbccddeeff/api/runs", .host = "127.0.0.1:8080"
    };
}

static int judge(hd_serve_claims c)
{
    const char *rest;
    return hd_serve_gate_judge(&gate, &c, &rest);
}

TEST(an_honest_request_is_let_in)
{
    const char *rest;
    hd_serve_claims c = honest();
    CHECK_INT(hd_serve_gate_judge(&gate, &c, &rest), 0);
    CHECK_TEXT(rest, "/api/runs");
    c.path = "/00112233445566778899aabbccddeeff/";
    CHECK_INT(hd_serve_gate_judge(&gate, &c, &rest), 0);
    CHECK_TEXT(rest, "/");
    c.host = "localhost:8080";
    c.origin = "http://localhost:8080";
    c.site = "same-origin";
    c.length = "4194304";
    CHECK_INT(judge(c), 0);
    c.site = "none";
    CHECK_INT(judge(c), 0);
}

#define CHECK_REFUSED(field, value, status) \
    do { \
        hd_serve_claims c_ = honest(); \
        c_.field = (value); \
        CHECK_INT(judge(c_), status); \
    } while (0)

TEST(each_claim_alone_can_refuse)
{
    CHECK_REFUSED(host, NULL, 403);
    CHECK_REFUSED(host, "127.0.0.1", 403);
    CHECK_REFUSED(host, "127.0.0.1:80801", 403);
    CHECK_REFUSED(host, "evil.example:8080", 403);
    CHECK_REFUSED(origin, "null", 403);
    CHECK_REFUSED(origin, "http://evil.example", 403);
    CHECK_REFUSED(origin, "https://127.0.0.1:8080", 403);
    CHECK_REFUSED(site, "cross-site", 403);
    CHECK_REFUSED(site, "same-site", 403);
    CHECK_REFUSED(method, "PUT", 405);
    CHECK_REFUSED(method, "get", 405);
    CHECK_REFUSED(length, "4194305", 413);
    CHECK_REFUSED(length, "-1", 413);
    CHECK_REFUSED(length, "99999999999999999999999", 413);
}

TEST(every_digit_of_the_token_counts)
{
    char path[] = "/00112233445566778899aabbccddeeff/x";
    for (size_t i = 1; i < HD_SERVE_TOKEN; i++) {
        char was = path[i];
        path[i] = was == 'f' ? 'e' : 'f';
        CHECK_REFUSED(path, path, 404);
        path[i] = was;
    }
    CHECK_REFUSED(path, "", 404);
    CHECK_REFUSED(path, "/", 404);
    CHECK_REFUSED(path, "/00112233445566778899aabbccddeeff", 404);
    CHECK_REFUSED(path, "x00112233445566778899aabbccddeeff/", 404);
}

TEST(tokens_differ)
{
    hd_serve_gate a, b;
    CHECK(hd_serve_gate_open(&a) && hd_serve_gate_open(&b));
    CHECK_INT(strlen(a.token), HD_SERVE_TOKEN - 1);
    CHECK(strcmp(a.token, b.token) != 0);
}
