//! What the processes of a group use, as Linux tells in `/proc`; nothing elsewhere.

use std::fs;
use std::time::Duration;

use rustix::process::Pid;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Of processors.
    pub time: Duration,
    /// Resident memory in bytes; the most that was seen.
    pub memory: u64,
}

impl Usage {
    pub fn grow(&mut self, other: &Usage) {
        self.time = self.time.max(other.time);
        self.memory = self.memory.max(other.memory);
    }
}

/// All together.
pub fn of_group(group: Pid) -> Usage {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let members = numbers.filter_map(process).filter(|process| process.group == group.as_raw_pid());
    members.fold(Usage::default(), |sum, process| Usage {
        time: sum.time + process.usage.time,
        memory: sum.memory + process.usage.memory,
    })
}

/// With those of its children for which it has waited.
pub fn of_process(number: Pid) -> Usage {
    let number = u32::try_from(number.as_raw_pid()).unwrap_or(0);
    process(number).map(|process| process.usage).unwrap_or_default()
}

struct Process {
    group: i32,
    usage: Usage,
}

fn process(number: u32) -> Option<Process> {
    parse(&fs::read_to_string(format!("/proc/{number}/stat")).ok()?)
}

/// See proc(5). The name of the program, in parentheses, may contain anything.
fn parse(text: &str) -> Option<Process> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |position: usize| fields.get(position - 3)?.parse::<u64>().ok();
    let ticks: u64 = (14..=17).filter_map(number).sum();
    let time = Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
    let memory = number(24)? * rustix::param::page_size() as u64;
    Some(Process { group: fields.get(2)?.parse().ok()?, usage: Usage { time, memory } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_system_is_read() {
        let line = "77 (a) b) S 1 42 42 0 -1 4194304 5 6 7 8 100 50 25 25 20 0 1 0 999 1000000 3 18446744073709551615";
        let process = parse(line).expect("a process");
        assert_eq!(process.group, 42);
        let ticks = rustix::param::clock_ticks_per_second();
        assert_eq!(process.usage.time, Duration::from_secs_f64(200.0 / ticks as f64));
        assert_eq!(process.usage.memory, 3 * rustix::param::page_size() as u64);
    }
}
