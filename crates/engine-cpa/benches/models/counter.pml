/* As counter.c: a label for each of the automaton's locations, a statement for each of its edges. Values that are not read again
   are set back to zero. */
short counter;
byte held;

proctype worker(byte me) {
    short i, t;
    i = 0;
L1: if
    :: i < ROUNDS -> goto L2
    :: else -> goto L7
    fi;
L2: if
    :: d_step { held == 0; held = me }
    fi;
    t = counter;
    d_step { counter = t + 1; t = 0 };
    held = 0;
    i++;
    goto L1;
L7: skip;
    skip;
end: false
}

init {
    skip;
    skip;
    skip;
    run worker(1);
    run worker(2);
    skip;
end: false
}
