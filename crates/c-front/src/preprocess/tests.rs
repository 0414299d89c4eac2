use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

/// A directory of its own for each test.
fn folder(test: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("c-front-{}-{test}", std::process::id()));
    fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

fn plain(path: &Path) -> Result<Loaded, LoadError> {
    load(path, &PreprocessOptions::default())
}

fn has_compiler() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn files_that_are_no_text_are_refused() {
    let folder = folder("refused");
    assert!(matches!(plain(&folder.join("absent.c")), Err(LoadError::Missing(_))));
    assert!(matches!(plain(&folder), Err(LoadError::Directory(_))));
    assert!(matches!(plain(Path::new("/dev/zero")), Err(LoadError::NotRegular(_))));
    assert!(matches!(plain(&file(&folder, "empty.c", " \n\n")), Err(LoadError::Empty(_))));
    assert!(matches!(plain(&file(&folder, "binary.c", b"int x;\0")), Err(LoadError::Binary(_, 6))));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn text_without_directives_needs_no_preprocessor() {
    let folder = folder("alone");
    let options = PreprocessOptions { cpp: Some("/nonexistent/cpp".to_owned()), ..PreprocessOptions::default() };
    let text = "# 1 \"a.h\"\n#pragma pack(1)\nint __VERIFIER_nondet_int(void);\n";
    assert_eq!(load(&file(&folder, "a.c", text), &options).unwrap().text, text);
    let macros = "#define A 1\nint x = A;\n";
    assert_eq!(load(&file(&folder, "a.i", macros), &options).unwrap().text, macros);
    let error = load(&file(&folder, "b.c", macros), &options).unwrap_err();
    assert!(matches!(error, LoadError::PreprocessorMissing { .. }));
    assert!(error.to_string().contains("--cpp"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn predefined_macros_need_the_preprocessor() {
    for word in ["__FILE__", "__LINE__", "__INT_MAX__", "__x86_64__", "linux", "__GNUC__"] {
        assert!(!stands_alone(format!("int x = {word};").as_bytes()), "{word}");
    }
    for word in ["__func__", "__VERIFIER_assert", "__attribute__", "__CPROVER_ASYNC_1", "linux_kernel", "NULL"] {
        assert!(stands_alone(format!("int x = {word};").as_bytes()), "{word}");
    }
    assert!(!stands_alone(b"int a;\n  # include <x.h>\n"));
    assert!(!stands_alone(b"%:define A\n"));
}

#[test]
fn a_byte_order_mark_is_dropped() {
    assert_eq!(text_of(b"\xef\xbb\xbfint x;".to_vec()), "int x;");
}

#[test]
fn bytes_beyond_utf8_survive() {
    let text = text_of(b"char s[] = \"caf\xe9 \xc3\xa9\";".to_vec());
    assert_eq!(text, "char s[] = \"caf\u{10ffe9} é\";");
}

#[test]
fn the_preprocessor_gets_options_and_its_error_is_told() {
    if !has_compiler() {
        return;
    }
    let folder = folder("cc");
    fs::create_dir_all(folder.join("include")).unwrap();
    file(&folder.join("include"), "k.h", "#define K 42\n");
    let path = file(&folder, "a.c", "#include \"k.h\"\nint x = K + D; // gone\n");
    let options = PreprocessOptions {
        include_dirs: vec![folder.join("include")],
        defines: vec!["D=7".to_owned()],
        ..PreprocessOptions::default()
    };
    let text = load(&path, &options).unwrap().text;
    assert!(text.contains("int x = 42 + 7;") && !text.contains("gone"), "{text}");
    let message = plain(&path).unwrap_err().to_string();
    assert!(message.starts_with("the included file ‘k.h’ is not found\n --> "), "{message}");
    assert!(message.contains("a.c:1:10\nhelp: ") && message.ends_with("-I DIR"), "{message}");
    let cyclic = file(&folder, "cyclic.c", "#include \"cyclic.c\"\n");
    let message = plain(&cyclic).unwrap_err().to_string();
    assert!(message.contains("\nhelp: does the file include itself?"), "{message}");
    let refusing = file(&folder, "refusing.c", "#error no threads\n");
    let message = plain(&refusing).unwrap_err().to_string();
    assert!(message.starts_with("#error no threads\n --> ") && message.contains("refusing.c:1:2\nhelp: "), "{message}");
    let annotated = file(&folder, "acsl.c", "#define A 1\nvoid f(void) { //@ assert A;\n}\n");
    assert!(plain(&annotated).unwrap().text.contains("//@ assert A;"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn missing_32_bit_headers_are_named() {
    let message = b"/usr/include/features.h:1:10: fatal error: gnu/stubs-32.h: No such file or directory\n";
    let status = Command::new("false").status().unwrap();
    let error = failure("a.c", status, message, true);
    assert!(matches!(error, LoadError::Headers32Missing { .. }));
    assert!(error.to_string().contains("gcc-multilib"));
    assert!(matches!(failure("a.c", status, message, false), LoadError::PreprocessorFailed { .. }));
}
