byte x, y; active proctype A() { byte i; select (i : 2 .. 5); x = i; byte lo_w = 1; select (lo_w : x .. 6); y = lo_w; assert(y >= x) }
