/* Compiled by gcc: its variable is not reset between executions. */
int next_count(void)
{
    static int count;
    return count++;
}
