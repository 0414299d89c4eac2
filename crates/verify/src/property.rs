//! Properties by the names of the verification community, and the targets they forbid.

use std::fmt;

use crate::{Target, Targets};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Property {
    UnreachCall,
    NoDataRace,
    NoDeadlock,
    NoOverflow,
    ValidMemsafety,
    ValidMemcleanup,
    Termination,
}

impl Property {
    pub const ALL: [Property; 7] = [
        Property::UnreachCall,
        Property::NoDataRace,
        Property::NoDeadlock,
        Property::NoOverflow,
        Property::ValidMemsafety,
        Property::ValidMemcleanup,
        Property::Termination,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::NoDeadlock => "no-deadlock",
            Property::NoOverflow => "no-overflow",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::Termination => "termination",
        }
    }

    pub fn from_name(name: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|property| property.name() == name)
    }

    /// What the property forbids.
    pub fn targets(self) -> Targets {
        let targets: &[Target] = match self {
            Property::UnreachCall => &[Target::Error],
            Property::NoDataRace => &[Target::Race],
            Property::NoDeadlock => &[Target::Deadlock],
            Property::Termination => &[Target::Deadlock, Target::Endless],
            Property::NoOverflow => &[Target::Overflow],
            Property::ValidMemsafety => &[Target::InvalidAccess, Target::InvalidFree, Target::Lost],
            Property::ValidMemcleanup => &[Target::NotFreed],
        };
        targets.iter().copied().collect()
    }

    /// How a violation is called: memory safety has names for its parts.
    pub fn violation_name(self, target: Target) -> &'static str {
        match (self, target) {
            (Property::ValidMemsafety, Target::InvalidAccess) => "valid-deref",
            (Property::ValidMemsafety, Target::InvalidFree) => "valid-free",
            (Property::ValidMemsafety, Target::Lost) => "valid-memtrack",
            _ => self.name(),
        }
    }

    /// Reads a property file of the community: `CHECK( init(main()), LTL(G ! call(reach_error())) )` and the like, one a line.
    pub fn from_file_text(text: &str) -> Result<Vec<Property>, String> {
        let mut properties = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let formula = line
                .split_once("LTL(")
                .and_then(|(_, rest)| rest.rfind(')').map(|_| rest))
                .ok_or_else(|| format!("‘{line}’ is no property: expected CHECK( init(main()), LTL(…) )"))?;
            let property = match formula {
                f if f.contains("! call(") => Property::UnreachCall,
                f if f.contains("! data-race") => Property::NoDataRace,
                f if f.contains("! overflow") => Property::NoOverflow,
                f if f.contains("! deadlock") => Property::NoDeadlock,
                f if f.contains("valid-memcleanup") => Property::ValidMemcleanup,
                f if f.contains("valid-") => Property::ValidMemsafety,
                f if f.contains("F end") => Property::Termination,
                _ => return Err(format!("‘{line}’ is a property that is not known")),
            };
            if !properties.contains(&property) {
                properties.push(property);
            }
        }
        if properties.is_empty() { Err("the property file has no CHECK line".to_owned()) } else { Ok(properties) }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_are_understood() {
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(Property::from_file_text(memory), Ok(vec![Property::ValidMemsafety]));
        let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
        assert_eq!(Property::from_file_text(reach), Ok(vec![Property::UnreachCall]));
        assert!(Property::from_file_text("G ! x").is_err());
        assert!(Property::from_file_text("\n").is_err());
    }

    #[test]
    fn names_lead_back() {
        for property in Property::ALL {
            assert_eq!(Property::from_name(property.name()), Some(property));
        }
    }
}
