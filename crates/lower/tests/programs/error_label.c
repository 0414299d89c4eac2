// In a program without any other sign of an error the label ERROR is one.

int check(int x)
{
    if (x)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}

int main(void) { check(1); }
