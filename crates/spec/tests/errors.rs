//! Every mistake gets one message with its place and what to do.

mod support;

use support::{automaton, program};

const PROGRAM: &str = "struct point { int x, y; } origin; int numbers[4]; float ratio; int counter;\n\
    int add(int a, int b) { counter = a + b; return counter; }\n\
    void say(char *text) { numbers[1] = origin.x + (int)ratio + (int)strlen(text); sched_yield(); }\n\
    int main(void) { say(\"x\"); free(malloc(add(1, 2)));\n    return 0; }\n";

/// The messages that texts get, each behind the text's last line but one.
fn messages(texts: &[&str]) -> String {
    let program = program(PROGRAM);
    let told = |text: &&str| match automaton(text, &program) {
        Ok(automaton) => panic!("{automaton} is accepted:\n{text}"),
        Err(message) => format!("{}\n{message}\n\n", text.trim()),
    };
    texts.iter().map(told).collect()
}

/// A state machine with one transition.
fn with(transition: &str) -> String {
    format!("automaton a {{\n initial state s {{\n  {transition}\n }}\n}}")
}

#[test]
fn grammar() {
    let texts = [
        "",
        "// nothing\n",
        "automat a {}",
        "automaton {}",
        "automaton a for each mutex {}",
        "automaton a {\n final state s {}\n}",
        "automaton a {\n initial state s {\n",
        &with("on call main;"),
        &with("call main goto s;"),
        &with("on calls main goto s;"),
        &with("on call main goto error;"),
        &with("on call main goto error \"no end;"),
        &with("on call add(1,) goto s;"),
        &with("on call add(1 2) goto s;"),
        &with("on at label out goto s;"),
        &with("on at line x goto s;"),
        &with("when counter goto s;"),
        &with("when counter > goto s;"),
        &with("when (counter > 1 goto s;"),
        &with("when counter == 0xfg goto s;"),
        &with("when numbers[counter] == 1 goto s;"),
        &with("when counter = 1 goto s;"),
        &with("on call main goto s; §"),
        &with("on call add($, _) goto s;"),
    ];
    insta::assert_snapshot!(messages(&texts));
}

#[test]
fn names() {
    let texts: &[&str] = &[
        &with("on call ad goto error \"e\";"),
        &with("on call pthread_mutx_lock($m) goto error \"e\";"),
        &with("on call nowhere_at_all goto error \"e\";"),
        &with("on call sched_yield goto error \"e\";"),
        &with("on call add(1) goto error \"e\";"),
        &with("on call add(_, _, ...) goto error \"e\"; on call add(1, 2, 3, ...) goto s;"),
        &with("on call pthread_create(_, $attributes, _, _) goto error \"e\";"),
        &with("on return say -> 1 goto error \"e\";"),
        &with("on return free -> $r goto error \"e\";"),
        &with("on write countr goto error \"e\";"),
        &with("on write nothing_like_it goto error \"e\";"),
        &with("when origin.z == 1 goto error \"e\";"),
        &with("when origin == 1 goto error \"e\";"),
        &with("when ratio == 1 goto error \"e\";"),
        &with("when numbers[4] == 1 goto error \"e\";"),
        &with("when counter[1] == 1 goto error \"e\";"),
        &with("on at line 100 goto error \"e\";"),
        &with("on at \"other.c\":5 goto error \"e\";"),
        &with("on call add goto t;"),
        &with("on call main goto s;"),
        &with("on call main goto error \"$x\";"),
        &with("on call add($x, _) goto s; when $x == 1 goto error \"e\";"),
        "automaton a {\n state s { on call main goto error \"e\"; }\n}",
        "automaton a {\n initial state s {} initial state t {}\n}",
        "automaton a {\n initial state s {} state s {}\n}",
        "automaton a for each $m {\n initial state s { on call main goto error \"e\"; }\n}",
    ];
    insta::assert_snapshot!(messages(texts));
}
