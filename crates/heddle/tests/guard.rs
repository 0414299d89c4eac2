//! In a process of its own: the guard replaces the panic hook.

use heddle::cli::Exit;
use heddle::guard;

#[test]
fn a_panic_is_an_internal_error() {
    assert_eq!(guard::run(|| panic!("on purpose")), Exit::Internal);
    assert_eq!(guard::run(|| Exit::Refused), Exit::Refused);
}
