/* Peterson's algorithm; the critical section counts entries, so that there are states to visit. More rounds than in C. */
#define ROUNDS 100
bit flag[2];
bit turn;
int entries;

proctype worker(bit me) {
    int i = 0;
    int read;
    do
    :: i < ROUNDS ->
        flag[me] = 1;
        turn = 1 - me;
        do
        :: flag[1 - me] == 0 -> break
        :: else ->
            if
            :: turn == me -> break
            :: else -> skip
            fi
        od;
        read = entries;
        d_step { entries = read + 1; read = 0 }
        flag[me] = 0;
        i++
    :: else -> break
    od
}

init { run worker(0); run worker(1) }
