chan q = [1] of { byte }; byte n;
active proctype A() { do :: q!1 -> n++ :: timeout -> break od }
active proctype B() { byte v; q?v; q?v; }
