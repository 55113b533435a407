/* A server answers in one atomic step. The second client waits for an answer that the
 * server has only one of. */
chan ask = [2] of { byte };
chan answer[2] = [1] of { bit };

active proctype server()
{
    byte who;
    atomic {
        ask?who;
        answer[who]!1
    }
}

active [2] proctype client()
{
    atomic {
        ask!_pid - 1;
        answer[_pid - 1]?_
    }
}
