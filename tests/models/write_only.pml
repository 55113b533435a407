byte unused, seen; active [2] proctype A() { unused++; seen = seen + 1; unused = seen }
