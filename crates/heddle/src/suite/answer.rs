//! What a tool says about a task, and whether that is right.

use std::fmt;

use crate::suite::tasks::{Expected, Task};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    True,
    /// What is violated, if the tool names it.
    False(Option<String>),
    /// And why.
    Unknown(String),
    /// And how. Whatever was printed before is no answer.
    Crashed(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    Correct,
    Wrong,
    /// There is an answer, but it is not known what is right.
    Unjudged,
    Unknown,
    Crashed,
}

impl Answer {
    pub fn judge(&self, task: &Task) -> Judgement {
        match (self, &task.expected) {
            (Answer::Unknown(_), _) => Judgement::Unknown,
            (Answer::Crashed(_), _) => Judgement::Crashed,
            (_, None) => Judgement::Unjudged,
            (Answer::True, Some(Expected::True)) => Judgement::Correct,
            (Answer::False(said), Some(Expected::False(part))) if agree(said.as_deref(), part.as_deref()) => {
                Judgement::Correct
            }
            _ => Judgement::Wrong,
        }
    }

    /// As [`fmt::Display`] writes it.
    pub fn parse(text: &str) -> Option<Answer> {
        let (word, detail) = match text.split_once('(') {
            Some((word, rest)) => (word, Some(rest.strip_suffix(')')?.to_owned())),
            None => (text, None),
        };
        match word {
            "true" if detail.is_none() => Some(Answer::True),
            "false" => Some(Answer::False(detail)),
            "unknown" => Some(Answer::Unknown(detail.unwrap_or_default())),
            "crashed" => Some(Answer::Crashed(detail.unwrap_or_default())),
            _ => None,
        }
    }
}

/// Properties of memory have parts; where both name one, it must be the same.
fn agree(said: Option<&str>, part: Option<&str>) -> bool {
    match (said, part) {
        (Some(said), Some(part)) => said == part,
        _ => true,
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::True => f.write_str("true"),
            Answer::False(None) => f.write_str("false"),
            Answer::False(Some(what)) => write!(f, "false({what})"),
            Answer::Unknown(why) => write!(f, "unknown({why})"),
            Answer::Crashed(how) => write!(f, "crashed({how})"),
        }
    }
}

impl Judgement {
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Correct => "correct",
            Judgement::Wrong => "wrong",
            Judgement::Unjudged => "unjudged",
            Judgement::Unknown => "unknown",
            Judgement::Crashed => "crashed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_written() {
        let all = [
            Answer::True,
            Answer::False(None),
            Answer::False(Some("valid-deref".into())),
            Answer::Unknown("left out: f(x)".into()),
            Answer::Crashed("signal 11".into()),
        ];
        for answer in all {
            assert_eq!(Answer::parse(&answer.to_string()), Some(answer));
        }
        assert_eq!(Answer::parse("maybe"), None);
        assert_eq!(Answer::parse("false(x"), None);
    }
}
