chan q = [4] of { byte }; active proctype S() { q!3; q!1; q!2 } active proctype R() { byte v; q??1; q??3; q?v; assert(v == 2 || v == 0) }
