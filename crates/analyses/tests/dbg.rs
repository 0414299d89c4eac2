use c_front::preprocess::*; use c_front::types::DataModel; use lower::build::Build;
#[test] fn dbg() {
  let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../").join(std::env::var("F").unwrap());
  let l = load(&path, &PreprocessOptions::default()).unwrap();
  let b = Build::new(vec![l]).map_err(|e| e.message).unwrap();
  let (p,_) = b.lower(DataModel::Lp64).ok().unwrap();
  println!("{}", program::print::text(&p, program::print::Extent::Program));
}
