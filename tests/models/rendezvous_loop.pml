mtype = { a, b };
chan c = [0] of { mtype, byte };
byte g;
active proctype S() { byte i; do :: i < 3 -> c!a(i); i++ :: i < 3 -> c!b(i+10); i++ :: else -> break od }
active [2] proctype R() { byte x; end: do :: c?a(x) -> g = x :: c?b,x -> g = x+1 od }
