//! Statements by which threads wait for each other, and what each thread has for itself.

use super::{Feature, Generator};

impl Generator {
    pub fn wait_until_ready(&mut self) {
        self.line("pthread_mutex_lock(&m0);");
        match self.random.below(8) {
            0 => self.line("if (!ready) pthread_cond_wait(&cv, &m0);"),
            1 => {
                let time = self.fresh("time");
                self.line(format!("struct timespec {time} = {{ 0, 0 }};"));
                self.line(format!("if (!ready) y = pthread_cond_timedwait(&cv, &m0, &{time});"));
            }
            _ => self.line("while (!ready) pthread_cond_wait(&cv, &m0);"),
        }
        self.inside();
        if self.random.once_in(3) {
            self.line("ready = 0;");
        }
        self.line("pthread_mutex_unlock(&m0);");
    }

    pub fn make_ready(&mut self) {
        let wake = self.one_of(&["pthread_cond_signal(&cv);", "pthread_cond_broadcast(&cv);"]);
        if self.random.once_in(8) {
            self.line("ready = 1;");
            return self.line(wake);
        }
        self.line("pthread_mutex_lock(&m0);");
        self.line("ready = 1;");
        if self.random.once_in(3) {
            self.line("pthread_mutex_unlock(&m0);");
            self.line(wake);
        } else {
            self.line(wake);
            self.line("pthread_mutex_unlock(&m0);");
        }
    }

    pub fn with_semaphore(&mut self) {
        match self.random.below(8) {
            0 => self.line("sem_post(&sem);"),
            1 => {
                self.open("if (sem_trywait(&sem) == 0)");
                self.inside();
                self.line("sem_post(&sem);");
                self.close();
            }
            2 if self.has_local() => self.line("sem_getvalue(&sem, &t);"),
            _ => {
                self.line("sem_wait(&sem);");
                self.inside();
                if !self.random.once_in(16) {
                    self.line("sem_post(&sem);");
                }
            }
        }
    }

    pub fn barrier(&mut self) {
        if self.random.once_in(3) {
            self.block("if (pthread_barrier_wait(&bar) == -1)");
        } else {
            self.line("pthread_barrier_wait(&bar);");
        }
    }

    pub fn once(&mut self) {
        self.line("pthread_once(&once, set_up);");
    }

    pub fn specific(&mut self) {
        let place = self.place();
        match self.random.below(4) {
            0 | 1 => {
                let to = if self.has(Feature::Array) { "&a[0]" } else { "(void *)&x" };
                self.line(format!("pthread_setspecific(key, {to});"));
            }
            2 => self.block("if (pthread_getspecific(key))"),
            _ => {
                let value = self.fresh("value");
                self.line(format!("char *{value} = pthread_getspecific(key);"));
                self.line(format!("if ({value}) {place} = *{value};"));
            }
        }
    }

    pub fn cleanup(&mut self) {
        let execute = self.one_of(&["0", "1"]);
        self.line("pthread_cleanup_push(finish, (void *)&x);");
        self.inside();
        if self.random.once_in(3) {
            let condition = self.condition();
            self.line(format!("if ({condition}) pthread_exit(0);"));
        }
        self.line(format!("pthread_cleanup_pop({execute});"));
    }
}
