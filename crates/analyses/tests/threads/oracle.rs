//! The interpreter's state answers, and random choices.

use analyses::{Known, Queries};
use program::{ExprId, FunctionId, Input, Scalar};
use semantics::{Base, Environment, Life, Machine, Pointer, Random, State, ThreadId, Value};

pub struct Oracle<'a, 'p> {
    pub machine: &'a Machine<'p>,
    pub state: &'a State,
    /// A query was made about a value that is not chosen yet or not there.
    pub did_not_know: bool,
}

impl<'a, 'p> Oracle<'a, 'p> {
    pub fn new(machine: &'a Machine<'p>, state: &'a State) -> Self {
        Oracle { machine, state, did_not_know: false }
    }

    fn known(&mut self, value: Option<Value>) -> Known {
        match value {
            Some(Value::Bits(bits)) => Known::Bits(bits),
            Some(Value::Pointer(pointer)) => Known::Pointer(pointer),
            _ => {
                self.did_not_know = true;
                Known::Unknown
            }
        }
    }
}

impl Queries for Oracle<'_, '_> {
    fn value(&mut self, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        assert_eq!(self.state.frame(ThreadId(thread)).function, function, "queries are about the running function");
        self.known(self.machine.peek(self.state, ThreadId(thread), expr))
    }

    fn specific(&mut self, thread: u32, key: u32) -> Known {
        let kept = self.state.thread(ThreadId(thread)).specific.get(key as usize);
        self.known(Some(kept.copied().unwrap_or(Value::NULL)))
    }

    fn is_alive(&mut self, pointer: Pointer, size: u64) -> bool {
        match pointer.base {
            Base::Object(id) => {
                let object = self.state.object(id);
                object.life == Life::Live && object.contents.contains(pointer.offset, size)
            }
            _ => true,
        }
    }
}

/// Inputs are small; what is chosen is noted.
pub struct Guesses {
    pub random: Random,
    pub chosen: Vec<u32>,
}

impl Environment for Guesses {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        *self.random.pick(&[0, 1, 2, -2_i64 as u128, 7])
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.chosen.push(self.random.below(options as usize) as u32);
        self.chosen[self.chosen.len() - 1]
    }

    fn print(&mut self, _: &[u8]) {}
}
