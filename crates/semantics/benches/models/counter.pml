/* Two threads add to a counter, each step under a lock. More rounds than in C: speeds are compared, not sizes. */
#define ROUNDS 200
int counter;
bit held;

proctype worker() {
    int i = 0;
    int read;
    do
    :: i < ROUNDS ->
        atomic { held == 0 -> held = 1 }
        read = counter;
        d_step { counter = read + 1; read = 0 }
        held = 0;
        i++
    :: else -> break
    od
}

init { run worker(); run worker() }
