//! Formatted input: every target that the format names takes an arbitrary value, as far as the input reaches.

use c_front::types::{Type, TypeId};
use program::{AssumptionKind, BinaryOp, Direction, ExprId, ExprKind, GlobalInit, Input, LocalId, Op, Scalar};

use super::given::INT;
use super::{Arg, Given};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

/// What a conversion that is not suppressed stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conversion {
    /// A number, of the type that its target has.
    Value,
    /// A pointer: it may be one that was printed before, to any object.
    Pointer,
    /// So many characters.
    Characters(u64),
    /// A string without white space, of at most so many characters.
    Word(Option<u64>),
    /// A string of characters from a set.
    Set(Option<u64>),
    /// The number of characters read so far: does not count as a conversion.
    Position,
}

/// Format at `first - 1`, targets behind it.
pub(super) fn scan(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, first: usize) -> Option<ExprId> {
    let targets = g.args.get(first..).unwrap_or(&[]);
    let format = g.args.get(first.wrapping_sub(1)).and_then(|format| literal(f, format.value));
    let conversions = match format.as_deref().and_then(parse) {
        Some(conversions) => conversions,
        None => targets.iter().map(|target| guess(f, target.ty)).collect(),
    };
    let count = f.temp(INT);
    let (end, none) = (f.int(-1), f.int(0));
    let at_end = f.arbitrary(Scalar::BOOL, Input::Unknown);
    let start = f.b.if_else(at_end, end, none);
    f.emit(Op::Assign(count, start));
    let mut done = 0;
    for (conversion, target) in conversions.into_iter().zip(targets) {
        convert(f, conversion, target, count, done);
        done += i32::from(conversion != Conversion::Position);
    }
    Some(f.b.local(count))
}

/// The bytes of a string literal.
pub fn literal(f: &FunctionLowerer<'_, '_>, format: ExprId) -> Option<Vec<u8>> {
    let ExprKind::GlobalAddress(global) = f.b.get(format).kind else { return None };
    let global = &f.unit.globals[global];
    match &global.init {
        GlobalInit::Image(image) if global.read_only => Some(image.bytes.clone()),
        _ => None,
    }
}

/// Without a format that is known, the type of the target must do.
fn guess(f: &mut FunctionLowerer<'_, '_>, ty: TypeId) -> Conversion {
    match pointed_to(f, ty) {
        Some(Scalar::Int(8)) => {
            let text = "the format is not known: a string of any length may be read into characters";
            f.assume(AssumptionKind::LibraryModel, Direction::Over, "scanf", text);
            Conversion::Set(None)
        }
        Some(Scalar::Pointer(_)) => Conversion::Pointer,
        _ => Conversion::Value,
    }
}

pub(super) fn pointed_to(f: &FunctionLowerer<'_, '_>, ty: TypeId) -> Option<Scalar> {
    let Type::Pointer(target) = &f.unit.types.c[ty] else { return None };
    f.unit.types.scalar(target.ty)
}

/// `None` for what is not modelled: wide characters, allocated strings, numbered arguments.
pub(super) fn parse(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut conversions = Vec::new();
    let mut rest = format.iter().copied().take_while(|c| *c != 0).peekable();
    while let Some(c) = rest.next() {
        if c != b'%' || rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let suppressed = rest.next_if_eq(&b'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = Some(width.unwrap_or(0u64).saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        }
        let mut wide = false;
        while let Some(length) = rest.next_if(|c| b"hlLqjzt".contains(c)) {
            wide |= length == b'l';
        }
        let conversion = match rest.next()? {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => Conversion::Value,
            b'p' => Conversion::Pointer,
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Conversion::Value,
            b'n' => Conversion::Position,
            b'c' if !wide => Conversion::Characters(width.unwrap_or(1)),
            b's' if !wide => Conversion::Word(width),
            b'[' if !wide => {
                rest.next_if_eq(&b'^');
                rest.next_if_eq(&b']');
                rest.by_ref().find(|c| *c == b']')?;
                Conversion::Set(width)
            }
            _ => return None,
        };
        if !suppressed {
            conversions.push(conversion);
        }
    }
    Some(conversions)
}

/// Where all `done` conversions before succeeded, this one may too.
fn convert(f: &mut FunctionLowerer<'_, '_>, conversion: Conversion, target: &Arg, count: LocalId, done: i32) {
    let so_far = f.b.local(count);
    let going_on = f.is_int(so_far, done);
    let more = f.arbitrary(Scalar::BOOL, Input::Unknown);
    let reads = f.b.binary(BinaryOp::And, going_on, more);
    let read = |f: &mut FunctionLowerer<'_, '_>| {
        store(f, conversion, target);
        if conversion != Conversion::Position {
            let next = f.int(done + 1);
            f.emit(Op::Assign(count, next));
        }
    };
    f.if_else(reads, read, |_| {});
}

fn store(f: &mut FunctionLowerer<'_, '_>, conversion: Conversion, target: &Arg) {
    match conversion {
        Conversion::Value | Conversion::Position => {
            let Some(scalar) = pointed_to(f, target.ty) else {
                return f.unsupported("scanf into an object whose type is not known");
            };
            let value = f.arbitrary(scalar, Input::Unknown);
            f.store_at(target.value, value);
        }
        Conversion::Pointer => f.unsupported("scanf of a pointer"),
        Conversion::Characters(number) => f.count_loop(number, |f, index| {
            let at = f.b.binary(BinaryOp::PtrAdd, target.value, index);
            let character = f.arbitrary(Scalar::Int(8), Input::Unknown);
            f.store_at(at, character);
        }),
        Conversion::Word(most) => string(f, target.value, most, not_space),
        Conversion::Set(most) => {
            let text = "any characters may be read for a set";
            f.assume(AssumptionKind::LibraryModel, Direction::Over, "scanf", text);
            string(f, target.value, most, |f, character| f.b.is_true(character));
        }
    }
}

/// Neither zero nor white space: 9 to 13, 32.
fn not_space(f: &mut FunctionLowerer<'_, '_>, character: ExprId) -> ExprId {
    let (tab, last, blank) = (f.b.int(8, 9), f.b.int(8, 4), f.b.int(8, 32));
    let from_tab = f.b.binary(BinaryOp::Sub, character, tab);
    let control = f.b.binary(BinaryOp::ULe, from_tab, last);
    let is_blank = f.b.binary(BinaryOp::Eq, character, blank);
    let (given, no_control, no_blank) = (f.b.is_true(character), f.b.not(control), f.b.not(is_blank));
    let seen = f.b.binary(BinaryOp::And, no_control, no_blank);
    f.b.binary(BinaryOp::And, given, seen)
}

/// At least one character that may be read, at most so many, and a zero.
fn string(
    f: &mut FunctionLowerer<'_, '_>,
    to: ExprId,
    most: Option<u64>,
    may_be_read: impl FnOnce(&mut FunctionLowerer<'_, '_>, ExprId) -> ExprId,
) {
    let word = f.word();
    let index = f.temp(word);
    let (zero, one) = (f.b.constant(word, 0), f.b.constant(word, 1));
    f.emit(Op::Assign(index, zero));
    let (head, end) = (f.b.location(), f.b.location());
    f.place_location(head);
    // Both name the index as it is where they are used: before the step, and behind it.
    let here = f.b.local(index);
    let at = f.b.binary(BinaryOp::PtrAdd, to, here);
    let character = f.arbitrary(Scalar::Int(8), Input::Unknown);
    let good = may_be_read(f, character);
    f.cut_unless(good);
    f.store_at(at, character);
    let behind = f.b.binary(BinaryOp::Add, here, one);
    f.emit(Op::Assign(index, behind));
    let more = f.arbitrary(Scalar::BOOL, Input::Unknown);
    let goes_on = match most {
        Some(most) => {
            let limit = f.b.constant(word, u128::from(most));
            let room = f.b.binary(BinaryOp::ULt, here, limit);
            f.b.binary(BinaryOp::And, more, room)
        }
        None => more,
    };
    f.branch_on(goes_on, head, end);
    f.at = end;
    let zero = f.b.int(8, 0);
    f.store_at(at, zero);
}
