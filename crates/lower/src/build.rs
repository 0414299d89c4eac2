//! From texts to a program: every file is read declaration by declaration, then the models of the library functions that are
//! called are read as one more file each, then all is lowered.

use base::{Diagnostic, Interner, SourceMap, Span};
use c_front::Analyzer;
use c_front::analyze::each_external;
use c_front::ast::ExternalDecl;
use c_front::preprocess::Loaded;
use c_front::typed::Unit;
use c_front::types::DataModel;
use program::Program;

use crate::{Failure, Missing, library};

/// The texts of one program and what was made of them so far.
pub struct Build {
    pub sources: SourceMap,
    pub names: Interner,
    /// What the user should know though nothing is refused.
    pub warnings: Vec<Diagnostic>,
    pub missing: Missing,
    texts: Vec<Text>,
}

struct Text {
    name: String,
    start: u32,
}

impl Build {
    /// Takes the texts of all files; they are one program.
    pub fn new(loaded: Vec<Loaded>) -> Result<Build, Diagnostic> {
        let mut build = Build {
            sources: SourceMap::new(),
            names: Interner::new(),
            warnings: Vec::new(),
            missing: Missing::default(),
            texts: Vec::new(),
        };
        for file in loaded {
            let start = build.add(&file.name, file.text)?;
            build.texts.push(Text { name: file.name, start });
        }
        Ok(build)
    }

    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| text.name.as_str())
    }

    fn add(&mut self, name: &str, text: String) -> Result<u32, Diagnostic> {
        self.sources.add(name, text).ok_or_else(|| {
            Diagnostic::error(Span::NONE, "the files are larger than 4 GB together").help("split the program")
        })
    }

    /// Hands over the declarations of each file, in order; `None` separates files.
    pub fn each_declaration(
        &mut self,
        mut take: impl FnMut(Option<ExternalDecl>, &mut Interner) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        for i in 0..self.texts.len() {
            take(None, &mut self.names)?;
            let (name, start) = (self.texts[i].name.clone(), self.texts[i].start);
            self.parse(&name, start, |declaration, names| take(Some(declaration), names))?;
        }
        Ok(())
    }

    fn parse(
        &mut self,
        name: &str,
        start: u32,
        take: impl FnMut(ExternalDecl, &mut Interner) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let warnings = each_external(name, start, &mut self.sources, &mut self.names, take)?;
        self.warnings.extend(warnings);
        Ok(())
    }

    /// The typed tree of the program, with the models it needs.
    pub fn analyze(&mut self, data_model: DataModel) -> Result<Unit, Diagnostic> {
        let mut analyzer = Analyzer::new(data_model, &mut self.names);
        self.each_declaration(|declaration, names| match declaration {
            Some(declaration) => analyzer.external(&declaration, names),
            None => {
                analyzer.begin_file();
                Ok(())
            }
        })?;
        self.add_models(&mut analyzer)?;
        analyzer.finish()
    }

    /// Each model once, though a program may call it by several names, and with it the models that it uses.
    fn add_models(&mut self, analyzer: &mut Analyzer) -> Result<(), Diagnostic> {
        let called = analyzer.used_but_undefined();
        let needed = library::needed(called.into_iter().map(|name| self.names.resolve(name)));
        for (name, text) in needed {
            let name = format!("<model of {name}>");
            let start = self.add(&name, text.to_owned())?;
            analyzer.begin_file();
            self.parse(&name, start, |declaration, names| analyzer.external(&declaration, names))?;
        }
        Ok(())
    }

    /// The program itself, and warnings.
    pub fn lower(mut self, data_model: DataModel) -> Result<(Program, Vec<Diagnostic>), Box<Failure>> {
        let unit = match self.analyze(data_model) {
            Ok(unit) => unit,
            Err(diagnostic) => return Err(Box::new(Failure { diagnostic, sources: self.sources })),
        };
        let program = crate::lower(&unit, &self.names, self.sources, self.missing)?;
        Ok((program, self.warnings))
    }
}
