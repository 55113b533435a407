chan q = [2] of { byte }; byte n; active proctype S() { do :: nfull(q) -> q!1 :: full(q) -> break od; n = len(q) } active proctype R() { byte v; n == 2 -> q?v; q?v; assert(empty(q)) }
