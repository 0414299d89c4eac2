//! Input and output. Output is a primitive that the interpreter carries out; input is arbitrary.

use program::{ExprId, Input, Library, LibraryCall, Op, Scalar};

use super::given::INT;
use super::scanf::scan;
use super::{Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const H: &str = "stdio.h";
const DROPPED: &str = "the output is dropped";
const ANY_INPUT: &str = "gives any input, also none: nothing is really read";

const fn row(name: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, H, note, lower)
}

const fn text(name: &'static str, note: &'static str) -> Model {
    Model::text(name, H, note)
}

const fn alias(name: &'static str, of: &'static str, without: &'static [usize]) -> Model {
    Model::alias(name, H, of, without)
}

pub const MODELS: &[Model] = &[
    row("printf", "prints", |f, g| all(f, g, Library::Print)),
    row("fprintf", "prints", |f, g| all(f, g, Library::PrintTo)).reads(&[0]).streams(&[0]),
    row("snprintf", "writes at most so many bytes", |f, g| all(f, g, Library::Format)),
    row("sprintf", "writes the whole text", sprintf),
    row("vprintf", "prints", |f, g| list(f, g, Library::PrintList)),
    row("vfprintf", "prints", |f, g| list(f, g, Library::PrintListTo)).reads(&[0]).streams(&[0]),
    row("vsnprintf", "writes at most so many bytes", |f, g| list(f, g, Library::FormatList)),
    row("vsprintf", "writes the whole text", vsprintf),
    row("dprintf", "prints", |f, g| all(f, g, Library::PrintTo)),
    row("puts", "prints", |f, g| all(f, g, Library::PutLine)),
    row("putchar", "prints", |f, g| all(f, g, Library::PutChar)),
    text("fputs", "prints").reads(&[0, 1]).streams(&[1]),
    text("fputc", "prints").reads(&[1]).streams(&[1]),
    text("fwrite", "any part is written; the output is dropped").reads(&[3]).streams(&[3]),
    text("perror", DROPPED),
    alias("putc", "fputc", &[]),
    alias("_IO_putc", "fputc", &[]),
    alias("putc_unlocked", "fputc", &[]),
    alias("fputc_unlocked", "fputc", &[]),
    alias("fputs_unlocked", "fputs", &[]),
    alias("putchar_unlocked", "putchar", &[]),
    alias("fwrite_unlocked", "fwrite", &[]),
    alias("__printf_chk", "printf", &[0]),
    alias("__fprintf_chk", "fprintf", &[1]),
    alias("__sprintf_chk", "sprintf", &[1, 2]),
    alias("__snprintf_chk", "snprintf", &[2, 3]),
    alias("__vprintf_chk", "vprintf", &[0]),
    alias("__vfprintf_chk", "vfprintf", &[1]),
    alias("__vsprintf_chk", "vsprintf", &[1, 2]),
    alias("__vsnprintf_chk", "vsnprintf", &[2, 3]),
    // Input.
    row("scanf", ANY_INPUT, |f, g| scan(f, g, 1)).convention(),
    row("fscanf", ANY_INPUT, |f, g| scan(f, g, 2)).convention().reads(&[0]).streams(&[0]),
    row("sscanf", "any values, whatever the string", |f, g| scan(f, g, 2)).over().reads(&[0]),
    alias("__isoc99_scanf", "scanf", &[]),
    alias("__isoc99_fscanf", "fscanf", &[]),
    alias("__isoc99_sscanf", "sscanf", &[]),
    alias("__isoc23_scanf", "scanf", &[]),
    alias("__isoc23_fscanf", "fscanf", &[]),
    alias("__isoc23_sscanf", "sscanf", &[]),
    text("getchar", ANY_INPUT).convention(),
    alias("getc", "getchar", &[0]).reads(&[0]).streams(&[0]),
    alias("fgetc", "getchar", &[0]).reads(&[0]).streams(&[0]),
    alias("_IO_getc", "getchar", &[0]).reads(&[0]).streams(&[0]),
    alias("getc_unlocked", "getchar", &[0]).reads(&[0]).streams(&[0]),
    alias("fgetc_unlocked", "getchar", &[0]).reads(&[0]).streams(&[0]),
    alias("getchar_unlocked", "getchar", &[]),
    text("fgets", ANY_INPUT).convention().reads(&[2]).streams(&[2]),
    alias("fgets_unlocked", "fgets", &[]),
    alias("__fgets_chk", "fgets", &[1]),
    text("gets", "any line, of any length"),
    text("fread", ANY_INPUT).convention().reads(&[3]).streams(&[3]),
    alias("fread_unlocked", "fread", &[]),
    alias("__fread_chk", "fread", &[1]),
    Model::arbitrary("ungetc", H, "any value").over().reads(&[1]).streams(&[1]),
    // Streams.
    text("fopen", "null or a stream").reads(&[0, 1]),
    Model::text("__heddle_streams", "C texts of models", "pairs of a stream and whether it is open"),
    Model::text("__heddle_use_stream", "C texts of models", "undefined for a stream that was closed"),
    alias("fopen64", "fopen", &[]),
    text("freopen", "the stream, or null").reads(&[1, 2]).streams(&[2]),
    alias("fdopen", "fopen", &[]).reads(&[1]),
    text("fmemopen", "null or a stream that has nothing to do with the memory").under().reads(&[2]),
    alias("tmpfile", "fopen", &[]).reads(&[]),
    alias("popen", "fopen", &[]),
    text("fclose", "succeeds or fails; the stream ends").reads(&[0]),
    text("pclose", "any value; the stream ends").reads(&[0]),
    Model::status("fflush", H).streams(&[0]),
    Model::status("fflush_unlocked", H).streams(&[0]),
    row("setbuf", "buffers of the program are not understood", set_buffer).reads(&[0]).streams(&[0]),
    row("setvbuf", "buffers of the program are not understood", set_buffer).reads(&[0]).streams(&[0]),
    Model::constant("setlinebuf", H, "no effect", 0).reads(&[0]).streams(&[0]),
    Model::constant("rewind", H, "no effect", 0).reads(&[0]).streams(&[0]),
    Model::constant("clearerr", H, "no effect", 0).reads(&[0]).streams(&[0]),
    Model::primitive("flockfile", H, "keeps no thread out", flockfile).over().reads(&[0]).streams(&[0]),
    Model::constant("funlockfile", H, "no effect", 0).reads(&[0]).streams(&[0]),
    Model::arbitrary("feof", H, "any value").over().reads(&[0]).streams(&[0]),
    Model::arbitrary("ferror", H, "any value").over().reads(&[0]).streams(&[0]),
    Model::arbitrary("feof_unlocked", H, "any value").over().reads(&[0]).streams(&[0]),
    Model::arbitrary("ferror_unlocked", H, "any value").over().reads(&[0]).streams(&[0]),
    Model::number("fileno", H).over().reads(&[0]).streams(&[0]),
    Model::status("fseek", H).reads(&[0]).streams(&[0]),
    Model::status("fseeko", H).reads(&[0]).streams(&[0]),
    Model::number("ftell", H).reads(&[0]).streams(&[0]),
    Model::number("ftello", H).reads(&[0]).streams(&[0]),
    Model::status("remove", H).reads(&[0]),
    Model::status("rename", H).reads(&[0, 1]),
    Model::arbitrary("__freading", "stdio_ext.h", "any value").over().reads(&[0]).streams(&[0]),
    Model::arbitrary("__fwriting", "stdio_ext.h", "any value").over().reads(&[0]).streams(&[0]),
    Model::arbitrary("__fpending", "stdio_ext.h", "any value").over().reads(&[0]).streams(&[0]),
    Model::constant("__fpurge", "stdio_ext.h", "no effect", 0).reads(&[0]).streams(&[0]),
    Model::constant("syslog", "syslog.h", DROPPED, 0).reads(&[1]),
    Model::constant("openlog", "syslog.h", "no effect", 0),
    Model::constant("closelog", "syslog.h", "no effect", 0),
];

fn library(f: &mut FunctionLowerer<'_, '_>, function: Library, args: Vec<ExprId>) -> ExprId {
    let to = f.temp(INT);
    f.emit(Op::Library(Box::new(LibraryCall { function, args: args.into(), to: Some(to) })));
    f.b.local(to)
}

fn values(g: &Given<'_>) -> Vec<ExprId> {
    g.args.iter().map(|arg| arg.value).collect()
}

/// Streams write into what they are given when they like.
fn set_buffer(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let buffer = f.pointer_arg(g, 1);
    let given = f.b.is_true(buffer);
    if f.b.as_constant(given) != Some(0) {
        f.if_else(given, |f| f.unsupported("a stream with a buffer of the program"), |_| {});
    }
    Some(f.int(0))
}

/// How many arguments a function must have.
fn fixed(function: Library) -> usize {
    match function {
        Library::Print | Library::PutChar | Library::PutLine => 1,
        Library::PrintTo | Library::PrintList => 2,
        Library::Format | Library::PrintListTo => 3,
        Library::FormatList => 4,
    }
}

/// All arguments are handed on as they are.
fn all(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, function: Library) -> Option<ExprId> {
    let mut args = values(g);
    while args.len() < fixed(function) {
        args.push(f.pointer_arg(g, args.len()));
    }
    if function == Library::Format {
        args[1] = f.word_arg(g, 1);
    }
    Some(library(f, function, args))
}

/// The last argument is a `va_list`.
fn list(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, function: Library) -> Option<ExprId> {
    let last = fixed(function) - 1;
    let mut args: Vec<ExprId> = (0..last).map(|i| f.pointer_arg(g, i)).collect();
    if function == Library::FormatList {
        args[1] = f.word_arg(g, 1);
    }
    args.push(list_pointer(f, g, last));
    Some(library(f, function, args))
}

/// LP64 passes a `va_list` as a pointer to it, ILP32 passes its value.
fn list_pointer(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, index: usize) -> ExprId {
    let value = f.pointer_arg(g, index);
    if f.word_bits() == 64 {
        return value;
    }
    let pointer = f.pointer();
    let ty = f.unit.types.of_scalar(pointer);
    let object = f.temporary_object(ty);
    let address = f.local_address(object);
    f.store_at(address, value);
    address
}

/// The size that `sprintf` lacks.
fn unlimited(f: &mut FunctionLowerer<'_, '_>) -> ExprId {
    let word = f.word();
    f.b.constant(word, u128::MAX)
}

fn sprintf(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let mut args = vec![f.pointer_arg(g, 0), unlimited(f), f.pointer_arg(g, 1)];
    args.extend(values(g).into_iter().skip(2));
    Some(library(f, Library::Format, args))
}

fn vsprintf(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let args = vec![f.pointer_arg(g, 0), unlimited(f), f.pointer_arg(g, 1), list_pointer(f, g, 2)];
    Some(library(f, Library::FormatList, args))
}

/// What follows is perhaps not possible: another thread may hold the stream.
fn flockfile(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    f.arbitrary(Scalar::BOOL, Input::Imprecise);
    None
}
