//! Writes a suite as test code: `cargo run -p steady-emit --example emit -- suite.json pytest folder`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use steady_emit::{Emitter, emit};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [suite, emitter, folder] = arguments.as_slice() else {
        return Err("expected three arguments: a suite, an emitter and a folder".into());
    };
    let suite = serde_json::from_str(&fs::read_to_string(suite)?)?;
    for file in emit(&suite, emitter.parse::<Emitter>()?)? {
        let path = Path::new(folder).join(file.path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(folder)))?;
        fs::write(path, file.text)?;
    }
    Ok(())
}
