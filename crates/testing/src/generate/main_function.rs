//! `main`: initialises, creates threads, waits for them or not, and prints what came out.

use super::{Feature, Generator};

impl Generator {
    pub fn main_function(&mut self) {
        self.open("int main(void)");
        self.line("int t = 0;");
        self.locals = vec!["t".into()];
        self.set_up();
        self.create();
        self.take_part();
        self.wait_for_threads();
        self.print();
        self.line("return 0;");
        self.close();
    }

    pub fn set_up(&mut self) {
        self.lock_kinds();
        if self.has(Feature::Semaphore) {
            let value = self.random.below(3);
            self.line(format!("sem_init(&sem, 0, {value});"));
        }
        if self.has(Feature::Barrier) {
            let count = self.threads + usize::from(self.random.once_in(4));
            self.line(format!("pthread_barrier_init(&bar, 0, {count});"));
        }
        if self.has(Feature::Key) {
            let destructor = self.one_of(&["finish", "0"]);
            self.line(format!("pthread_key_create(&key, {destructor});"));
        }
        if self.has(Feature::Heap) && !self.random.once_in(6) {
            self.line("block = malloc(sizeof *block);");
            self.line("*block = 1;");
        }
        if self.random.once_in(5) {
            self.left = 1;
            self.statement();
        }
        if self.arguments_in_memory {
            let numbers: Vec<String> = (0..self.threads).map(|i| i.to_string()).collect();
            self.line(format!("int numbers[] = {{ {} }};", numbers.join(", ")));
        }
    }

    fn argument(&self, i: &str) -> String {
        if self.arguments_in_memory { format!("&numbers[{i}]") } else { format!("(void *)(long){i}") }
    }

    pub fn create(&mut self) {
        if self.functions == 1 && self.threads > 1 {
            let argument = self.argument("i");
            self.open(format!("for (int i = 0; i < {}; i++)", self.threads));
            self.line(format!("pthread_create(&thread[i], 0, worker0, {argument});"));
            return self.close();
        }
        for i in 0..self.threads {
            let (argument, function) = (self.argument(&i.to_string()), i % self.functions);
            let attributes = if self.random.once_in(20) && !self.wide { self.detached() } else { "0".into() };
            self.line(format!("pthread_create(&thread[{i}], {attributes}, worker{function}, {argument});"));
            if self.random.once_in(8) {
                self.left = 1;
                self.statement();
            }
        }
    }

    /// Attributes of a thread that must not be joined, though another may try.
    fn detached(&mut self) -> String {
        let attributes = self.fresh("attributes");
        self.line(format!("pthread_attr_t {attributes};"));
        self.line(format!("pthread_attr_init(&{attributes});"));
        self.line(format!("pthread_attr_setdetachstate(&{attributes}, 1);"));
        format!("&{attributes}")
    }

    /// What the first thread does meanwhile.
    pub fn take_part(&mut self) {
        self.left = self.random.below(3);
        self.statements();
        if self.has(Feature::Condition) && !self.random.once_in(8) {
            self.make_ready();
        }
        if self.has(Feature::Semaphore) && self.random.once_in(2) {
            self.line("sem_post(&sem);");
        }
        if self.has(Feature::Barrier) && self.text.contains(&format!("&bar, 0, {})", self.threads + 1)) {
            self.line("pthread_barrier_wait(&bar);");
        }
    }

    pub fn wait_for_threads(&mut self) {
        match self.random.below(20) {
            0..=5 => {
                self.open(format!("for (int i = 0; i < {}; i++)", self.threads));
                self.line("pthread_join(thread[i], 0);");
                self.close();
            }
            6..=8 => (0..self.threads).for_each(|i| self.join(i)),
            9..=11 => (0..self.threads).rev().for_each(|i| self.join(i)),
            12..=14 => (0..self.threads).for_each(|i| self.join_or_leave(i)),
            15 => self.detach_all(),
            16 => self.line("pthread_exit(0);"),
            17 => {
                let condition = self.condition();
                self.line(format!("if ({condition}) pthread_join(thread[0], 0);"));
            }
            18 => self.line("if (!pthread_equal(pthread_self(), thread[0])) pthread_join(thread[0], 0);"),
            _ => {}
        }
    }

    fn join(&mut self, i: usize) {
        if self.random.once_in(3) {
            let result = self.fresh("result");
            self.line(format!("void *{result};"));
            self.line(format!("pthread_join(thread[{i}], &{result});"));
            self.line(format!("t += (int)(long){result};"));
        } else {
            self.line(format!("pthread_join(thread[{i}], 0);"));
        }
    }

    fn join_or_leave(&mut self, i: usize) {
        match self.random.below(3) {
            0 => self.line(format!("pthread_detach(thread[{i}]);")),
            1 => self.join(i),
            _ => {}
        }
    }

    fn detach_all(&mut self) {
        for i in 0..self.threads {
            self.line(format!("pthread_detach(thread[{i}]);"));
        }
    }

    fn print(&mut self) {
        if self.has(Feature::Heap) && self.random.once_in(2) {
            self.line("free(block);");
        }
        if self.has(Feature::List) {
            self.line("while (top) { struct node *next = top->next; free(top); top = next; }");
        }
        let place = self.place();
        if self.random.once_in(2) {
            self.line(format!("assert((int)({place}) != 3);"));
        }
        self.line("printf(\"%d %d %d\\n\", (int)x, (int)y, t);");
    }
}
