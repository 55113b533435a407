mtype = { req, ack }; chan q = [2] of { mtype, byte, byte };
active [2] proctype A() { byte v; q!req(_pid, 1); q?ack(eval(_pid), v); assert(v == _pid + 1) }
active proctype B() { byte p; end: do :: q?req(p, _) -> q!ack(p, p+1) od }
