//! What a mistyped name may have meant.

/// The known name that is nearest, if it is near enough to be meant.
pub fn suggestion<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = known.map(|candidate| (distance(name, candidate), candidate));
    let best = near.min_by_key(|(distance, candidate)| (*distance, candidate.len()))?;
    (best.0 <= (name.len() + 1) / 3).then_some(best.1)
}

/// Characters to insert, to drop or to replace (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_if_it_is_near() {
        let known = || ["pthread_mutex_lock", "pthread_mutex_unlock", "free"].into_iter();
        assert_eq!(suggestion("pthread_mutx_lock", known()), Some("pthread_mutex_lock"));
        assert_eq!(suggestion("fre", known()), Some("free"));
        assert_eq!(suggestion("open", known()), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
