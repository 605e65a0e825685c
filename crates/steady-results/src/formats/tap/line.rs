//! One line of TAP.

/// What a line is.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// `ok 1 - name # SKIP reason {`
    Point { failed: bool, number: Option<usize>, name: String, directive: Directive, opens: bool, bare: bool },
    /// `}`: the subtests of a point end.
    Close,
    /// `---`: a YAML block begins.
    Yaml,
    /// `t/cart.t ..`: what `prove` prints above a file's points.
    Heading(&'a str),
    /// `Bail out! reason`
    BailOut(&'a str),
    /// A plan, a comment, or something a test printed.
    Other,
}

/// What follows a `#`.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Directive {
    #[default]
    None,
    /// It was not run, for this reason.
    Skip(String),
    /// It is known to fail, for this reason.
    Todo(String),
    /// It took so many milliseconds.
    Time(f64),
}

impl Directive {
    pub(super) fn reason(&self) -> &str {
        match self {
            Self::Skip(reason) | Self::Todo(reason) => reason,
            Self::None | Self::Time(_) => "",
        }
    }

    pub(super) fn milliseconds(&self) -> Option<f64> {
        match self {
            Self::Time(milliseconds) => Some(*milliseconds),
            _ => None,
        }
    }

    /// Whether a failure counts.
    pub(super) fn counts(&self) -> bool {
        matches!(self, Self::None | Self::Time(_))
    }
}

/// Whether a line is hardly found in anything but TAP.
pub(super) fn is_sure_sign(line: &str) -> bool {
    let numbered = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
    line.starts_with("TAP version ")
        || line.strip_prefix("ok ").is_some_and(numbered)
        || line.strip_prefix("not ok ").is_some_and(numbered)
}

pub(super) fn parse(raw: &str) -> Line<'_> {
    let line = raw.trim();
    if let Some(rest) = line.strip_prefix("not ok") {
        return point(true, rest);
    }
    if let Some(rest) = line.strip_prefix("ok") {
        return point(false, rest);
    }
    match line {
        "}" => Line::Close,
        "---" => Line::Yaml,
        _ => match (line.strip_prefix("Bail out!"), heading(raw)) {
            (Some(reason), _) => Line::BailOut(reason.trim()),
            (None, Some(file)) => Line::Heading(file),
            (None, None) => Line::Other,
        },
    }
}

fn heading(raw: &str) -> Option<&str> {
    let line = raw.trim_end();
    let file = line.trim_end_matches('.');
    let dots = line.len() - file.len();
    (dots >= 2 && file.ends_with(' ') && !raw.starts_with([' ', '#']))
        .then(|| file.trim_end())
        .filter(|file| !file.is_empty() && !file.contains(char::is_whitespace))
}

fn point<'a>(failed: bool, rest: &str) -> Line<'a> {
    // `okay` and `ok:` are words of a test.
    if !rest.is_empty() && !rest.starts_with(' ') {
        return Line::Other;
    }
    let bare = rest.trim().is_empty();
    let rest = rest.trim();
    let digits = rest.len() - rest.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let numbered = digits > 0 && rest[digits..].chars().next().is_none_or(|next| next == ' ');
    let (number, rest) =
        if numbered { (rest[..digits].parse().ok(), rest[digits..].trim()) } else { (None, rest) };
    let (rest, opens) = rest.strip_suffix(" {").map_or((rest, rest == "{"), |rest| (rest, true));
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    let (name, directive) = directive(rest);
    let name = if name == "-" || name == "{" { "" } else { name };
    Line::Point { failed, number, name: unescape(name.trim()), directive, opens, bare }
}

/// Splits the name from the directive; a `#` that begins none belongs to the name.
fn directive(rest: &str) -> (&str, Directive) {
    for (at, _) in rest.match_indices('#') {
        let escaped = rest[..at].ends_with('\\');
        if escaped || !(at == 0 || rest[..at].ends_with(' ')) {
            continue;
        }
        let words = rest[at + 1..].trim();
        let after = |keyword: &str| {
            let (front, reason) = words.split_at_checked(keyword.len())?;
            let ends = reason.is_empty() || reason.starts_with([' ', ':']) || keyword.ends_with('=');
            (front.eq_ignore_ascii_case(keyword) && ends)
                .then(|| reason.trim_matches([':', '-', ' ']).to_owned())
        };
        let found = if let Some(reason) = after("skip").or_else(|| after("skipped")) {
            Directive::Skip(reason)
        } else if let Some(reason) = after("todo") {
            Directive::Todo(reason)
        } else if let Some(time) = after("time=") {
            match time.strip_suffix("ms").map(str::parse) {
                Some(Ok(milliseconds)) => Directive::Time(milliseconds),
                _ => Directive::None,
            }
        } else {
            continue;
        };
        return (&rest[..at], found);
    }
    (rest, Directive::None)
}

fn unescape(name: &str) -> String {
    name.replace("\\#", "#").replace("\\\\", "\\")
}
