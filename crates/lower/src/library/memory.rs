//! Heap memory.

use program::{Allocate, Allocation, BinaryOp, Cast, ExprId, Op, Scalar};

use super::{Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const STDLIB: &str = "stdlib.h";
const MALLOC: &str = "malloc.h";
const SUCCEEDS: &str = "always succeeds";

const fn row(name: &'static str, header: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, header, note, lower)
}

pub const MODELS: &[Model] = &[
    row("malloc", STDLIB, SUCCEEDS, malloc).convention(),
    row("calloc", STDLIB, "succeeds unless the product overflows", calloc).convention(),
    row("realloc", STDLIB, "succeeds; size zero frees the block", realloc).convention(),
    row("reallocarray", STDLIB, "succeeds unless the product overflows", realloc_array).convention(),
    row("free", STDLIB, "null does nothing", free),
    row("cfree", STDLIB, "null does nothing", free),
    row("aligned_alloc", STDLIB, SUCCEEDS, aligned).convention(),
    row("posix_memalign", STDLIB, SUCCEEDS, posix_memalign).convention(),
    row("memalign", MALLOC, SUCCEEDS, aligned).convention(),
    row("valloc", MALLOC, SUCCEEDS, valloc).convention(),
    row("pvalloc", MALLOC, SUCCEEDS, valloc).convention(),
    row("alloca", "alloca.h", "lives until the function returns", alloca),
    Model::arbitrary("malloc_usable_size", MALLOC, "any value").over(),
    Model::constant("mallopt", MALLOC, "no effect", 1),
    Model::constant("malloc_trim", MALLOC, "no effect", 0),
];

const PAGE: u64 = 4096;

/// The one place where heap memory is made: it never fails.
pub(super) fn allocate(f: &mut FunctionLowerer<'_, '_>, size: ExprId, kind: Allocation, align: u64) -> ExprId {
    let pointer = f.pointer();
    let to = f.temp(pointer);
    f.emit(Op::Allocate(Box::new(Allocate { to, size, kind, align })));
    f.b.local(to)
}

/// What `malloc` guarantees.
fn alignment(f: &FunctionLowerer<'_, '_>) -> u64 {
    2 * f.word().bytes()
}

fn malloc(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (size, align) = (f.word_arg(g, 0), alignment(f));
    Some(allocate(f, size, Allocation::Heap, align))
}

fn calloc(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (count, size) = (f.word_arg(g, 0), f.word_arg(g, 1));
    let align = alignment(f);
    Some(unless_overflow(f, count, size, |f, bytes| allocate(f, bytes, Allocation::HeapZeroed, align)))
}

fn realloc_array(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (block, count, size) = (f.pointer_arg(g, 0), f.word_arg(g, 1), f.word_arg(g, 2));
    Some(unless_overflow(f, count, size, |f, bytes| resize(f, block, bytes)))
}

fn realloc(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (block, size) = (f.pointer_arg(g, 0), f.word_arg(g, 1));
    Some(resize(f, block, size))
}

/// Null where `count * size` does not fit in a word, else what `make` gives for it.
fn unless_overflow(
    f: &mut FunctionLowerer<'_, '_>,
    count: ExprId,
    size: ExprId,
    make: impl FnOnce(&mut FunctionLowerer<'_, '_>, ExprId) -> ExprId,
) -> ExprId {
    let (pointer, overflow) = (f.pointer(), product_overflows(f, count, size));
    let bytes = f.b.binary(BinaryOp::Mul, count, size);
    choose(f, overflow, |f| f.b.null(pointer), |f| make(f, bytes))
}

/// A comparison with a constant where one factor is known, else a product of twice the width.
fn product_overflows(f: &mut FunctionLowerer<'_, '_>, left: ExprId, right: ExprId) -> ExprId {
    let (word, bits) = (f.word(), f.word_bits());
    let most = u128::MAX >> (128 - u32::from(bits));
    match (f.b.as_constant(left), f.b.as_constant(right)) {
        (Some(0), _) | (_, Some(0)) => f.b.int(1, 0),
        (Some(a), Some(b)) => f.b.int(1, u128::from(a * b > most)),
        (Some(known), None) | (None, Some(known)) => {
            let other = if f.b.as_constant(left).is_some() { right } else { left };
            let limit = f.b.constant(word, most / known);
            f.b.binary(BinaryOp::ULt, limit, other)
        }
        (None, None) => {
            let wide = Scalar::Int(2 * bits);
            let (left, right) = (f.b.cast(Cast::ZExt, wide, left), f.b.cast(Cast::ZExt, wide, right));
            let (product, limit) = (f.b.binary(BinaryOp::Mul, left, right), f.b.constant(wide, most));
            f.b.binary(BinaryOp::ULt, limit, product)
        }
    }
}

fn resize(f: &mut FunctionLowerer<'_, '_>, block: ExprId, size: ExprId) -> ExprId {
    let (align, zero) = (alignment(f), f.b.is_true(size));
    let (given, zero) = (f.b.is_true(block), f.b.not(zero));
    let pointer = f.pointer();
    let release = |f: &mut FunctionLowerer<'_, '_>| {
        f.emit(Op::Free(block));
        f.b.null(pointer)
    };
    let copy = |f: &mut FunctionLowerer<'_, '_>| {
        choose(f, zero, release, |f| allocate(f, size, Allocation::Realloc(block), align))
    };
    choose(f, given, copy, |f| allocate(f, size, Allocation::Heap, align))
}

/// The pointer that one of two branches gives.
pub(super) fn choose<'l, 'u>(
    f: &mut FunctionLowerer<'l, 'u>,
    condition: ExprId,
    then: impl FnOnce(&mut FunctionLowerer<'l, 'u>) -> ExprId,
    otherwise: impl FnOnce(&mut FunctionLowerer<'l, 'u>) -> ExprId,
) -> ExprId {
    match f.b.as_constant(condition) {
        Some(0) => return otherwise(f),
        Some(_) => return then(f),
        None => {}
    }
    let pointer = f.pointer();
    let result = f.temp(pointer);
    let assign = |f: &mut FunctionLowerer<'l, 'u>, value| f.emit(Op::Assign(result, value));
    f.if_else(
        condition,
        |f| {
            let value = then(f);
            assign(f, value);
        },
        |f| {
            let value = otherwise(f);
            assign(f, value);
        },
    );
    f.b.local(result)
}

fn free(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let block = f.pointer_arg(g, 0);
    f.emit(Op::Free(block));
    None
}

/// An alignment that is only known when the program runs becomes that of a page.
fn asked_alignment(f: &mut FunctionLowerer<'_, '_>, align: ExprId) -> u64 {
    let least = alignment(f);
    match f.b.as_constant(align) {
        Some(bytes) => u64::try_from(bytes).unwrap_or(PAGE).max(least),
        None => PAGE,
    }
}

/// `(alignment, size)`
fn aligned(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (align, size) = (f.word_arg(g, 0), f.word_arg(g, 1));
    let align = asked_alignment(f, align);
    Some(allocate(f, size, Allocation::Heap, align))
}

fn posix_memalign(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (to, align, size) = (f.pointer_arg(g, 0), f.word_arg(g, 1), f.word_arg(g, 2));
    let align = asked_alignment(f, align);
    let block = allocate(f, size, Allocation::Heap, align);
    f.store_at(to, block);
    Some(f.int(0))
}

fn valloc(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let size = f.word_arg(g, 0);
    Some(allocate(f, size, Allocation::Heap, PAGE))
}

fn alloca(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (size, align) = (f.word_arg(g, 0), alignment(f));
    Some(allocate(f, size, Allocation::Frame, align))
}
