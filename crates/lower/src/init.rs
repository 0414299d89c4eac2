//! Initialisers of locals: the declaration clears the object where C requires zeros, then each part is stored.

use c_front::typed::{Expr, Init, InitPart, InitValue, LocalId, StringId};
use program::{Access, ExprId, ExprKind, Op, Order, Scalar};

use crate::fold::Fold;
use crate::function::{FunctionLowerer, Slot};
use crate::types::LISTED;

impl FunctionLowerer<'_, '_> {
    /// A compound literal: its values may mention the object that it made when it was evaluated before, so they come first.
    pub fn compound_literal(&mut self, local: LocalId, init: &Init) -> ExprId {
        let Slot::Memory(memory) = self.slot(local) else { unreachable!("what has no name lives in memory") };
        let mut values = Vec::with_capacity(init.parts.len());
        for (i, part) in init.parts.iter().enumerate() {
            let value = self.part_value(part);
            let later = init.parts[i + 1..].iter().filter_map(|part| match &part.value {
                InitValue::Value(value) => Some(value),
                InitValue::String(..) => None,
            });
            values.push(value.map(|value| self.keep(value, later)));
        }
        self.emit(Op::Enter(memory));
        self.ends_with_scope(memory);
        self.initialise_memory(memory, init, &values);
        self.local_address(memory)
    }

    fn part_value(&mut self, part: &InitPart<Expr>) -> Option<ExprId> {
        match &part.value {
            InitValue::Value(value) if self.unit.types.scalar(part.ty.ty).is_some() => Some(self.value(value)),
            _ => None,
        }
    }

    pub fn initialise(&mut self, local: LocalId, init: &Init) {
        let ty = self.typed.locals[local].ty.ty;
        match self.slot(local) {
            Slot::Plain(plain) => {
                let value = match init.parts.last().map(|part| &part.value) {
                    Some(InitValue::Value(value)) => self.value(value),
                    _ => {
                        let scalar = self.scalar(ty);
                        self.b.constant(scalar, 0)
                    }
                };
                self.take(plain, value);
            }
            Slot::Memory(memory) => self.initialise_memory(memory, init, &[]),
            Slot::Behind(_) => unreachable!("parameters have no initialiser"),
        }
    }

    /// `values` holds those of the parts that are evaluated already.
    fn initialise_memory(&mut self, memory: program::LocalId, init: &Init, values: &[Option<ExprId>]) {
        let zero = init.zero || init.parts.iter().any(|part| self.is_padded(part));
        if zero {
            self.emit(Op::Clear(memory));
        }
        let address = self.local_address(memory);
        for (i, part) in init.parts.iter().enumerate() {
            let value = values.get(i).copied().flatten();
            self.full_expression(|f| f.initialise_part(address, part, value, zero));
        }
    }

    /// A string that is shorter than its array.
    fn is_padded(&self, part: &InitPart<Expr>) -> bool {
        match part.value {
            InitValue::String(string, count) => (self.unit.unit.strings[string].units.len() as u64) < count,
            InitValue::Value(_) => false,
        }
    }

    fn initialise_part(&mut self, object: ExprId, part: &InitPart<Expr>, known: Option<ExprId>, cleared: bool) {
        let address = self.offset(object, part.offset as i64);
        match &part.value {
            InitValue::String(string, count) => {
                self.repeated(address, &part.repeat, &mut |f, at| f.store_string(at, *string, *count, cleared));
            }
            InitValue::Value(value) if self.unit.types.scalar(part.ty.ty).is_some() => {
                let mut stored = known.unwrap_or_else(|| self.value(value));
                let bits = part.bits;
                let ty = bits.map_or_else(|| self.scalar(part.ty.ty), |b| Scalar::Int(b.width));
                if let (Scalar::Int(width), true) = (ty, bits.is_some()) {
                    stored = self.b.resize(stored, width, false);
                }
                // No other thread can reach the object yet, so the run of bit-fields around it does not matter.
                let bits = bits.map(|b| {
                    let length = u32::from(b.start + b.width).div_ceil(8);
                    Box::new(program::Bits { start: b.start, before: 0, length })
                });
                self.repeated(address, &part.repeat, &mut |f, address| {
                    let to = Access { address, ty, bits: bits.clone(), order: Order::Plain };
                    f.emit(Op::Store { to, value: stored });
                });
            }
            InitValue::Value(value) => {
                let from = self.record_value(value);
                self.repeated(address, &part.repeat, &mut |f, at| f.copy(at, from, part.ty));
            }
        }
    }

    /// Carries out a store as often as range designators say.
    fn repeated(&mut self, address: ExprId, repeat: &[(u64, u64)], store: &mut dyn FnMut(&mut Self, ExprId)) {
        match repeat {
            [] => store(self, address),
            [(count, stride), inner @ ..] if *count <= LISTED => {
                for i in 0..*count {
                    let element = self.offset(address, (i * stride) as i64);
                    self.repeated(element, inner, store);
                }
            }
            [(count, stride), inner @ ..] => self.count_loop(*count, |f, index| {
                let element = f.element(address, 0, index, *stride);
                f.repeated(element, inner, store);
            }),
        }
    }

    /// Copies a string literal into an array, as far as both go; short ones are stored as constants.
    fn store_string(&mut self, at: ExprId, string: StringId, count: u64, cleared: bool) {
        const STORED: u64 = 32;
        let data = &self.unit.unit.strings[string];
        let (unit, ty) = (u64::from(data.unit), Scalar::Int(data.unit * 8));
        let given = (data.units.len() as u64).min(count);
        if given <= STORED {
            for i in 0..given {
                let value = u128::from(self.unit.unit.strings[string].units[i as usize]);
                if value != 0 || !cleared {
                    let address = self.offset(at, (i * unit) as i64);
                    let value = self.b.constant(ty, value);
                    self.store_at(address, value);
                }
            }
        } else {
            let (literal, pointer) = (self.unit.string(string), self.pointer());
            let literal = self.b.expr(ExprKind::GlobalAddress(literal), pointer);
            self.count_loop(given, |f, index| {
                let source = f.element(literal, 0, index, unit);
                let value = f.load_at(source, ty);
                let target = f.element(at, 0, index, unit);
                f.store_at(target, value);
            });
        }
    }
}
