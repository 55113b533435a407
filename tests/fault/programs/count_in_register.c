/* Compiled by gcc: counts in a register that nobody else uses, and nobody puts back between executions. */
int next_count(void)
{
    long count;
    __asm__ volatile("movq %%mm7, %0" : "=r"(count));
    __asm__ volatile("movq %0, %%mm7; emms" : : "r"(count % 100 + 1));
    return (int)count;
}
