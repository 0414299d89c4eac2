//! Automata over the names of a program.

use program::{Program, Scalar, Type};
use spec::Automaton;

/// Those that need no names of the program's own.
const GENERAL: &[&str] = &[
    // The discipline of locks, by thread.
    "for each thread, $m { initial state free { on call pthread_mutex_lock($m) goto held; \
        on call pthread_mutex_trylock($m) goto trying; on call pthread_mutex_unlock($m) goto error \"e\"; } \
     state trying { on return pthread_mutex_trylock -> $r when $r == 0 goto held; \
        on return pthread_mutex_trylock -> $r when $r != 0 goto free; } \
     state held { on call pthread_mutex_unlock($m) goto free; on call pthread_mutex_lock($m) goto error \"e\"; } }",
    // A thread that waits for a lock is an error.
    "for each $m { initial state free { on call pthread_mutex_lock($m) goto held; } \
     state held { on call pthread_mutex_unlock($m) goto free; on call pthread_mutex_lock($m) goto error \"e\"; } }",
    "for each $p { initial state none { on return malloc -> $p goto live; \
        on call free($p) when $p != null goto freed; } \
     state live { on call free($p) goto freed; } state freed { on call free($p) goto error \"e\"; } }",
    // Not given back.
    "for each $p { initial state none { on return malloc -> $p when $p != null goto live; } \
     state live { on call free($p) goto none; on end goto error \"e\"; } }",
    "{ initial state s { on deadlock goto error \"e\"; } }",
    "for each thread { initial state s { on call pthread_mutex_lock goto t; } state t { on deadlock goto error \"e\"; } }",
    "{ initial state s { on call pthread_mutex_lock($m) goto one; } \
     state one { on call pthread_mutex_lock($m) goto one; on call pthread_mutex_lock($o) goto two; } \
     state two { on call pthread_join goto error \"e\"; } }",
    "{ initial state s { on return pthread_create -> 0 goto one; } state one { on return pthread_create -> $r goto two; } \
     state two { on call pthread_join($t) goto joined; } state joined { on call pthread_join($t) goto error \"e\"; } }",
];

/// `F` and `G` are functions, `X` and `Y` global variables.
const NAMED: &[&str] = &[
    "{ initial state s { on call F goto t; } state t { on call G goto error \"e\"; } }",
    "for each thread { initial state s { on write X goto t; } state t { on read Y goto error \"e\"; } }",
    "{ initial state s { when X == 1 && Y == 0 goto error \"e\"; } }",
    "{ initial state s { when X != 0 goto t; } state t { when X == 0 || Y > 1 goto error \"e\"; } }",
    "{ initial state s { on write X when Y == 1 goto t; } state t { on return F goto error \"e\"; } }",
    "{ initial state s { on write X goto t; } state t { on write X goto u; } state u { on write Y goto error \"e\"; } }",
    "{ initial state s { on end when X > 1 goto error \"e\"; } }",
    "{ initial state s { on write X goto t; } state t { on call pthread_join($t) goto error \"e\"; } }",
    "{ initial state s { on write X goto t; } state t { on call pthread_mutex_lock($t) goto error \"e\"; } }",
    "{ initial state s { on deadlock goto d; } state d { on write X goto error \"e\"; on end goto error \"e\"; } }",
    "{ initial state s { on deadlock when X == Y goto error \"e\"; } }",
    "for each thread { initial state s { on read X goto t; when Y == 2 goto t; } state t { when X == 1 goto error \"e\"; } }",
    "{ initial state s { on call F($a) goto t; } state t { on call F($a) goto error \"e\"; } }",
    "for each $a { initial state s { on call F($a) goto t; } state t { on return F goto s; on call G goto error \"e\"; } }",
    "{ initial state s { on return F -> $r goto t; } state t { on return F -> $r when $r != null goto error \"e\"; } }",
];

/// The automaton of a text without its name.
pub fn automaton(program: &Program, text: &str) -> Result<Automaton, String> {
    let text = format!("automaton a {text}");
    let trees = spec::parse(&text, 1).map_err(|error| format!("{}: {text}", error.message))?;
    spec::resolve(&trees[0], program, &|_| false).map_err(|error| format!("{}: {text}", error.message))
}

/// All that can be said of the program: texts, and what they mean. Those that its names do not fit are left out.
pub fn automata(program: &Program) -> Vec<(String, Automaton)> {
    let is_own = |name: &str| !name.starts_with("__") && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let functions = program.functions.iter().filter(|f| f.defined && is_own(&f.name) && *f.name != *"main");
    let functions: Vec<&str> = functions.map(|f| &*f.name).collect();
    let is_number = |ty| matches!(program.types[ty], Type::Scalar { scalar: Scalar::Int(_), .. });
    let variables = program.globals.iter().filter(|g| !g.read_only && is_number(g.ty) && is_own(&g.name));
    let variables: Vec<&str> = variables.map(|g| &*g.name).collect();
    let mut texts: Vec<String> = GENERAL.iter().map(|text| (*text).to_owned()).collect();
    if let (Some(x), Some(y)) = (variables.first(), variables.last()) {
        let f = functions.first().copied().unwrap_or("main");
        let g = functions.last().copied().unwrap_or("main");
        let named = |text: &&str| {
            let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
            let put = |word: &str| {
                let (name, rest) = word.split_at(word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).len());
                let name = match name {
                    "F" => f,
                    "G" => g,
                    "X" => x,
                    "Y" => y,
                    other => other,
                };
                format!("{name}{rest}")
            };
            words.map(put).collect()
        };
        texts.extend(NAMED.iter().map(named));
    }
    let resolved = |text: String| automaton(program, &text).ok().map(|automaton| (text, automaton));
    texts.into_iter().filter_map(resolved).collect()
}
