// Integers of 128 bits are ordinary integers; a constant may need all of them.

__int128 wide(__int128 a, unsigned b)
{
    return a * b - 1;
}

unsigned __int128 constant(unsigned long x)
{
    return ((unsigned __int128)x << 64) + ~(unsigned __int128)0 / 3;
}

int main(void)
{
    wide(1, 2);
    constant(3);
}
