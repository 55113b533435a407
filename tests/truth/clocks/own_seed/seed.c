static unsigned seed;

void srand(unsigned given)
{
    seed = given;
}

int chosen(void)
{
    return seed > 1700000500;
}
