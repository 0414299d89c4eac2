/* As philosophers.c: a label for each of the automaton's locations, a statement for each of its edges. */
byte forks[4];

proctype eat(byte me) {
    short i;
    skip;
    i = 0;
L2: if
    :: i < ROUNDS -> goto L3
    :: else -> goto L8
    fi;
L3: if
    :: d_step { forks[me] == 0; forks[me] = me + 1 }
    fi;
    d_step { forks[(me + 1) % 4] == 0; forks[(me + 1) % 4] = me + 1 };
    forks[(me + 1) % 4] = 0;
    forks[me] = 0;
    i++;
    goto L2;
L8: skip;
    skip;
end: false
}

init {
    skip;
    skip;
    skip;
    skip;
    skip;
    run eat(0);
    run eat(1);
    run eat(2);
    run eat(3);
    skip;
end: false
}
