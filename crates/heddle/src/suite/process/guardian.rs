//! Groups of their own do not hear of Ctrl-C. A small process is told which ones run; when we are gone, however that came, its input
//! ends, and it ends them.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::Pid;

use crate::cli::Failure;

const SCRIPT: &str = r#"
groups=' '
while read -r sign group; do
    case $sign in
    +) groups="$groups$group " ;;
    -) groups="${groups%% $group *} ${groups#* $group }" ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group"
done
"#;

pub struct Guardian {
    process: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

impl Guardian {
    pub fn start() -> Result<Guardian, Failure> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(SCRIPT).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut process =
            shell.spawn().map_err(|error| Failure::internal(&format!("sh cannot be started: {error}")))?;
        let pipe = Mutex::new(process.stdin.take());
        Ok(Guardian { process, pipe })
    }

    pub fn watch(&self, group: Pid) {
        self.send('+', group);
    }

    /// Before its number can become another group's.
    pub fn release(&self, group: Pid) {
        self.send('-', group);
    }

    /// Without a guardian the run is as good as ever.
    fn send(&self, sign: char, group: Pid) {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = pipe.as_mut() {
            let _ = pipe.write_all(format!("{sign} {}\n", group.as_raw_pid()).as_bytes());
        }
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        *self.pipe.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let _ = self.process.wait();
    }
}
