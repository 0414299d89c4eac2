// A static local is a global object that is initialised before the program starts; two of the same name are two objects. Thread-local
// objects are marked.
// Prints: counter, other, globals

_Thread_local int own = 3;
static __thread char *name;
extern int later;

int counter(void)
{
    static int count = 5;
    static _Thread_local unsigned mine;
    extern int later;
    mine++;
    return count++ + own + later;
}

int other(void)
{
    static int count;
    name = "other";
    return ++count;
}

int later = 9;

int main(void)
{
    counter();
    other();
}
