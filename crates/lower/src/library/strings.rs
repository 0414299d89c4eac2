//! `string.h`, `ctype.h` and their kin: C text, byte by byte, so that every access is seen.

use program::{BinaryOp, ExprId, Input, Scalar};

use super::{Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const STRING: &str = "string.h";
const STRINGS: &str = "strings.h";
const CTYPE: &str = "ctype.h";
const BYTES: &str = "byte by byte";

const fn string(name: &'static str) -> Model {
    Model::text(name, STRING, BYTES)
}

const fn alias(name: &'static str, of: &'static str, without: &'static [usize]) -> Model {
    Model::alias(name, STRING, of, without)
}

const fn ctype(name: &'static str) -> Model {
    Model::text(name, CTYPE, "in the C locale")
}

pub const MODELS: &[Model] = &[
    string("memcpy"),
    string("memmove"),
    string("memset"),
    Model::text("__heddle_order", "C texts of models", "any number of a sign"),
    string("memcmp"),
    string("memchr"),
    string("memrchr"),
    string("memmem"),
    string("mempcpy"),
    string("memccpy"),
    string("strlen"),
    string("strnlen"),
    string("strcpy"),
    string("strncpy"),
    string("stpcpy"),
    string("stpncpy"),
    string("strlcpy"),
    string("strlcat"),
    string("strcat"),
    string("strncat"),
    string("strcmp"),
    string("strncmp"),
    string("strcoll"),
    string("strchr"),
    string("strchrnul"),
    string("strrchr"),
    string("strstr"),
    string("strcasestr"),
    string("strspn"),
    string("strcspn"),
    string("strpbrk"),
    string("strtok"),
    string("strtok_r"),
    string("strsep"),
    string("strdup"),
    string("strndup"),
    Model::text("strerror", STRING, "always the same text").convention(),
    Model::alias("strsignal", STRING, "strerror", &[]),
    Model::primitive("strerror_r", STRING, "a text of at most one character", error_text).convention(),
    Model::text("explicit_bzero", STRING, BYTES),
    Model::text("bzero", STRINGS, BYTES),
    Model::text("bcopy", STRINGS, BYTES),
    Model::alias("bcmp", STRINGS, "memcmp", &[]),
    Model::alias("index", STRINGS, "strchr", &[]),
    Model::alias("rindex", STRINGS, "strrchr", &[]),
    Model::text("strcasecmp", STRINGS, BYTES),
    Model::text("strncasecmp", STRINGS, BYTES),
    Model::text("ffs", STRINGS, "exact"),
    Model::text("ffsl", STRING, "exact"),
    Model::text("ffsll", STRING, "exact"),
    // Twins that gcc calls with the size of the target, and other spellings of glibc.
    alias("__memcpy_chk", "memcpy", &[3]),
    alias("__memmove_chk", "memmove", &[3]),
    alias("__memset_chk", "memset", &[3]),
    alias("__mempcpy_chk", "mempcpy", &[3]),
    alias("__strcpy_chk", "strcpy", &[2]),
    alias("__strncpy_chk", "strncpy", &[3]),
    alias("__stpcpy_chk", "stpcpy", &[2]),
    alias("__stpncpy_chk", "stpncpy", &[3]),
    alias("__strcat_chk", "strcat", &[2]),
    alias("__strncat_chk", "strncat", &[3]),
    alias("__strlcpy_chk", "strlcpy", &[3]),
    alias("__strlcat_chk", "strlcat", &[3]),
    alias("__mempcpy", "mempcpy", &[]),
    alias("__stpcpy", "stpcpy", &[]),
    alias("__strdup", "strdup", &[]),
    alias("__strndup", "strndup", &[]),
    alias("__strtok_r", "strtok_r", &[]),
    alias("__strsep", "strsep", &[]),
    alias("__rawmemchr", "rawmemchr", &[]),
    alias("__xpg_strerror_r", "strerror_r", &[]),
    string("rawmemchr"),
    // Characters.
    ctype("isalnum"),
    ctype("isalpha"),
    ctype("isascii"),
    ctype("isblank"),
    ctype("iscntrl"),
    ctype("isdigit"),
    ctype("isgraph"),
    ctype("islower"),
    ctype("isprint"),
    ctype("ispunct"),
    ctype("isspace"),
    ctype("isupper"),
    ctype("isxdigit"),
    ctype("toascii"),
    ctype("tolower"),
    ctype("toupper"),
    ctype("__ctype_b_loc"),
    ctype("__ctype_tolower_loc"),
    ctype("__ctype_toupper_loc"),
    Model::constant("__ctype_get_mb_cur_max", CTYPE, "in the C locale", 1),
    Model::alias("_tolower", CTYPE, "tolower", &[]),
    Model::alias("_toupper", CTYPE, "toupper", &[]),
];

/// `(number, buffer, size)`: GNU's gives the text, that of POSIX zero.
fn error_text(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (buffer, size) = (f.pointer_arg(g, 1), f.word_arg(g, 2));
    let (word, room, end) = (f.word(), f.b.is_true(size), f.b.int(8, 0));
    let one = f.b.constant(word, 1);
    let more = f.b.binary(BinaryOp::ULt, one, size);
    let text = |f: &mut FunctionLowerer<'_, '_>| {
        let character = f.arbitrary(Scalar::Int(8), Input::Doubt);
        f.store_at(buffer, character);
        let behind = f.offset(buffer, 1);
        f.store_at(behind, end);
    };
    f.if_else(room, |f| f.if_else(more, text, |f| f.store_at(buffer, end)), |_| {});
    Some(match f.unit.types.scalar(g.result) {
        Some(Scalar::Pointer(_)) => buffer,
        _ => f.int(0),
    })
}
