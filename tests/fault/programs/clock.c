/* Compiled by gcc: the processor's clock, which heddle does not see. */
int next_count(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (int)(low >> 4 & 0xffff);
}
