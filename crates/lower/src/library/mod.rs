//! What functions mean that the program calls but does not define: the thread API as primitive edges, the rest of the C and POSIX
//! libraries as C text, pure expressions, constants or arbitrary values.
//!
//! There is one table with one row for each function. Dispatch, the ledger and `heddle explain models` read it; no name is
//! matched anywhere else. A body in the program always wins over a row here; the caller sees to that.

mod c11;
mod effects;
mod given;
mod locks;
mod math;
mod memory;
mod other;
mod scanf;
mod stdio;
mod strings;
#[cfg(test)]
mod tests;
mod text;
mod threads;
mod verification;
mod waiting;

use std::sync::OnceLock;

use c_front::types::TypeId;
use program::{AssumptionKind, Callee, Direction, ExprId, Input, Scalar};
use rustc_hash::FxHashMap;

use crate::fold::Fold;
use crate::function::FunctionLowerer;
pub use given::Given;
pub use scanf::literal;
pub use text::{needed, source};

/// What every C model's name starts with. Models call each other, and the primitives, by such names only,
/// so that neither the definitions nor the declarations of a program clash with them.
pub const PREFIX: &str = "__heddle_";

/// An evaluated argument: a scalar value with its C type (for record arguments the address of the record).
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    pub value: ExprId,
    pub ty: TypeId,
}

/// One row of the table.
#[derive(Debug)]
pub struct Model {
    pub name: &'static str,
    pub header: &'static str,
    pub kind: Kind,
    /// What a use of the model does to the set of behaviours; `None` if the model is as good as the function.
    pub direction: Option<Direction>,
    /// One line for the user; also the text of the entry in the ledger.
    pub note: &'static str,
    /// Which pointer arguments must lead to memory: a byte of each is read first, so that a call with any other pointer is an
    /// invalid access. `None`: for an alias those of the function it names, else none.
    pub reads: Option<&'static [usize]>,
    /// Which arguments are streams, which must be open. `None`: as for `reads`.
    pub streams: Option<&'static [usize]>,
}

/// Emits the edges of a call. `None`: no value.
pub type Lower = fn(&mut FunctionLowerer<'_, '_>, &Given<'_>) -> Option<ExprId>;

/// How a function is modelled.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Edges or expressions of its own.
    Primitive(Lower),
    /// A function in C, see [`source`].
    Text,
    /// Another name of a function, whose arguments are these without the ones listed.
    Alias(&'static str, &'static [usize]),
    /// An arbitrary value that the program reads.
    Input,
    /// An arbitrary value; nothing else happens.
    Arbitrary,
    /// Always this value; nothing else happens.
    Constant(i64),
}

impl Kind {
    pub fn describe(&self) -> &'static str {
        match self {
            Kind::Primitive(_) => "primitive",
            Kind::Text => "C text",
            Kind::Alias(..) => "alias",
            Kind::Input => "input",
            Kind::Arbitrary => "arbitrary result",
            Kind::Constant(_) => "constant result",
        }
    }
}

impl Model {
    const fn new(name: &'static str, header: &'static str, note: &'static str, kind: Kind) -> Model {
        Model { name, header, kind, direction: None, note, reads: None, streams: None }
    }

    const fn primitive(name: &'static str, header: &'static str, note: &'static str, lower: Lower) -> Model {
        Model::new(name, header, note, Kind::Primitive(lower))
    }

    const fn text(name: &'static str, header: &'static str, note: &'static str) -> Model {
        Model::new(name, header, note, Kind::Text)
    }

    const fn alias(name: &'static str, header: &'static str, of: &'static str, without: &'static [usize]) -> Model {
        Model::new(name, header, "another name", Kind::Alias(of, without))
    }

    const fn arbitrary(name: &'static str, header: &'static str, note: &'static str) -> Model {
        Model::new(name, header, note, Kind::Arbitrary)
    }

    const fn constant(name: &'static str, header: &'static str, note: &'static str, value: i64) -> Model {
        Model::new(name, header, note, Kind::Constant(value))
    }

    /// 0, or -1 and an error.
    const fn status(name: &'static str, header: &'static str) -> Model {
        Model::primitive(name, header, "succeeds or fails", given::status)
    }

    /// A number that is not negative, or -1 and an error.
    const fn number(name: &'static str, header: &'static str) -> Model {
        Model::primitive(name, header, "any number, or fails", given::number)
    }

    /// The function reads or writes what these arguments point to, and nothing else in the model does in every call.
    const fn reads(mut self, arguments: &'static [usize]) -> Model {
        self.reads = Some(arguments);
        self
    }

    /// The function uses the streams that these arguments point to.
    const fn streams(mut self, arguments: &'static [usize]) -> Model {
        self.streams = Some(arguments);
        self
    }

    /// The model has behaviours that the function has not.
    const fn over(mut self) -> Model {
        self.direction = Some(Direction::Over);
        self
    }

    /// The function has behaviours that the model has not.
    const fn under(mut self) -> Model {
        self.direction = Some(Direction::Under);
        self
    }

    /// The model settles what the standard leaves open.
    const fn convention(mut self) -> Model {
        self.direction = Some(Direction::Convention);
        self
    }
}

const GROUPS: &[&[Model]] = &[
    threads::MODELS,
    locks::MODELS,
    waiting::MODELS,
    c11::MODELS,
    verification::MODELS,
    memory::MODELS,
    strings::MODELS,
    stdio::MODELS,
    math::MODELS,
    other::MODELS,
];

/// Numbers that the library defines. The program starts with any values of them, of which some are impossible.
pub const OBJECTS: &[&str] =
    &["daylight", "__daylight", "timezone", "__timezone", "optind", "opterr", "optopt", "signgam", "getdate_err"];

/// The table for users.
pub fn models() -> impl Iterator<Item = &'static Model> {
    GROUPS.iter().copied().flatten()
}

/// The row of a function, also if it is called by the name that models use.
pub fn model(name: &str) -> Option<&'static Model> {
    static BY_NAME: OnceLock<FxHashMap<&'static str, &'static Model>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| models().map(|model| (model.name, model)).collect());
    by_name.get(name).or_else(|| by_name.get(name.strip_prefix(PREFIX)?)).copied()
}

/// Lowers a call of a function that the program does not define, if it is known. `Some(None)`: no value (`void`).
/// The value may have any scalar type; the caller converts it to the declared result type.
/// For a record it is the address of a temporary object.
pub fn call(f: &mut FunctionLowerer<'_, '_>, name: &str, args: &[Arg], result: TypeId) -> Option<Option<ExprId>> {
    let model = model(name)?;
    // Models hand on what was looked at when they were called.
    if !name.starts_with(PREFIX) {
        read_first_bytes(f, arguments(model, |row| row.reads), args);
        use_streams(f, arguments(model, |row| row.streams), args);
    }
    apply_row(f, model, args, result)
}

fn apply_row(
    f: &mut FunctionLowerer<'_, '_>,
    model: &'static Model,
    args: &[Arg],
    result: TypeId,
) -> Option<Option<ExprId>> {
    let outer = f.imprecise;
    f.imprecise |= model.direction == Some(Direction::Over);
    let given = Given { args, result };
    let value = effects::around(f, model, &given, |f| apply(f, model, &given));
    f.imprecise = outer;
    let value = value?;
    if let Some(direction) = model.direction {
        // What a model calls is reported as the model's own.
        let caller = f.b.name.strip_prefix(PREFIX).filter(|_| model.name.starts_with(PREFIX)).map(str::to_owned);
        let subject = caller.as_deref().unwrap_or(model.name);
        f.assume(AssumptionKind::LibraryModel, direction, subject, model.note);
    }
    if f.unit.types.is_void(result) {
        return Some(None);
    }
    // A mistaken prototype may promise a value that there is not; behind a call that does not return the edge is dead.
    Some(Some(value.unwrap_or_else(|| any_result(f, result, Input::Unknown))))
}

/// `None` if there is a row but its C text is not part of the analysed program.
fn apply(f: &mut FunctionLowerer<'_, '_>, model: &'static Model, given: &Given<'_>) -> Option<Option<ExprId>> {
    Some(match model.kind {
        Kind::Primitive(lower) => lower(f, given),
        Kind::Text => call_text(f, model.name, given)?,
        Kind::Alias(of, without) => {
            let kept = given.args.iter().enumerate().filter(|(i, _)| !without.contains(i));
            let args: Vec<Arg> = kept.map(|(_, arg)| *arg).collect();
            apply_row(f, self::model(of)?, &args, given.result)?
        }
        Kind::Input => Some(any_result(f, given.result, Input::Nondet)),
        Kind::Arbitrary => Some(any_or_null(f, given.result)),
        Kind::Constant(value) => Some(f.b.int(32, value as u128)),
    })
}

/// The arguments that a row lists, as the call has them.
fn arguments(row: &'static Model, listed: fn(&Model) -> Option<&'static [usize]>) -> Vec<usize> {
    match (listed(row), row.kind) {
        (Some(arguments), _) => arguments.to_vec(),
        (None, Kind::Alias(of, without)) => {
            let inner = model(of).and_then(listed).unwrap_or(&[]);
            let outer = |i: &usize| (0..).filter(|k| !without.contains(k)).nth(*i);
            inner.iter().filter_map(outer).collect()
        }
        (None, _) => Vec::new(),
    }
}

fn read_first_bytes(f: &mut FunctionLowerer<'_, '_>, arguments: Vec<usize>, args: &[Arg]) {
    for arg in arguments.into_iter().filter_map(|i| args.get(i)) {
        if matches!(f.b.ty(arg.value), Scalar::Pointer(_)) {
            f.follow(arg.value);
        }
    }
}

/// A stream can be closed only in programs that have the model of `fclose`, which brings the model of such a use.
fn use_streams(f: &mut FunctionLowerer<'_, '_>, arguments: Vec<usize>, args: &[Arg]) {
    const USE: &str = "__heddle_use_stream";
    if f.unit.model(USE).is_some() {
        for stream in arguments.into_iter().filter_map(|i| args.get(i)) {
            call_text(f, USE, &Given { args: &[*stream], result: stream.ty });
        }
    }
}

/// An arbitrary value; where it is a pointer, null is one of two branches, so that it is met also where it is not tested.
fn any_or_null(f: &mut FunctionLowerer<'_, '_>, ty: TypeId) -> ExprId {
    let value = any_result(f, ty, Input::Unknown);
    if !matches!(f.b.ty(value), Scalar::Pointer(_)) || f.unit.types.is_record(ty) {
        return value;
    }
    let found = f.arbitrary(Scalar::BOOL, Input::Unknown);
    let pointer = f.pointer();
    memory::choose(f, found, |_| value, |f| f.b.null(pointer))
}

/// An arbitrary value of a C type; for a record the address of arbitrary contents.
fn any_result(f: &mut FunctionLowerer<'_, '_>, ty: TypeId, input: Input) -> ExprId {
    match f.unit.types.scalar(ty) {
        Some(_) => f.arbitrary_of(ty, input),
        None => f.record_temporary(ty),
    }
}

fn call_text(f: &mut FunctionLowerer<'_, '_>, name: &str, given: &Given<'_>) -> Option<Option<ExprId>> {
    let callee = f.unit.model(name)?;
    let params = callee.params.iter().enumerate();
    let args = params.map(|(i, &(scalar, signed))| f.arg_as(given, i, scalar, signed)).collect();
    let to = callee.result.map(|scalar| f.temp(scalar));
    f.call(Callee::Direct(callee.id), args, to);
    Some(to.map(|local| f.b.local(local)))
}
