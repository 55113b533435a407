chan c = [0] of { byte }; byte s; active proctype A() { c!1; s = 1; c!2 } active proctype B() { byte x; c?x; c?x; assert(s == 1) }
