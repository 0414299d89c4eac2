// Beside a call of an error function the label ERROR is a label like any other: its edge does nothing.

void reach_error(void);

int check(int x)
{
    if (x)
        goto ERROR;
    return 0;
ERROR:
    reach_error();
    return 1;
}

int main(void) { check(1); }
