//! Statements that hold a lock.

use super::{Feature, Generator};

impl Generator {
    pub fn with_mutex(&mut self) {
        let m = self.one_of(&["m0", "m0", "m1"]);
        if self.random.once_in(6) {
            self.open(format!("if (pthread_mutex_trylock(&{m}) == 0)"));
            self.inside();
            self.line(format!("pthread_mutex_unlock(&{m});"));
            self.close();
            return;
        }
        self.line(format!("pthread_mutex_lock(&{m});"));
        if self.random.once_in(6) {
            // The other one, or the same again.
            let second = self.one_of(&["m0", "m1"]);
            self.line(format!("pthread_mutex_lock(&{second});"));
            self.inside();
            self.line(format!("pthread_mutex_unlock(&{second});"));
        } else {
            self.inside();
        }
        if !self.random.once_in(25) {
            self.line(format!("pthread_mutex_unlock(&{m});"));
        }
    }

    pub fn with_rwlock(&mut self) {
        let how = self.one_of(&["rdlock", "rdlock", "wrlock", "wrlock", "tryrdlock", "trywrlock"]);
        let place = self.place();
        if self.wide && self.holds_rwlock {
            // Who holds it already may wait for itself or get an error.
            return self.assign();
        }
        self.holds_rwlock = true;
        if how.starts_with("try") {
            self.open(format!("if (!pthread_rwlock_{how}(&rw))"));
            self.inside();
            self.line("pthread_rwlock_unlock(&rw);");
            self.holds_rwlock = false;
            return self.close();
        }
        self.line(format!("pthread_rwlock_{how}(&rw);"));
        if how == "rdlock" && self.has_local() && self.random.once_in(2) {
            self.line(format!("t = {place};"));
        } else {
            self.inside();
        }
        if !self.random.once_in(25) {
            self.line("pthread_rwlock_unlock(&rw);");
            self.holds_rwlock = false;
        }
    }

    /// Locks of other kinds than a zeroed one's.
    pub fn lock_kinds(&mut self) {
        if self.has(Feature::Mutex) && self.random.once_in(3) {
            let kind = 1 + self.random.below(2);
            self.line("pthread_mutexattr_t kind;");
            self.line("pthread_mutexattr_init(&kind);");
            self.line(format!("pthread_mutexattr_settype(&kind, {kind});"));
            self.line("pthread_mutex_init(&m0, &kind);");
        }
    }
}
