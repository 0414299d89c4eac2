//! Values in the memory of an abstract state: known, or a symbol that represents all numbers of a range.

use base::index_type;
use facts::range::{self, Range};
use program::{BinaryOp, Cast, Scalar, UnaryOp};
use semantics::Pointer;

index_type! {
    /// A value that is not known; the same symbol is the same value wherever it is.
    pub struct Symbol = "s";
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Arbitrary and not looked at yet.
    Undefined,
    Bits(u64),
    Pointer(Pointer),
    /// One byte of a pointer.
    Part(Pointer, u8),
    Unknown(Symbol),
}

impl Value {
    pub const NULL: Value = Value::Bits(0);

    pub fn truth(truth: bool) -> Value {
        Value::Bits(u64::from(truth))
    }

    /// As in a run; `None` for a symbol.
    pub fn known(self) -> Option<semantics::Value> {
        match self {
            Value::Undefined => Some(semantics::Value::Undefined),
            Value::Bits(bits) => Some(semantics::Value::Bits(bits)),
            Value::Pointer(pointer) => Some(semantics::Value::Pointer(pointer)),
            Value::Part(pointer, index) => Some(semantics::Value::Part(pointer, index)),
            Value::Unknown(_) => None,
        }
    }

    /// `None` for a number that is too wide to be kept.
    pub fn of_known(value: semantics::Value) -> Option<Value> {
        match value {
            semantics::Value::Undefined => Some(Value::Undefined),
            semantics::Value::Bits(bits) => Some(Value::Bits(bits)),
            semantics::Value::Wide(..) => None,
            semantics::Value::Pointer(pointer) => Some(Value::Pointer(pointer)),
            semantics::Value::Part(pointer, index) => Some(Value::Part(pointer, index)),
        }
    }
}

/// What is known of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Info {
    /// Of integers of at most 64 bits.
    pub range: Option<Range>,
    /// How it follows from others.
    pub def: Option<Def>,
    /// It was decided to be this value.
    pub same: Option<Operand>,
    /// Nesting of definitions.
    pub depth: u32,
    /// Made from the number of an address.
    pub address: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Bits(u64),
    Symbol(Symbol),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    Unary(UnaryOp, Scalar, Operand),
    /// With the types of both operands.
    Binary(BinaryOp, Scalar, Operand, Scalar, Operand),
    Cast(Cast, Scalar, Scalar, Operand),
}

impl Def {
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        let (a, b) = match *self {
            Def::Unary(_, _, a) | Def::Cast(_, _, _, a) => (a, None),
            Def::Binary(_, _, a, _, b) => (a, Some(b)),
        };
        [Some(a), b].into_iter().flatten()
    }

    pub fn map(self, mut rename: impl FnMut(Operand) -> Operand) -> Def {
        match self {
            Def::Unary(op, ty, a) => Def::Unary(op, ty, rename(a)),
            Def::Binary(op, ty, a, right, b) => Def::Binary(op, ty, rename(a), right, rename(b)),
            Def::Cast(cast, from, to, a) => Def::Cast(cast, from, to, rename(a)),
        }
    }
}

/// The width of integers and pointers that ranges can be of.
pub fn range_bits(ty: Scalar) -> Option<u32> {
    match ty {
        Scalar::Int(1..=64) | Scalar::Pointer(_) => Some(ty.bits()),
        _ => None,
    }
}

/// Deeper definitions are forgotten.
pub const DEEPEST: u32 = 6;

/// The symbols of one state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Symbols {
    pub all: Vec<Info>,
}

impl Symbols {
    fn push(&mut self, info: Info) -> Value {
        self.all.push(info);
        Value::Unknown(Symbol((self.all.len() - 1) as u32))
    }

    /// Any value of a type.
    pub fn fresh(&mut self, ty: Scalar) -> Value {
        let range = range_bits(ty).map(Range::top);
        self.push(Info { range, def: None, same: None, depth: 0, address: false })
    }

    /// A number that is as arbitrary as addresses are.
    pub fn address(&mut self, bits: u32) -> Value {
        let range = (1..=64).contains(&bits).then(|| Range::top(bits));
        self.push(Info { range, def: None, same: None, depth: 0, address: true })
    }

    /// What an operand is by now.
    pub fn resolve(&self, mut operand: Operand) -> Operand {
        while let Operand::Symbol(symbol) = operand {
            let info = &self.all[symbol.0 as usize];
            match (info.same, info.range.and_then(|range| range.as_constant())) {
                (Some(same), _) => operand = same,
                (None, Some(bits)) => return Operand::Bits(bits),
                (None, None) => return operand,
            }
        }
        operand
    }

    pub fn value(&self, value: Value) -> Value {
        match value {
            Value::Unknown(symbol) => match self.resolve(Operand::Symbol(symbol)) {
                Operand::Bits(bits) => Value::Bits(bits),
                Operand::Symbol(symbol) => Value::Unknown(symbol),
            },
            value => value,
        }
    }

    pub fn info(&self, symbol: Symbol) -> &Info {
        &self.all[symbol.0 as usize]
    }

    pub fn range(&self, operand: Operand, bits: u32) -> Option<Range> {
        match self.resolve(operand) {
            Operand::Bits(value) => Some(Range::constant(bits, value)),
            Operand::Symbol(symbol) => self.info(symbol).range,
        }
    }

    fn is_address(&self, operand: Operand) -> bool {
        match operand {
            Operand::Bits(_) => false,
            Operand::Symbol(symbol) => self.info(symbol).address,
        }
    }

    fn depth(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Bits(_) => 0,
            Operand::Symbol(symbol) => self.info(symbol).depth,
        }
    }

    /// The value of a definition with a range; the symbol there is, if the same was defined before.
    pub fn define(&mut self, def: Def, range: Option<Range>, deepest: u32) -> Value {
        if let Some(bits) = range.and_then(|range| range.as_constant()) {
            return Value::Bits(bits);
        }
        let depth = 1 + def.operands().map(|operand| self.depth(operand)).max().unwrap_or(0);
        let address = def.operands().any(|operand| self.is_address(operand));
        if depth > deepest {
            return self.push(Info { range, def: None, same: None, depth: 0, address });
        }
        if let Some(known) = self.all.iter().position(|info| info.def == Some(def)) {
            return self.value(Value::Unknown(Symbol(known as u32)));
        }
        self.push(Info { range, def: Some(def), same: None, depth, address })
    }

    /// Cuts a symbol's range down, and those that follow. False if nothing is left.
    pub fn narrow(&mut self, symbol: Symbol, range: Range) -> bool {
        let mut work = vec![(symbol, range)];
        // Enough for the chains that programs have; stopping early only loses precision.
        for _ in 0..200 {
            let Some((symbol, range)) = work.pop() else { break };
            let symbol = match self.resolve(Operand::Symbol(symbol)) {
                Operand::Symbol(symbol) => symbol,
                Operand::Bits(bits) if range.contains(bits) => continue,
                Operand::Bits(_) => return false,
            };
            let info = self.all[symbol.0 as usize];
            let Some(old) = info.range.filter(|old| old.bits() == range.bits()) else { continue };
            let Some(new) = old.meet(range) else { return false };
            if new == old {
                continue;
            }
            self.all[symbol.0 as usize].range = Some(new);
            if let Some(def) = info.def
                && !self.backward(def, new, &mut work)
            {
                return false;
            }
            if !self.forward(symbol, &mut work) {
                return false;
            }
        }
        true
    }

    /// Tries the values of the symbols in a definition, where they are few: infeasible ones are removed. False if nothing
    /// is left.
    pub fn shave(&mut self, symbol: Symbol) -> bool {
        let (mut found, mut next) = (vec![symbol], 0);
        while next < found.len() && found.len() < 32 {
            let def = self.info(found[next]).def;
            for operand in def.iter().flat_map(|def| def.operands()) {
                if let Operand::Symbol(symbol) = self.resolve(operand)
                    && !found.contains(&symbol)
                {
                    found.push(symbol);
                }
            }
            next += 1;
        }
        for symbol in found {
            let Operand::Symbol(symbol) = self.resolve(Operand::Symbol(symbol)) else { continue };
            let Some(range) = self.info(symbol).range else { continue };
            let Some(values) = members(range, 4) else { continue };
            let mut left = None;
            for value in values {
                let constant = Range::constant(range.bits(), value);
                if self.clone().narrow(symbol, constant) {
                    left = Some(left.map_or(constant, |left: Range| left.join(constant)));
                }
            }
            match left {
                None => return false,
                Some(left) if !self.narrow(symbol, left) => return false,
                Some(_) => {}
            }
        }
        true
    }

    /// What the outcome of a definition implies for its operands (backward propagation of constraints).
    fn backward(&mut self, def: Def, result: Range, work: &mut Vec<(Symbol, Range)>) -> bool {
        let mut cut = |operand: Operand, range: Range| {
            if let Operand::Symbol(symbol) = operand {
                work.push((symbol, range));
            }
        };
        match def {
            Def::Unary(UnaryOp::Not, ty, a) => {
                if let (Some(_), Some(range)) = (range_bits(ty), range::unary(UnaryOp::Not, result)) {
                    cut(a, range);
                }
            }
            Def::Unary(UnaryOp::Neg | UnaryOp::SNeg, _, a) => {
                if let Some(range) = range::unary(UnaryOp::Neg, result) {
                    cut(a, range);
                }
            }
            Def::Unary(..) => {}
            Def::Cast(Cast::ZExt | Cast::SExt | Cast::PtrToInt | Cast::IntToPtr, from, _, a) => {
                if let Some(bits) = range_bits(from).filter(|bits| *bits <= result.bits())
                    && let Some(range) = range::cast(Cast::Trunc, result, bits)
                {
                    cut(a, range);
                }
            }
            Def::Cast(..) => {}
            Def::Binary(op, ty, a, right, b) => {
                let (Some(bits), Some(b_bits)) = (range_bits(ty), range_bits(right)) else { return true };
                let (Some(x), Some(y)) = (self.range(a, bits), self.range(b, b_bits)) else { return true };
                if bits != b_bits {
                    return true;
                }
                return self.backward_binary(op, (a, x), (b, y), result, work);
            }
        }
        true
    }

    fn backward_binary(
        &mut self,
        op: BinaryOp,
        (a, x): (Operand, Range),
        (b, y): (Operand, Range),
        result: Range,
        work: &mut Vec<(Symbol, Range)>,
    ) -> bool {
        use BinaryOp::*;
        let op = op.on_words();
        let mut cut = |operand: Operand, range: Option<Range>| {
            if let (Operand::Symbol(symbol), Some(range)) = (operand, range) {
                work.push((symbol, range));
            }
        };
        match (op, result.as_constant()) {
            (Eq | ULt | ULe | SLt | SLe, Some(truth)) => {
                let Some((x, y)) = range::refine(op, truth != 0, x, y) else { return false };
                cut(a, Some(x));
                cut(b, Some(y));
                if op == Eq && truth != 0 {
                    self.unify(a, b);
                }
            }
            (Add | SAdd, _) => {
                cut(a, range::binary(Sub, result, y).value());
                cut(b, range::binary(Sub, result, x).value());
            }
            (Sub | SSub, _) => {
                cut(a, range::binary(Add, result, y).value());
                cut(b, range::binary(Sub, x, result).value());
            }
            (Scale, _) => {
                if let Some(size) = y.as_constant().map(|size| size as i64).filter(|size| *size > 0) {
                    let (low, high) = (result.min_signed(), result.max_signed());
                    let (low, high) =
                        (low.div_euclid(size) + i64::from(low.rem_euclid(size) != 0), high.div_euclid(size));
                    if low > high {
                        return false;
                    }
                    cut(a, Some(Range::signed(x.bits(), low, high)));
                }
            }
            (And, Some(1)) if result.bits() == 1 => {
                cut(a, Some(Range::truth(true)));
                cut(b, Some(Range::truth(true)));
            }
            (Or, Some(0)) => {
                cut(a, Some(Range::constant(x.bits(), 0)));
                cut(b, Some(Range::constant(y.bits(), 0)));
            }
            (Xor, _) => {
                cut(a, range::binary(Xor, result, y).value());
                cut(b, range::binary(Xor, result, x).value());
            }
            _ => {}
        }
        true
    }

    /// Two that are equal are one from now on.
    fn unify(&mut self, a: Operand, b: Operand) {
        let (Operand::Symbol(a), Operand::Symbol(b)) = (self.resolve(a), self.resolve(b)) else { return };
        // The older one stays; one with a definition must keep it.
        let (old, new) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let same_kind = self.info(old).range.map(|r| r.bits()) == self.info(new).range.map(|r| r.bits());
        if old != new && same_kind && self.info(new).def.is_none() && self.info(old).range == self.info(new).range {
            self.all[new.0 as usize].same = Some(Operand::Symbol(old));
        }
    }

    /// Evaluates the definitions again that mention a symbol.
    fn forward(&mut self, symbol: Symbol, work: &mut Vec<(Symbol, Range)>) -> bool {
        for i in 0..self.all.len() {
            let info = self.all[i];
            let (Some(def), Some(old)) = (info.def, info.range) else { continue };
            if info.same.is_some() || !def.operands().any(|operand| operand == Operand::Symbol(symbol)) {
                continue;
            }
            match self.range_of(def) {
                Some(Some(range)) => match old.meet(range) {
                    Some(new) if new != old => work.push((Symbol(i as u32), new)),
                    Some(_) => {
                        // The outcome may imply more for the other operand now.
                        if !self.backward(def, old, work) {
                            return false;
                        }
                    }
                    None => return false,
                },
                Some(None) => {}
                None => return false,
            }
        }
        true
    }

    /// What a definition may give; `None` if nothing, `Some(None)` if that is not known.
    fn range_of(&self, def: Def) -> Option<Option<Range>> {
        match def {
            Def::Unary(op, ty, a) => {
                Some(range_bits(ty).and_then(|bits| self.range(a, bits)).and_then(|a| range::unary(op, a)))
            }
            Def::Cast(cast, from, to, a) => Some(self.range_of_cast(cast, from, to, a)),
            Def::Binary(op, ty, a, right, b) => {
                let (Some(bits), Some(b_bits)) = (range_bits(ty), range_bits(right)) else { return Some(None) };
                let (Some(a), Some(b)) = (self.range(a, bits), self.range(b, b_bits)) else { return Some(None) };
                binary_range(op, a, b)
            }
        }
    }

    pub fn range_of_cast(&self, cast: Cast, from: Scalar, to: Scalar, a: Operand) -> Option<Range> {
        let (from, to) = (range_bits(from)?, range_bits(to)?);
        let a = self.range(a, from)?;
        match cast {
            Cast::PtrToInt | Cast::IntToPtr => (from == to).then_some(a),
            cast => range::cast(cast, a, to),
        }
    }
}

/// Pointers that are mere numbers are compared and moved as such. `None` if there is no outcome.
pub fn binary_range(op: BinaryOp, a: Range, b: Range) -> Option<Option<Range>> {
    match range::binary(op.on_words(), a, b) {
        range::Outcome::Value(range) => Some(Some(range)),
        range::Outcome::Never => None,
        range::Outcome::Foreign => Some(None),
    }
}

/// All members, if there are few and they lie together.
pub fn members(range: Range, most: usize) -> Option<Vec<u64>> {
    let (low, high) = (i128::from(range.min_signed()), i128::from(range.max_signed()));
    let stride = range.stride().max(1);
    if (high - low) / i128::from(stride) > 4096 {
        return None;
    }
    let mask = if range.bits() == 64 { u64::MAX } else { (1 << range.bits()) - 1 };
    let candidates =
        (0..=(high - low) / i128::from(stride)).map(|i| (low + i * i128::from(stride)) as i64 as u64 & mask);
    let found: Vec<u64> = candidates.filter(|bits| range.contains(*bits)).take(most + 1).collect();
    (found.len() <= most).then_some(found)
}

/// A few small members, the least and the greatest.
pub fn some_members(range: Range) -> Vec<u64> {
    let mask = if range.bits() == 64 { u64::MAX } else { (1 << range.bits()) - 1 };
    let stride = range.stride().max(1);
    let small = (0..64).map(|i| range.min_unsigned().wrapping_add(stride.wrapping_mul(i)) & mask);
    let small = small.filter(|value| range.contains(*value)).take(5);
    let mut found: Vec<u64> =
        small.chain([range.min_signed() as u64 & mask, range.max_signed() as u64 & mask]).collect();
    let mut seen = Vec::new();
    found.retain(|value| {
        !seen.contains(value) && {
            seen.push(*value);
            true
        }
    });
    found
}
