use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::Map;

type Model = BTreeMap<u32, u8>;

/// Few enough keys that they collide, from all over the key space.
fn random_key(random: &mut fastrand::Rng) -> u32 {
    match random.u8(0..4) {
        0 => random.u32(0..16),
        1 => u32::MAX - random.u32(0..8),
        2 => 1 << random.u32(0..32),
        _ => random.u32(1000..1100),
    }
}

fn random_range(random: &mut fastrand::Rng) -> std::ops::Range<u32> {
    let (a, b) = (random_key(random), random_key(random));
    if random.u8(0..8) == 0 { a..b } else { a.min(b)..a.max(b) }
}

fn random_map(random: &mut fastrand::Rng) -> (Map<u8>, Model) {
    let entries: Vec<_> = (0..random.usize(0..40)).map(|_| (random_key(random), random.u8(0..4))).collect();
    (entries.iter().copied().collect(), entries.into_iter().collect())
}

/// A map and one that came from it by a few changes, so that they share.
fn random_relatives(random: &mut fastrand::Rng) -> [(Map<u8>, Model); 2] {
    let (map, model) = random_map(random);
    let (mut other, mut other_model) = (map.clone(), model.clone());
    for _ in 0..random.usize(0..6) {
        change(random, &mut other, &mut other_model);
    }
    if random.bool() { [(map, model), (other, other_model)] } else { [(other, other_model), (map, model)] }
}

fn random_pair(random: &mut fastrand::Rng) -> [(Map<u8>, Model); 2] {
    if random.bool() { [random_map(random), random_map(random)] } else { random_relatives(random) }
}

fn change(random: &mut fastrand::Rng, map: &mut Map<u8>, model: &mut Model) {
    let key = random_key(random);
    match random.u8(0..10) {
        0..=4 => {
            let value = random.u8(0..4);
            map.insert(key, value);
            model.insert(key, value);
        }
        5..=7 => {
            map.remove(key);
            model.remove(&key);
        }
        8 => {
            let range = random_range(random);
            map.remove_range(range.clone());
            model.retain(|key, _| !range.contains(key));
        }
        _ => {
            let odd = random.u32(1..9);
            map.retain(|key, value| (key ^ u32::from(*value)) % 8 != odd);
            model.retain(|key, value| (key ^ u32::from(*value)) % 8 != odd);
        }
    }
}

fn check(map: &Map<u8>, model: &Model) {
    assert_eq!(map.len(), model.len());
    assert_eq!(map.is_empty(), model.is_empty());
    assert!(map.iter().eq(model.iter().map(|(key, value)| (*key, value))), "{map:?} is not {model:?}");
}

fn hash(map: &Map<u8>) -> u64 {
    let mut hasher = DefaultHasher::new();
    map.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn behaves_as_a_map() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let (mut map, mut model) = random_map(&mut random);
        for _ in 0..60 {
            let (before, model_before) = (map.clone(), model.clone());
            change(&mut random, &mut map, &mut model);
            check(&map, &model);
            check(&before, &model_before);
            let key = random_key(&mut random);
            assert_eq!(map.get(key), model.get(&key));
        }
    }
}

#[test]
fn iterates_over_ranges() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..5000 {
        let ((map, model), range) = (random_map(&mut random), random_range(&mut random));
        let expected = model.iter().filter(|(key, _)| range.contains(key)).map(|(key, value)| (*key, value));
        assert!(map.iter_range(range.clone()).eq(expected));
    }
}

#[test]
fn equal_whatever_the_history() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..5000 {
        let [(a, a_model), (b, b_model)] = random_pair(&mut random);
        assert_eq!(a == b, a_model == b_model);
        let mut entries: Vec<_> = a_model.into_iter().collect();
        random.shuffle(&mut entries);
        let again: Map<u8> = entries.into_iter().collect();
        assert_eq!(a, again);
        assert_eq!(hash(&a), hash(&again));
    }
}

#[test]
fn union_has_the_keys_of_both() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..10000 {
        let [(a, a_model), (b, b_model)] = random_pair(&mut random);
        let result = a.union(&b, |_, a, b| *a.max(b));
        let mut expected = a_model.clone();
        for (key, value) in &b_model {
            let entry = expected.entry(*key).or_insert(*value);
            *entry = *value.max(entry);
        }
        check(&result, &expected);
        assert_eq!(result.ptr_eq(&a), expected == a_model);
        assert!(expected != b_model || expected == a_model || result.ptr_eq(&b));
    }
}

#[test]
fn intersection_has_the_common_keys() {
    let mut random = fastrand::Rng::with_seed(5);
    let meet = |a: u8, b: u8| (a.abs_diff(b) < 2).then_some(a.min(b));
    for _ in 0..10000 {
        let [(a, a_model), (b, b_model)] = random_pair(&mut random);
        let result = a.intersect(&b, |_, a, b| meet(*a, *b));
        let common = |(key, value): (&u32, &u8)| Some((*key, meet(*value, *b_model.get(key)?)?));
        let expected: Model = a_model.iter().filter_map(common).collect();
        check(&result, &expected);
        assert_eq!(result.ptr_eq(&a), expected == a_model);
        assert!(expected != b_model || expected == a_model || result.ptr_eq(&b));
    }
}

#[test]
fn includes_asks_for_every_key() {
    let mut random = fastrand::Rng::with_seed(6);
    let leq = |a: Option<&u8>, b: Option<&u8>| a <= b;
    for _ in 0..10000 {
        let [(a, a_model), (b, b_model)] = random_pair(&mut random);
        let mut keys = a_model.keys().chain(b_model.keys());
        let expected = keys.all(|key| leq(a_model.get(key), b_model.get(key)));
        assert_eq!(a.includes(&b, |_, a, b| leq(a, b)), expected);
    }
}

#[test]
fn map_values_leaves_what_does_not_change() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..5000 {
        let (map, mut model) = random_map(&mut random);
        let odd = random.u8(0..5);
        let result = map.map_values(|key, value| (*value == odd).then_some(key as u8));
        model.iter_mut().filter(|entry| *entry.1 == odd).for_each(|(key, value)| *value = *key as u8);
        check(&result, &model);
        assert!(map.iter().any(|entry| *entry.1 == odd) || result.ptr_eq(&map));
    }
}

#[test]
fn no_change_no_new_tree() {
    let map: Map<u8> = (0..1000).map(|key| (key * 3, 7)).collect();
    let mut other = map.clone();
    other.insert(300, 7);
    other.remove(301);
    other.remove_range(301..303);
    other.remove_range(5..5);
    other.retain(|_, _| true);
    assert!(other.ptr_eq(&map));
    assert!(Map::<u8>::new().ptr_eq(&Map::default()));
}

#[test]
fn merging_looks_only_at_what_differs() {
    let map: Map<u8> = (0..1024).map(|key| (key, 7)).collect();
    let mut other = map.clone();
    other.insert(500, 8);
    let mut seen = Vec::new();
    let result = map.union(&other, |key, a, b| {
        seen.push(key);
        *a.max(b)
    });
    assert_eq!(seen, [500]);
    assert!(result.ptr_eq(&other));
    let mut seen = 0;
    assert!(map.includes(&other, |_, a, b| {
        seen += 1;
        a <= b
    }));
    assert_eq!(seen, 1);
}
