/* As peterson.c: a label for each of the automaton's locations, a statement for each of its edges. Values that are not read again
   are set back to zero. */
byte flag[2];
byte turn;
short entries;

proctype worker(byte me) {
    short i, t;
    skip;
    i = 0;
L2: if
    :: i < ROUNDS -> goto L3
    :: else -> goto L13
    fi;
L3: flag[me] = 1;
    turn = 1 - me;
L5: t = flag[1 - me];
    if
    :: d_step { t != 0; t = 0 } -> goto L7
    :: d_step { t == 0; t = 0 } -> goto L9
    fi;
L7: t = turn;
    if
    :: d_step { t != me; t = 0 } -> goto L5
    :: d_step { t == me; t = 0 } -> goto L9
    fi;
L9: t = entries;
    d_step { entries = t + 1; t = 0 };
    flag[me] = 0;
    i++;
    goto L2;
L13: skip;
    skip;
end: false
}

init {
    skip;
    skip;
    skip;
    run worker(0);
    run worker(1);
    skip;
end: false
}
