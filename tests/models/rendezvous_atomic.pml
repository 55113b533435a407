chan c = [0] of { byte };
byte n;
active proctype S() { atomic { n++; c!1; n++; c!2; n++ } }
active proctype R() { byte x; atomic { c?x; n = n + x; c?x; n = n + x } assert(n == 7) }
active proctype T() { n++ ; n-- }
