//! From text to trees. One mistake ends it, with what was expected.

mod condition;

use base::{Diagnostic, Span};

use crate::lexer::{Token, tokens};
use crate::syntax::*;

/// Longer files are no specifications; trees as deep as they are long still fit on the stack.
const MOST_TOKENS: usize = 50_000;

/// Reads a specification; the first byte of `text` has position `start`.
pub fn parse(text: &str, start: u32) -> Result<Vec<AutomatonTree>, Diagnostic> {
    let tokens = tokens(text, start)?;
    if let Some((_, span)) = tokens.get(MOST_TOKENS) {
        let message = "the specification is too long";
        return Err(Diagnostic::error(*span, message).help("write several files, and name each with --spec"));
    }
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let mut automata: Vec<AutomatonTree> = Vec::new();
    while *parser.peek() != Token::End {
        let automaton = parser.automaton()?;
        if let Some(old) = automata.iter().find(|old| old.name.text == automaton.name.text) {
            let message = format!("there are two automata ‘{}’", automaton.name.text);
            return Err(Diagnostic::error(automaton.name.span, message).note(old.name.span, "the first one"));
        }
        automata.push(automaton);
    }
    if automata.is_empty() {
        let message = "the file has no automaton";
        return Err(Diagnostic::error(parser.span(), message).help("see `heddle explain specifications`"));
    }
    Ok(automata)
}

type Parsed<T> = Result<T, Diagnostic>;

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// From a span to the end of what was read last.
    fn since(&self, from: Span) -> Span {
        from.to(self.tokens[self.at.saturating_sub(1)].1)
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(found) if found == word);
        if found {
            self.next();
        }
        found
    }

    fn sign(&mut self, sign: &'static str) -> bool {
        let found = *self.peek() == Token::Sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn expected(&self, what: &str) -> Diagnostic {
        Diagnostic::error(self.span(), format!("expected {what}, found {}", self.peek().describe()))
            .help("see `heddle explain specifications` for the grammar and examples")
    }

    fn need_word(&mut self, word: &str) -> Parsed<()> {
        if self.word(word) { Ok(()) } else { Err(self.expected(&format!("‘{word}’"))) }
    }

    fn need_sign(&mut self, sign: &'static str) -> Parsed<()> {
        if self.sign(sign) { Ok(()) } else { Err(self.expected(&format!("‘{sign}’"))) }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        match self.peek().clone() {
            // No name in C.
            Token::Word(text) if text != "goto" => {
                self.next();
                Ok(Name { text, span })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn text(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        match self.peek().clone() {
            Token::Text(text) => {
                self.next();
                Ok(Name { text, span })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn automaton(&mut self) -> Parsed<AutomatonTree> {
        self.need_word("automaton")?;
        let name = self.name("the automaton's name")?;
        let (mut for_each_thread, mut for_each) = (false, Vec::new());
        if self.word("for") {
            self.need_word("each")?;
            loop {
                let span = self.span();
                if self.word("thread") {
                    for_each_thread = true;
                } else if let Token::Value(text) = self.peek().clone() {
                    self.next();
                    for_each.push(Name { text, span });
                } else {
                    return Err(self.expected("‘thread’ or a value such as $m"));
                }
                if !self.sign(",") {
                    break;
                }
            }
        }
        self.need_sign("{")?;
        let mut states = Vec::new();
        while !self.sign("}") {
            states.push(self.state()?);
        }
        Ok(AutomatonTree { name, for_each_thread, for_each, states })
    }

    fn state(&mut self) -> Parsed<StateTree> {
        let initial = self.word("initial");
        if !self.word("state") {
            return Err(self.expected(if initial {
                "‘state’"
            } else {
                "‘state’, ‘initial state’ or ‘}’"
            }));
        }
        let name = self.name("the state's name")?;
        self.need_sign("{")?;
        let mut transitions = Vec::new();
        while !self.sign("}") {
            transitions.push(self.transition()?);
        }
        Ok(StateTree { name, initial, transitions })
    }

    fn transition(&mut self) -> Parsed<TransitionTree> {
        let from = self.span();
        let event = if self.word("on") { Some(self.event()?) } else { None };
        let condition = if self.word("when") { Some(self.condition()?) } else { None };
        if event.is_none() && condition.is_none() {
            return Err(self.expected("‘on’, ‘when’ or ‘}’"));
        }
        if !self.word("goto") {
            let what = if condition.is_some() { "an operator or ‘goto’" } else { "‘when’ or ‘goto’" };
            return Err(self.expected(what));
        }
        let target = match self.word("error") {
            true => TargetTree::Error(self.text("the error's message in quotes")?),
            false => TargetTree::State(self.name("a state's name, or ‘error’ and a message")?),
        };
        self.need_sign(";")?;
        Ok(TransitionTree { span: self.since(from), event, condition, target })
    }

    fn event(&mut self) -> Parsed<EventTree> {
        const KINDS: &str = "an event: call, return, read, write, at, deadlock or end";
        let from = self.span();
        let wrong = self.expected(KINDS);
        let Token::Word(kind) = self.next() else { return Err(wrong) };
        match kind.as_str() {
            "call" => {
                let function = self.name("a function's name")?;
                let open = self.span();
                let arguments = if self.sign("(") { Some(self.arguments(open)?) } else { None };
                Ok(EventTree::Call { function, arguments })
            }
            "return" => {
                let function = self.name("a function's name")?;
                let value = if self.sign("->") { Some(self.pattern()?) } else { None };
                Ok(EventTree::Return { function, value })
            }
            "read" => Ok(EventTree::Read(self.variable()?)),
            "write" => Ok(EventTree::Write(self.variable()?)),
            "at" => self.place(from),
            "deadlock" => Ok(EventTree::Deadlock),
            "end" => Ok(EventTree::End),
            _ => Err(wrong),
        }
    }

    fn place(&mut self, from: Span) -> Parsed<EventTree> {
        let file = match self.peek().clone() {
            Token::Text(_) => {
                let file = self.text("a file's name")?;
                self.need_sign(":")?;
                Some(file)
            }
            Token::Word(word) if word == "label" => {
                let message = "labels are not known any more when the program is checked";
                return Err(Diagnostic::error(self.span(), message).help("write ‘at line N’ or ‘at \"FILE\":N’"));
            }
            _ if self.word("line") => None,
            _ => return Err(self.expected("‘line’ or a file's name in quotes")),
        };
        let Token::Number(line @ 1..=0xffff_ffff) = *self.peek() else {
            return Err(self.expected("the number of a line"));
        };
        self.next();
        Ok(EventTree::At { file, line: line as u32, span: self.since(from) })
    }

    fn arguments(&mut self, from: Span) -> Parsed<ArgumentsTree> {
        let (mut patterns, mut open) = (Vec::new(), false);
        while !self.sign(")") {
            if self.sign("...") {
                open = true;
                self.need_sign(")")?;
                break;
            }
            patterns.push(self.pattern()?);
            if *self.peek() != Token::Sign(")") {
                if !self.sign(",") {
                    return Err(self.expected("‘,’ or ‘)’"));
                }
                if *self.peek() == Token::Sign(")") {
                    return Err(self.expected("a pattern: _, $x, a number, a variable or &variable"));
                }
            }
        }
        Ok(ArgumentsTree { patterns, open, span: self.since(from) })
    }

    fn pattern(&mut self) -> Parsed<PatternTree> {
        let from = self.span();
        let kind = match self.word("_") {
            true => PatternTreeKind::Any,
            false => PatternTreeKind::Term(self.term("a pattern: _, $x, a number, a variable or &variable")?),
        };
        Ok(PatternTree { span: self.since(from), kind })
    }
}
