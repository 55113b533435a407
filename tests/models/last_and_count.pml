byte x;
active [2] proctype A() { x = _last; x = x + 1; (_last != 7); x = _nr_pr }
