//! Library functions that the interpreter carries out itself: formatted output.

use program::{ExprId, FloatKind, Library, LibraryCall, Scalar};

use crate::format::{Arguments, FormatError, Text, format};
use crate::step::{Ending, Run, Step, Undefined};
use crate::value::Value;

/// Longer strings end the run.
const LONGEST: usize = 1 << 24;

impl Step<'_, '_> {
    pub(crate) fn library_call(&mut self, call: &LibraryCall) -> Run<()> {
        let args = &call.args;
        let printed = match call.function {
            Library::Print => self.print(args, 0, false)?,
            Library::PrintTo => self.print(args, 1, false)?,
            Library::PrintList => self.print(args, 0, true)?,
            Library::PrintListTo => self.print(args, 1, true)?,
            Library::Format => self.print_into(args, false)?,
            Library::FormatList => self.print_into(args, true)?,
            Library::PutChar => {
                let character = self.number(args[0])? as u8;
                self.environment.print(&[character]);
                i64::from(character)
            }
            Library::PutLine => {
                let string = self.value(args[0])?;
                let mut text = self.string(string, None)?;
                text.push(b'\n');
                self.environment.print(&text);
                text.len() as i64
            }
        };
        if let Some(to) = call.to {
            self.set_int(to, printed);
        }
        Ok(())
    }

    fn print(&mut self, args: &[ExprId], template: usize, list: bool) -> Run<i64> {
        let text = self.formatted(args, template, list)?;
        self.environment.print(&text);
        Ok(text.len() as i64)
    }

    /// `(buffer, size, template, …)`
    fn print_into(&mut self, args: &[ExprId], list: bool) -> Run<i64> {
        let (buffer, size) = (self.value(args[0])?, self.number(args[1])? as u64);
        let text = self.formatted(args, 2, list)?;
        if size > 0 {
            let kept = text.len().min((size - 1) as usize);
            let (object, offset) = self.resolve(buffer, kept as u64 + 1, true)?;
            for (i, byte) in text[..kept].iter().chain([&0]).enumerate() {
                self.state.object_mut(object).contents.write_bits(offset + i as u64, 1, u128::from(*byte))?;
            }
        }
        Ok(text.len() as i64)
    }

    fn formatted(&mut self, args: &[ExprId], template: usize, list: bool) -> Run<Vec<u8>> {
        let pointer = self.value(args[template])?;
        let template_text = self.string(pointer, None)?;
        let rest = &args[template + 1..];
        let source = match rest {
            [list_address] if list => {
                let address = self.value(*list_address)?;
                let word = Scalar::Pointer(self.program().machine.pointer_bits / 8);
                Source::Block { next: self.load_at(address, word)?, list: address }
            }
            _ => Source::Given { values: rest.to_vec(), next: 0 },
        };
        let long_bits = self.program().machine.pointer_bits;
        let mut out = Vec::new();
        let mut values = Values { step: self, source, ending: None };
        let result = format(&template_text, long_bits, &mut values, &mut out);
        match (result, values.ending) {
            (_, Some(ending)) => Err(ending),
            (Ok(_), None) => Ok(out),
            (Err(FormatError::TooLong { .. }), None) => Err(Ending::Limit("a string is too long to be printed")),
            (Err(_), None) => Err(Ending::Undefined(Undefined::Format)),
        }
    }

    /// The bytes of a C string, without its end; of at most `max` bytes if given.
    fn string(&mut self, pointer: Value, max: Option<usize>) -> Run<Vec<u8>> {
        let mut text = Vec::new();
        while max.is_none_or(|max| text.len() < max) {
            let at = match pointer {
                Value::Pointer(pointer) => Value::Pointer(pointer.moved(text.len() as i64)),
                value => value,
            };
            let (object, offset) = self.resolve(at, 1, false)?;
            match self.load_byte(object, offset)? {
                0 => break,
                byte => text.push(byte),
            }
            if text.len() > LONGEST {
                return Err(Ending::Limit("a string is too long to be printed"));
            }
        }
        Ok(text)
    }
}

/// Where the values to print come from.
enum Source {
    Given {
        values: Vec<ExprId>,
        next: usize,
    },
    /// A block of further arguments, and the list that points to the next.
    Block {
        next: Value,
        list: Value,
    },
}

struct Values<'s, 'a, 'p> {
    step: &'s mut Step<'a, 'p>,
    source: Source,
    ending: Option<Ending>,
}

impl Values<'_, '_, '_> {
    /// The next value, read as `ty` if it comes from a block.
    fn next(&mut self, ty: Scalar) -> Option<Value> {
        let result = match &mut self.source {
            Source::Given { values, next } => {
                let value = *values.get(*next)?;
                *next += 1;
                self.step.value(value)
            }
            Source::Block { next, list } => {
                let word = self.step.program().machine.pointer_bytes();
                let (at, list) = (*next, *list);
                if let Value::Pointer(pointer) = at {
                    *next = Value::Pointer(pointer.moved(ty.bytes().next_multiple_of(word) as i64));
                }
                let (pointer, after) = (Scalar::Pointer(word as u8), *next);
                self.step.store_at(list, pointer, after).and_then(|()| self.step.load_at(at, ty))
            }
        };
        self.keep(result)
    }

    /// Remembers why the run ends, since the format cannot.
    fn keep<T>(&mut self, result: Run<T>) -> Option<T> {
        result.map_err(|ending| self.ending = Some(ending)).ok()
    }

    fn long_double_type(&self) -> FloatKind {
        if self.step.program().machine.pointer_bits == 64 { FloatKind::X87In16 } else { FloatKind::X87In12 }
    }

    fn float(&mut self, kind: FloatKind) -> Option<(FloatKind, u128)> {
        let value = self.next(Scalar::Float(kind))?;
        Some((kind, self.step.bits_of(value)))
    }
}

impl Arguments for Values<'_, '_, '_> {
    fn integer(&mut self, bits: u8) -> Option<u64> {
        let value = self.next(Scalar::Int(bits))?;
        Some(self.step.bits_of(value) as u64)
    }

    fn double(&mut self) -> Option<(FloatKind, u128)> {
        self.float(FloatKind::F64)
    }

    fn long_double(&mut self) -> Option<(FloatKind, u128)> {
        self.float(self.long_double_type())
    }

    fn pointer(&mut self) -> Option<u64> {
        let bytes = self.step.program().machine.pointer_bits / 8;
        let value = self.next(Scalar::Pointer(bytes))?;
        Some(self.step.bits_of(value) as u64)
    }

    fn string(&mut self, max: Option<usize>) -> Option<Text<u8>> {
        let bytes = self.step.program().machine.pointer_bits / 8;
        let value = self.next(Scalar::Pointer(bytes))?;
        if value == Value::NULL {
            return Some(Text::Null);
        }
        let text = self.step.string(value, max);
        self.keep(text).map(Text::Characters)
    }

    fn wide_string(&mut self, max: Option<usize>) -> Option<Text<u32>> {
        let bytes = self.step.program().machine.pointer_bits / 8;
        let Value::Pointer(mut pointer) = self.next(Scalar::Pointer(bytes))? else { return Some(Text::Null) };
        let mut text = Vec::new();
        while max.is_none_or(|max| text.len() < max) {
            let unit = self.step.load_at(Value::Pointer(pointer), Scalar::Int(32));
            let unit = self.keep(unit)?;
            match self.step.bits_of(unit) as u32 {
                0 => break,
                unit => text.push(unit),
            }
            pointer = pointer.moved(4);
        }
        Some(Text::Characters(text))
    }

    fn store_count(&mut self, bits: u8, count: u64) -> Option<()> {
        let bytes = self.step.program().machine.pointer_bits / 8;
        let at = self.next(Scalar::Pointer(bytes))?;
        let stored = self.step.store_at(at, Scalar::Int(bits), Value::Bits(count));
        self.keep(stored)
    }
}
