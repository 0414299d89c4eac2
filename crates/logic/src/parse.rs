//! Reads what [`Terms::print`] writes: terms of SMT-LIB 2 over symbols that are known.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::op::NAMES;
use crate::{Op, Sort, SortError, Term, Terms};

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    #[error("the text ends too early")]
    End,
    #[error("`{0}` is not understood here")]
    Unexpected(Box<str>),
    #[error(transparent)]
    Sort(#[from] SortError),
}

impl Terms {
    pub fn parse(&mut self, text: &str) -> Result<Term, ParseError> {
        Parser { terms: self, rest: text, bound: FxHashMap::default() }.parse()
    }
}

struct Parser<'t, 's> {
    terms: &'t mut Terms,
    rest: &'s str,
    bound: FxHashMap<&'s str, Term>,
}

/// What is open while its parts are read.
enum Frame<'s> {
    Apply(Op, Vec<Term>),
    /// A name whose meaning is read, and one whose scope is.
    Bind(&'s str),
    Scope(&'s str),
}

impl<'s> Parser<'_, 's> {
    fn parse(mut self) -> Result<Term, ParseError> {
        let mut frames = Vec::new();
        loop {
            let term = match self.token()? {
                "(" => {
                    let frame = self.open()?;
                    frames.push(frame);
                    continue;
                }
                ")" => match frames.pop() {
                    Some(Frame::Apply(op, args)) => self.terms.try_apply(op, &args)?,
                    _ => return unexpected(")"),
                },
                atom => self.atom(atom)?,
            };
            // What the term is a part of.
            loop {
                match frames.pop() {
                    None => return self.end(term),
                    Some(Frame::Apply(op, mut args)) => {
                        args.push(term);
                        frames.push(Frame::Apply(op, args));
                        break;
                    }
                    Some(Frame::Bind(name)) => {
                        self.expect(")")?;
                        self.expect(")")?;
                        self.bound.insert(name, term);
                        frames.push(Frame::Scope(name));
                        break;
                    }
                    Some(Frame::Scope(name)) => {
                        self.expect(")")?;
                        self.bound.remove(name);
                    }
                }
            }
        }
    }

    fn end(&self, term: Term) -> Result<Term, ParseError> {
        if self.rest.trim().is_empty() { Ok(term) } else { unexpected(self.rest) }
    }

    /// Behind an opening parenthesis.
    fn open(&mut self) -> Result<Frame<'s>, ParseError> {
        match self.token()? {
            "let" => {
                self.expect("(")?;
                self.expect("(")?;
                Ok(Frame::Bind(self.token()?))
            }
            "(" => {
                let op = match self.token()? {
                    "as" => self.const_array()?,
                    "_" => self.indexed()?,
                    other => return unexpected(other),
                };
                self.expect(")")?;
                Ok(Frame::Apply(op, Vec::new()))
            }
            name => match NAMES.iter().find(|(_, known)| *known == name) {
                Some((op, _)) => Ok(Frame::Apply(*op, Vec::new())),
                None => unexpected(name),
            },
        }
    }

    fn indexed(&mut self) -> Result<Op, ParseError> {
        Ok(match self.token()? {
            "extract" => Op::Extract { high: self.number()?, low: self.number()? },
            "zero_extend" => Op::ZeroExtend(self.number()?),
            "sign_extend" => Op::SignExtend(self.number()?),
            other => return unexpected(other),
        })
    }

    fn const_array(&mut self) -> Result<Op, ParseError> {
        self.expect("const")?;
        self.expect("(")?;
        self.expect("Array")?;
        let index = self.width()?;
        self.width()?;
        self.expect(")")?;
        Ok(Op::ConstArray { index })
    }

    fn width(&mut self) -> Result<u8, ParseError> {
        self.expect("(")?;
        self.expect("_")?;
        self.expect("BitVec")?;
        let width = self.number()?;
        self.expect(")")?;
        Ok(width)
    }

    fn atom(&mut self, atom: &'s str) -> Result<Term, ParseError> {
        let bits = |digits: &str, radix, each: usize| {
            let width = u8::try_from(digits.len() * each).ok().filter(|width| Sort::Bits(*width).is_valid());
            width.zip(u128::from_str_radix(digits, radix).ok())
        };
        let number = match (atom.strip_prefix("#x"), atom.strip_prefix("#b")) {
            (Some(digits), _) => bits(digits, 16, 4),
            (_, Some(digits)) => bits(digits, 2, 1),
            _ => None,
        };
        if let Some((width, value)) = number {
            return Ok(self.terms.bits(width, value));
        }
        if let Some(term) = self.bound.get(atom) {
            return Ok(*term);
        }
        match atom {
            "true" => Ok(self.terms.bool(true)),
            "false" => Ok(self.terms.bool(false)),
            _ => {
                let name = atom.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(atom);
                let symbol = self.terms.symbol_named(name);
                symbol.map_or_else(|| unexpected(atom), |symbol| Ok(self.terms.variable(symbol)))
            }
        }
    }

    fn number(&mut self) -> Result<u8, ParseError> {
        let token = self.token()?;
        token.parse().or_else(|_| unexpected(token))
    }

    fn expect(&mut self, wanted: &str) -> Result<(), ParseError> {
        let token = self.token()?;
        if token == wanted { Ok(()) } else { unexpected(token) }
    }

    fn token(&mut self) -> Result<&'s str, ParseError> {
        let rest = self.rest.trim_start();
        let length = match rest.as_bytes().first() {
            None => return Err(ParseError::End),
            Some(b'(' | b')') => 1,
            Some(b'|') => 2 + rest[1..].find('|').ok_or(ParseError::End)?,
            Some(_) => rest.find(|c: char| c.is_whitespace() || "()|".contains(c)).unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at(length);
        self.rest = rest;
        Ok(token)
    }
}

fn unexpected<T>(token: &str) -> Result<T, ParseError> {
    Err(ParseError::Unexpected(token.into()))
}
