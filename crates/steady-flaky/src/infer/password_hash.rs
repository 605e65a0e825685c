//! Hashes of passwords with their salt: bcrypt and crypt(3)'s `$id$` forms, the PHC string format (argon2, scrypt,
//! PBKDF2), Django's and Werkzeug's own.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::PasswordHash, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"(?x)
    (?:\{[\w@-]{2,20}\})?(?:
      \$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}
      |\$argon2(?:id|i|d)\$(?:v=\d+\$)?[a-z]=\d+(?:,[a-z]=\d+)*\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}
      |\$s0\$[0-9a-f]{3,8}\$[A-Za-z0-9+/=]{16,}\$[A-Za-z0-9+/=]{32,}
      |\$(?:scrypt|pbkdf2(?:-sha\d+)?)\$[\w=,]+\$[A-Za-z0-9+/.]{8,}\$[A-Za-z0-9+/.]{20,}
      |\$(?:1|5|6|y|7|gy)\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,24}\$(?:[./A-Za-z0-9]{1,86}\$)?[./A-Za-z0-9]{22,86}
      |(?:pbkdf2_sha\d+|argon2|bcrypt_sha256|scrypt)\$[\w$=,]*\$[A-Za-z0-9+/=.]{20,}
      |(?:pbkdf2:sha\d+(?::\d+)?|scrypt:\d+:\d+:\d+)\$[A-Za-z0-9]{8,}\$[0-9a-f]{40,})";

fn judge(candidate: &Candidate<'_>, _context: &Context) -> Option<Judgement> {
    let text =
        candidate.text.trim_start_matches(|character| character != '}' && candidate.text.starts_with('{'));
    let scheme = text.trim_start_matches('}').trim_start_matches('$').split(['$', ':']).next()?;
    let detail = match scheme {
        "2" | "2a" | "2b" | "2x" | "2y" => "bcrypt",
        "1" => "MD5 crypt",
        "5" => "SHA-256 crypt",
        "6" => "SHA-512 crypt",
        "y" | "gy" => "yescrypt",
        "7" | "s0" => "scrypt",
        other => other,
    };
    Some(Judgement::new(Category::Crypt, Strength::Certain, detail))
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("password", "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"),
            ("password", "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"),
            ("password", "{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG"),
            ("password", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG"),
            ("password", "$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG"),
            (
                "password",
                "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
            ),
            (
                "password",
                "$pbkdf2-sha256$29000$0ZrzXitFSGltTQnBWOsdYw$jLaXYyBfnPlGdLSh7rwWjoJmNZ7.lkHrNqG4Fj2pGUs",
            ),
            (
                "password",
                "pbkdf2_sha256$260000$qkjAGlzSfcIiVPxC2AbUWd$s/2dVcMXRhe9rC6qsi8XrTNdlbKHjBIFoYDKM2BzCeI=",
            ),
            (
                "password",
                "pbkdf2:sha256:260000$Gk3xW9pLr2vT$0b8f1c5d7a3e9b2c4f6081a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6",
            ),
            (
                "password",
                "$6$rounds=5000$usesomesillystri$D4IrlXCisKyXTAjzk5MHUUXyGZgYuG0hdvG5qKkzSdXzUAqXWGZ6oCGgyGwb5mcUlZqiW0QcLJzo6CgiCk0C91",
            ),
            ("password", "$1$O3JMY.Tw$AdLnLjQ/5jXF9.MTp3gHv/"),
        ];
        let look_alikes = [
            ("price", "$2a"),
            ("price", "$20.00"),
            ("password", "$2a$10$tooshort"),
            ("template", "$1$2$3"),
            ("template", "${bcrypt}"),
            ("text", "bcrypt"),
            ("text", "argon2id with m=65536"),
            ("text", "$argon2id$v=19$m=65536"),
            ("path", "Outer$Inner$1$Deeper"),
        ];
        check(&RULE, Category::Crypt, &known, &look_alikes);
    }
}
