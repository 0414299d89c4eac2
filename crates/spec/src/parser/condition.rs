//! Variables, terms and conditions.

use base::Diagnostic;

use super::{Parsed, Parser};
use crate::lexer::Token;
use crate::syntax::*;

/// Deeper conditions are refused.
const DEEPEST: u32 = 100;

impl Parser {
    pub(super) fn variable(&mut self) -> Parsed<VariableTree> {
        let name = self.name("a global variable's name")?;
        let (from, mut steps) = (name.span, Vec::new());
        loop {
            if self.sign(".") {
                steps.push(VariableStep::Field(self.name("a field's name")?));
            } else if self.sign("[") {
                let span = self.span();
                let Token::Number(index @ 0..) = *self.peek() else {
                    return Err(self.expected("a constant index"));
                };
                self.next();
                self.need_sign("]")?;
                steps.push(VariableStep::Index(index as u64, span));
            } else {
                return Ok(VariableTree { name, steps, span: self.since(from) });
            }
        }
    }

    pub(super) fn term(&mut self, what: &str) -> Parsed<TermTree> {
        let span = self.span();
        match self.peek().clone() {
            Token::Number(number) => {
                self.next();
                Ok(TermTree::Number(number))
            }
            Token::Value(text) => {
                self.next();
                Ok(TermTree::Value(Name { text, span }))
            }
            Token::Sign("-") => {
                self.next();
                let Token::Number(number) = *self.peek() else { return Err(self.expected("a number")) };
                self.next();
                Ok(TermTree::Number(-number))
            }
            Token::Sign("&") => {
                self.next();
                Ok(TermTree::Address(self.variable()?))
            }
            Token::Word(word) if word == "null" || word == "NULL" => {
                self.next();
                Ok(TermTree::Number(0))
            }
            Token::Word(word) if word != "goto" => Ok(TermTree::Variable(self.variable()?)),
            _ => Err(self.expected(what)),
        }
    }

    fn sum(&mut self) -> Parsed<TermTree> {
        const WHAT: &str = "a number, a variable, &variable or a value such as $x";
        let mut left = self.term(WHAT)?;
        loop {
            let minus = *self.peek() == Token::Sign("-");
            if !minus && *self.peek() != Token::Sign("+") {
                return Ok(left);
            }
            self.next();
            let right = Box::new(self.term(WHAT)?);
            left = TermTree::Sum { left: Box::new(left), right, minus };
        }
    }

    pub(super) fn condition(&mut self) -> Parsed<ConditionTree> {
        let mut left = self.conjunction()?;
        while self.sign("||") {
            left = ConditionTree::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<ConditionTree> {
        let mut left = self.negation()?;
        while self.sign("&&") {
            left = ConditionTree::And(Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed<ConditionTree> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Diagnostic::error(self.span(), "the condition is nested too deeply"));
        }
        let condition = if self.sign("!") {
            ConditionTree::Not(Box::new(self.negation()?))
        } else if self.sign("(") {
            let inner = self.condition()?;
            self.need_sign(")")?;
            inner
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn comparison(&mut self) -> Parsed<ConditionTree> {
        let left = self.sum()?;
        let comparison = match self.peek() {
            Token::Sign("==") => Comparison::Equal,
            Token::Sign("!=") => Comparison::NotEqual,
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::LessEqual,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=") => Comparison::GreaterEqual,
            _ => return Err(self.expected("a comparison: ==, !=, <, <=, > or >=")),
        };
        self.next();
        Ok(ConditionTree::Compare(left, comparison, self.sum()?))
    }
}
