//! Prints the random program with the seed given: `cargo run -p semantics --example generate -- 7`.

use semantics::generate::{GenerateOptions, generate};

fn main() {
    let seed = std::env::args().nth(1).and_then(|word| word.parse().ok());
    let Some(seed) = seed else {
        eprintln!("usage: generate SEED (a number)");
        std::process::exit(64);
    };
    print!("{}", generate(seed, &GenerateOptions::default()));
}
