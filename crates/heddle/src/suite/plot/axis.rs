//! Axes with their ticks.

use std::fmt::Write as _;

use crate::suite::html::escaped;

const GRID: &str = "#e4e4e4";
/// Shorter times are noise.
const SHORTEST: f64 = 0.001;

/// From 0 to a count.
pub struct Linear {
    most: usize,
    origin: f64,
    length: f64,
}

impl Linear {
    pub fn new(most: usize, origin: f64, length: f64) -> Self {
        Linear { most: most.max(1), origin, length }
    }

    pub fn at(&self, value: usize) -> f64 {
        self.origin + self.length * value as f64 / (self.most as f64 * 1.02)
    }

    pub fn draw(&self, svg: &mut String, top: f64, height: f64) {
        let step = step(self.most);
        for value in (0..=self.most).step_by(step) {
            tick_below(svg, self.at(value), top, height, &value.to_string());
        }
    }
}

/// 1, 2 or 5 times a power of ten, so that there are ten ticks at most.
fn step(most: usize) -> usize {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
    steps.into_iter().find(|step| most / step <= 10).unwrap_or(1)
}

/// Times, whole powers of ten at both ends.
pub struct Logarithmic {
    first: i32,
    last: i32,
    origin: f64,
    length: f64,
}

impl Logarithmic {
    /// Up to the limit at least.
    pub fn new(times: impl Iterator<Item = f64>, limit: f64, origin: f64, length: f64) -> Self {
        let limit = limit.max(SHORTEST * 10.0);
        let (least, most) = times.fold((limit / 10.0, limit), |(a, b), time| (a.min(time.max(SHORTEST)), b.max(time)));
        let (first, last) = (least.log10().floor() as i32, most.log10().ceil() as i32);
        Logarithmic { first, last: last.max(first + 1), origin, length }
    }

    pub fn start(&self) -> f64 {
        10f64.powi(self.first)
    }

    pub fn end(&self) -> f64 {
        10f64.powi(self.last)
    }

    pub fn at(&self, time: f64) -> f64 {
        let part = (time.max(SHORTEST).log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.origin + self.length * part
    }

    /// Where nothing is that was measured.
    pub fn unsolved(&self) -> f64 {
        self.origin + self.length
    }

    fn powers(&self) -> impl Iterator<Item = f64> {
        (self.first..=self.last).map(|power| 10f64.powi(power))
    }

    pub fn draw_vertical(&self, svg: &mut String, left: f64, width: f64) {
        for value in self.powers() {
            let y = self.at(value);
            let _ = writeln!(
                svg,
                r#"<line x1="{left}" y1="{y:.1}" x2="{}" y2="{y:.1}" stroke="{GRID}"/><text x="{}" y="{:.1}" text-anchor="end">{value}</text>"#,
                left + width,
                left - 8.0,
                y + 4.0
            );
        }
    }

    pub fn draw_horizontal(&self, svg: &mut String, top: f64, height: f64) {
        self.powers().for_each(|value| tick_below(svg, self.at(value), top, height, &value.to_string()));
    }
}

fn tick_below(svg: &mut String, x: f64, top: f64, height: f64, label: &str) {
    let _ = writeln!(
        svg,
        r#"<line x1="{x:.1}" y1="{top}" x2="{x:.1}" y2="{}" stroke="{GRID}"/><text x="{x:.1}" y="{}" text-anchor="middle">{label}</text>"#,
        top + height,
        top + height + 18.0
    );
}

pub fn frame(svg: &mut String, width: f64, height: f64, left: f64, top: f64) {
    let _ =
        writeln!(svg, r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>"##);
}

pub fn titles(svg: &mut String, across: &str, up: &str, (left, top): (f64, f64), (width, height): (f64, f64)) {
    let (x, y) = (left + width / 2.0, top + height / 2.0);
    let _ = writeln!(
        svg,
        r#"<text x="{x}" y="{}" text-anchor="middle">{}</text><text transform="translate(18 {y}) rotate(-90)" text-anchor="middle">{}</text>"#,
        top + height + 42.0,
        escaped(across),
        escaped(up)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([1, 10, 11, 99, 240, 2500].map(step), [1, 1, 2, 10, 50, 500]);
    }

    #[test]
    fn times_lie_between_powers_of_ten() {
        let axis = Logarithmic::new([0.02, 3.0].into_iter(), 60.0, 0.0, 100.0);
        assert_eq!((axis.start(), axis.end()), (0.01, 100.0));
        assert_eq!(axis.at(1.0), 50.0);
        assert_eq!(axis.unsolved(), 100.0);
        assert!(axis.at(0.0).is_finite());
    }
}
