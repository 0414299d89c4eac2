// Loops made by goto: a loop with two entries still has a location that is marked as head; a label without a jump is nothing.

int two_entries(int n)
{
    if (n > 5)
        goto second;
first:
    n--;
second:
    n -= 2;
    if (n > 0)
        goto first;
unused:
    return n;
}

int forward(int n)
{
    goto end;
    n = 1;
end:
    return n;
}

void self(void)
{
here:
    goto here;
}

int main(void)
{
    two_entries(7);
    forward(1);
    self();
}
