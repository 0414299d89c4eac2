// A failed assertion and a call of an error function are errors behind which the run stops; a failed assumption cuts the run. An error
// function with a body is an error at its start; `if (!c) abort()` is what it says.

void assert(int);
void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { ((void)sizeof(int)); }
void __VERIFIER_error(void);
void __VERIFIER_assume(int);
void abort(void);
int g;

void assume_abort_if_not(int c) { if (!c) abort(); }

void assertions(int x)
{
    assert(x > 0);
    assert(g && x);
    ((x != 3) ? (void)(0) : __assert_fail("x != 3", "file.c", 1, "assertions"));
    //@ assert x == g;
    if (x == 5)
        __VERIFIER_error();
    if (x == 6)
        reach_error();
}

void assumptions(int x)
{
    __VERIFIER_assume(x > 0);
    __VERIFIER_assume(g && x);
    assume_abort_if_not(x < 10);
    __VERIFIER_assume(0);
    g = 1;
}

int main(void)
{
    assertions(1);
    assumptions(2);
}
