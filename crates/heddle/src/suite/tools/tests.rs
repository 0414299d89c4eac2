use super::*;

#[test]
fn property_files_say_what_they_are_named() {
    for property in Property::ALL {
        assert_eq!(Property::from_file_text(file_text(property)), Ok(vec![property]));
    }
}

#[test]
fn placeholders_are_filled_once() {
    let values = [("{file}", "'{time}.c'".to_owned()), ("{time}", "5".to_owned())];
    assert_eq!(filled("t ${x} {file} {time}s {other} {", &values), "t ${x} '{time}.c' 5s {other} {");
}

#[test]
fn words_of_a_shell() {
    assert_eq!(quoted("a/b.c"), "a/b.c");
    assert_eq!(quoted("it's"), r"'it'\''s'");
    assert_eq!(quoted(""), "''");
}

#[test]
fn a_verdict_counts_only_with_its_exit_code() {
    assert_eq!(heddle_answer(0, "VERDICT: true\n"), Answer::True);
    assert_eq!(heddle_answer(1, "VERDICT: false(no-data-race)\n"), Answer::False(Some("no-data-race".to_owned())));
    assert_eq!(heddle_answer(2, "VERDICT: unknown(runs limit)\n"), Answer::Unknown("runs limit".to_owned()));
    assert_eq!(heddle_answer(3, "error: no C\n  --> x\n"), Answer::Unknown("refused: no C".to_owned()));
    assert_eq!(heddle_answer(4, "VERDICT: true\n"), Answer::Crashed("exit code 4".to_owned()));
    assert_eq!(heddle_answer(1, "VERDICT: true\n"), Answer::Crashed("exit code 1".to_owned()));
    assert_eq!(heddle_answer(0, ""), Answer::Crashed("exit code 0".to_owned()));
}

#[test]
fn other_tools_are_read_by_their_last_verdict() {
    let read = |code, log| other_answer(code, log, &Verdicts::default());
    assert_eq!(read(0, "VERIFICATION SUCCESSFUL\n"), Answer::True);
    assert_eq!(read(10, "VERIFICATION FAILED\n"), Answer::False(None));
    assert_eq!(read(0, "step 1: TRUE\nresult: FALSE.\n"), Answer::False(None));
    assert_eq!(read(1, "UNTRUE\n"), Answer::Unknown("no verdict: exit code 1".to_owned()));
    assert_eq!(read(139, "TRUE\n"), Answer::Crashed("signal 11".to_owned()));
    assert_eq!(read(127, ""), Answer::Crashed("command not found".to_owned()));
}
