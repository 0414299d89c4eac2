//! Statements of a generated program, other than those of locks and the like.

use super::{Feature, Generator};

/// Makes one statement.
type Make = fn(&mut Generator);

/// Statements with how often they are made; those without a feature can be made in every program.
const STATEMENTS: &[(Option<Feature>, usize, Make)] = &[
    (None, 8, Generator::assign),
    (None, 3, Generator::assign_local),
    (None, 3, Generator::update),
    (None, 3, Generator::branch),
    (None, 1, Generator::repeat),
    (None, 1, Generator::check),
    (Some(Feature::Assertion), 4, Generator::check),
    (Some(Feature::Input), 3, Generator::input),
    (Some(Feature::Switch), 6, Generator::switch),
    (Some(Feature::Helper), 4, Generator::call),
    (Some(Feature::Mutex), 12, Generator::with_mutex),
    (Some(Feature::RwLock), 12, Generator::with_rwlock),
    (Some(Feature::Condition), 5, Generator::wait_until_ready),
    (Some(Feature::Condition), 5, Generator::make_ready),
    (Some(Feature::Semaphore), 8, Generator::with_semaphore),
    (Some(Feature::Once), 7, Generator::once),
    (Some(Feature::Key), 9, Generator::specific),
    (Some(Feature::Atomic), 12, Generator::atomic),
    (Some(Feature::Section), 9, Generator::section),
    (Some(Feature::Heap), 8, Generator::heap),
    (Some(Feature::List), 8, Generator::list),
    (Some(Feature::Pointer), 7, Generator::pointer),
    (Some(Feature::Cleanup), 7, Generator::cleanup),
    (Some(Feature::Block), 10, Generator::blocks),
    (Some(Feature::Union), 8, Generator::unions),
    (Some(Feature::Bits), 8, Generator::bits),
    (Some(Feature::Copy), 8, Generator::copies),
    (Some(Feature::Library), 9, Generator::library),
    (Some(Feature::Missing), 8, Generator::missing),
    (Some(Feature::Risk), 9, Generator::risks),
    (Some(Feature::Callback), 8, Generator::callbacks),
    (Some(Feature::Arithmetic), 9, Generator::arithmetic),
    (Some(Feature::Address), 9, Generator::addresses),
    (Some(Feature::Control), 8, Generator::control),
];

impl Generator {
    /// As many statements as are left to be made.
    pub fn statements(&mut self) {
        while self.left > 0 {
            if self.guarded {
                self.line("pthread_mutex_lock(&guard);");
            }
            self.statement();
            if self.guarded {
                self.line("pthread_mutex_unlock(&guard);");
            }
        }
    }

    pub fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        let possible = |g: &Self, feature: Option<Feature>| feature.is_none_or(|f| g.has(f));
        let total: usize = STATEMENTS.iter().filter(|s| possible(self, s.0)).map(|s| s.1).sum();
        let mut at = self.random.below(total);
        for (feature, often, make) in STATEMENTS {
            if possible(self, *feature) {
                if at < *often {
                    return make(self);
                }
                at -= often;
            }
        }
    }

    /// The inside of a statement: another one, or two.
    pub fn inside(&mut self) {
        if self.depth >= self.options.depth {
            return self.assign();
        }
        self.depth += 1;
        self.statement();
        if self.left > 0 && self.random.once_in(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    pub fn block(&mut self, head: impl AsRef<str>) {
        self.open(head);
        self.inside();
        self.close();
    }

    pub fn assign(&mut self) {
        let (place, value) = (self.place(), self.value());
        self.line(format!("{place} = {value};"));
    }

    /// Is there a local to keep a value in?
    pub fn has_local(&self) -> bool {
        self.locals.iter().any(|local| local == "t")
    }

    fn assign_local(&mut self) {
        let value = self.value();
        if self.has_local() {
            self.line(format!("t = {value};"));
        } else {
            self.line(format!("x = {value};"));
        }
    }

    fn update(&mut self) {
        let (place, value) = (self.place(), self.value());
        match self.random.below(3) {
            0 => self.line(format!("({place})++;")),
            1 => self.line(format!("{place} += {value};")),
            _ => self.line(format!("{place} = {place} + 1;")),
        }
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.block(format!("if ({condition})"));
        if self.random.once_in(3) {
            self.block("else");
        }
    }

    fn repeat(&mut self) {
        let i = self.fresh("i");
        let times = 1 + self.random.below(2);
        self.locals.push(i.clone());
        if self.random.once_in(4) {
            self.open(format!("for (int {i} = 0; {i} < 2; {i}++)"));
            let condition = self.condition();
            let leave = self.one_of(&["break", "continue"]);
            self.line(format!("if ({condition}) {leave};"));
            self.inside();
            self.close();
        } else {
            self.block(format!("for (int {i} = 0; {i} <= {times}; {i}++)"));
        }
        self.locals.pop();
    }

    fn check(&mut self) {
        let condition = self.condition();
        match self.random.below(8) {
            0..=2 => self.line(format!("assert({condition});")),
            3..=4 => self.line(format!("if ({condition}) reach_error();")),
            5..=6 => self.line(format!("__VERIFIER_assume({condition});")),
            _ => self.line(format!("if ({condition}) exit(1);")),
        }
    }

    fn input(&mut self) {
        let place = self.place();
        let value =
            self.one_of(&["__VERIFIER_nondet_int()", "__VERIFIER_nondet_int() % 3", "__VERIFIER_nondet_bool()"]);
        self.line(format!("{place} = {value};"));
    }

    fn switch(&mut self) {
        let value = self.value();
        self.open(format!("switch ({value})"));
        for label in ["case 0:", "case 1:", "default:"] {
            self.block(label);
            if !self.random.once_in(4) {
                self.line("break;");
            }
        }
        self.close();
    }

    fn call(&mut self) {
        let value = self.value();
        let (a, b) = (self.value(), self.one_of(&["x", "y", "0", "1"]));
        match self.random.below(3) {
            0 if self.has(Feature::Array) => self.line(format!("add(&a[1], {value});")),
            0 | 1 if self.has_local() => self.line(format!("add(&t, {value});")),
            _ => self.line(format!("y = larger({a}, {b});")),
        }
    }

    fn atomic(&mut self) {
        let (value, place) = (self.value(), self.place());
        match self.random.below(10) {
            0 => self.line(format!("__atomic_fetch_add(&n, {value}, 5);")),
            1 => self.line(format!("__atomic_store_n(&n, {value}, 5);")),
            2 => self.line(format!("{place} = __atomic_load_n(&n, 5);")),
            3 | 4 => {
                let (old, weak) = (self.fresh("old"), self.random.below(2));
                self.line(format!("int {old} = {value};"));
                self.block(format!("if (__atomic_compare_exchange_n(&n, &{old}, 2, {weak}, 5, 5))"));
            }
            5 => self.line(format!("{place} = __sync_fetch_and_add(&n, 1);")),
            6 => self.block("if (__sync_bool_compare_and_swap(&n, 0, 1))"),
            7 => self.line("c++;"),
            8 => self.line(format!("c += {value};")),
            _ => self.line("while (__atomic_exchange_n(&n, 1, 5) > 1) ;"),
        }
    }

    fn section(&mut self) {
        if self.random.once_in(4) {
            return self.line("__VERIFIER_atomic_change();");
        }
        self.line("__VERIFIER_atomic_begin();");
        self.inside();
        if !self.random.once_in(20) {
            self.line("__VERIFIER_atomic_end();");
        }
    }

    fn heap(&mut self) {
        let (value, place) = (self.value(), self.place());
        match self.random.below(8) {
            0 => self.line("free(block);"),
            1 => self.line("if (block) { free(block); block = 0; }"),
            2 => self.line("block = malloc(sizeof *block);"),
            3 => self.line("block = calloc(1, sizeof *block);"),
            4 => {
                let own = self.fresh("own");
                self.line(format!("int *{own} = malloc(2 * sizeof(int));"));
                self.line(format!("{own}[1] = {value};"));
                let index = self.one_of(&["0", "1"]);
                self.line(format!("{place} = {own}[{index}];"));
                self.line(format!("free({own});"));
            }
            5 => self.line(format!("if (block) {place} = *block;")),
            _ => self.line(format!("if (block) *block = {value};")),
        }
    }

    fn list(&mut self) {
        let (value, place) = (self.value(), self.place());
        if self.random.once_in(2) {
            let node = self.fresh("node");
            self.line(format!("struct node *{node} = malloc(sizeof *{node});"));
            self.line(format!("{node}->value = {value};"));
            self.line(format!("{node}->next = top;"));
            self.line(format!("top = {node};"));
        } else {
            let node = self.fresh("node");
            self.line(format!("struct node *{node} = top;"));
            let free = self.one_of(&["free", "free", "(void)"]);
            self.line(format!("if ({node}) {{ top = {node}->next; {place} = {node}->value; {free}({node}); }}"));
        }
    }

    fn pointer(&mut self) {
        let value = self.value();
        match self.random.below(8) {
            0 if self.has_local() && self.random.once_in(2) => self.line("p = &t;"),
            0..=2 => self.line("p = &z;"),
            3 if self.has(Feature::Array) => self.line("p = a + 1;"),
            3 if self.random.once_in(3) => self.line("p = 0;"),
            4 => self.line(format!("if (p == &z) *p = {value};")),
            5 if self.has_local() => {
                let own = self.fresh("own");
                self.line(format!("int *{own} = &t; *{own} = {value};"));
            }
            _ => self.line(format!("*p = {value};")),
        }
    }
}
