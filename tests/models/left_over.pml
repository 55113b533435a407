/* Everything ends, and one message is left. */
chan q = [2] of { byte };

active proctype sender()
{
    q!1;
    q!2
}

active proctype receiver()
{
    q?_
}
