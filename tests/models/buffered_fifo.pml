chan q = [3] of { byte }; active proctype S() { byte i; do :: i < 5 -> q!i; i++ :: i == 5 -> break od } active proctype R() { byte v, n; do :: n < 5 -> q?v; assert(v == n); n++ :: else -> break od }
