chan c = [0] of { byte };
active proctype S() { if :: c!1 -> skip :: else -> skip fi; c!2 }
active proctype R() { byte x; c?x; c?x }
