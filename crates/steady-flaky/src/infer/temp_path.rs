//! Paths below the folders for temporary files: of POSIX (`TMPDIR`, the Filesystem Hierarchy Standard), macOS and Windows.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::TempPath, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r#"(?xi)
    (?:/private)?(?:/var/folders/[\w+]{2}/[\w+]{10,}/[TC]|/var/tmp|/tmp|/dev/shm|/run/user/\d+)(?:/(?u:[^\s"'<>|:;,()\[\]{}])*(?u:[^\s"'<>|:;,.()\[\]{}]))
    |[a-z]:(?:\\\\?|/)(?:users(?:\\\\?|/)(?u:[^\\/\s"'<>|:*?])+(?:\\\\?|/)appdata(?:\\\\?|/)local(?:\\\\?|/)temp|windows(?:\\\\?|/)temp|temp)(?:\\\\?|/)(?u:[^\s"'<>|:*?,;()])+"#;

fn judge(candidate: &Candidate<'_>, _context: &Context) -> Option<Judgement> {
    // `/api/tmp/x` and `//host/tmp/x` are other paths.
    let preceded = candidate.before.chars().next_back();
    if preceded.is_some_and(|character| character.is_alphanumeric() || "_.-}/\\".contains(character))
        && !candidate.before.ends_with("file://")
    {
        return None;
    }
    let drawn = candidate.text.rsplit(['/', '\\']).any(|part| {
        part.bytes().filter(u8::is_ascii_digit).count() >= 4
            || (part.len() >= 8 && super::entropy::is_mixed(part))
    });
    let strength = if drawn { Strength::Certain } else { Strength::Likely };
    Some(Judgement::new(Category::Env, strength, "below a folder for temporary files"))
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("path", "/tmp/tmpab12cd34/upload.bin"),
            ("path", "/tmp/tomcat.8080.1234567890123456/work"),
            ("path", "/var/tmp/build"),
            ("path", "/dev/shm/sem.x1"),
            ("path", "/private/tmp/x"),
            ("path", "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/tmpx"),
            ("path", r"C:\Users\ada\AppData\Local\Temp\tmp1A2B.tmp"),
            ("path", r"C:\Windows\Temp\x.log"),
            ("path", "C:/Users/ada/AppData/Local/Temp/x"),
            ("path", "/run/user/1000/app.sock"),
        ];
        let look_alikes = [
            ("path", "/template/x"),
            ("path", "/tmpl/x"),
            ("path", "/api/tmp/x"),
            ("path", "/srv/tmp/x"),
            ("path", "/tmp"),
            ("url", "https://example.com/tmp/x"),
            ("path", "/var/lib/app"),
            ("path", r"C:\Users\ada\Documents\x"),
            ("text", "tmp/x"),
            ("path", "./tmp/x"),
        ];
        check(&RULE, Category::Env, &known, &look_alikes);
    }

    #[test]
    fn a_drawn_name_is_certain() {
        assert_eq!(strength(&RULE, "path", "/tmp/tmp.1234567/x"), Some(Strength::Certain));
        assert_eq!(strength(&RULE, "path", "/tmp/build"), Some(Strength::Likely));
    }
}
