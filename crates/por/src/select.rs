//! Whose next steps suffice at a state.

use smallvec::{SmallVec, smallvec};

use crate::remaining::RemainingEffects;
use crate::{Action, SyncOp, View};

/// A set of threads (indices into `views`) whose next steps suffice: no matter what others do without them, they do nothing that
/// does not commute with these steps. Smallest that is found by starting from each enabled thread; all enabled ones if none is
/// smaller.
///
/// The idea is that of persistent sets by conflicts (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems",
/// 1996, section 4.3): a set of threads is closed if it has, for each of its enabled threads, those that may make a step that is
/// dependent on its next step, and for each blocked one, those that may enable it. What is preserved: see [`crate`].
pub fn source_set(remaining: &mut RemainingEffects, views: &[View]) -> SmallVec<[usize; 8]> {
    let enabled: SmallVec<[usize; 8]> = (0..views.len()).filter(|thread| views[*thread].enabled).collect();
    if let Some(local) = enabled.iter().find(|thread| views[**thread].action == Action::Local) {
        return smallvec![*local];
    }
    let mut best = enabled.clone();
    // Threads that may wake for no reason do not count against a deadlock: if only they went on, states in which no other thread can
    // would be missed.
    for start in enabled.into_iter().filter(|thread| !wakes(&views[*thread].action)) {
        if best.len() <= 1 {
            break;
        }
        if let Some(smaller) = closed(remaining, views, start, best.len()) {
            best = smaller;
        }
    }
    best
}

fn wakes(action: &Action) -> bool {
    matches!(action, Action::Does { syncs, .. } if syncs.iter().any(|sync| sync.op == SyncOp::Wake))
}

/// The enabled threads of the smallest closed set with `start`, if they are fewer than `most`.
fn closed(remaining: &mut RemainingEffects, views: &[View], start: usize, most: usize) -> Option<SmallVec<[usize; 8]>> {
    let mut inside: SmallVec<[bool; 16]> = smallvec![false; views.len()];
    inside[start] = true;
    let mut work: SmallVec<[usize; 8]> = smallvec![start];
    let mut enabled: SmallVec<[usize; 8]> = smallvec![];
    while let Some(thread) = work.pop() {
        if views[thread].enabled {
            enabled.push(thread);
        }
        if enabled.len() >= most {
            return None;
        }
        for other in 0..views.len() {
            if !inside[other] && !views[other].finished && needs(remaining, views, thread, other) {
                inside[other] = true;
                work.push(other);
            }
        }
    }
    enabled.sort_unstable();
    Some(enabled)
}

/// Does a set of enabled threads, with others that wait, suffice? The check of what [`source_set`] finds.
pub fn is_closed(remaining: &mut RemainingEffects, views: &[View], chosen: &[usize]) -> bool {
    let goes_on = |thread: &&usize| views.get(**thread).is_some_and(|view| !wakes(&view.action));
    let Some(start) = chosen.iter().find(goes_on) else { return false };
    let enabled = |thread: &usize| views.get(*thread).is_some_and(|view| view.enabled);
    if !chosen.iter().all(enabled) {
        return false;
    }
    if let [one] = chosen
        && views[*one].action == Action::Local
    {
        return true;
    }
    closed(remaining, views, *start, usize::MAX).is_some_and(|found| found.iter().all(|thread| chosen.contains(thread)))
}

/// Must a closed set with `thread` have `other`?
fn needs(remaining: &mut RemainingEffects, views: &[View], thread: usize, other: usize) -> bool {
    let view = &views[thread];
    if view.enabled {
        return remaining.conflicts(&view.action, views[other].remaining);
    }
    let known = !view.waits_for.is_empty();
    view.waits_for.contains(&other) || remaining.may_enable(&view.action, known, views[other].remaining)
}

/// The simple choice: one thread of whose next step others notice nothing, by the facts, else all enabled ones.
pub fn local_global(enabled: &[usize], is_local: impl Fn(usize) -> bool) -> SmallVec<[usize; 8]> {
    match enabled.iter().find(|thread| is_local(**thread)) {
        Some(local) => smallvec![*local],
        None => enabled.into(),
    }
}
