//! `multipart/form-data` bodies (RFC 7578).

use steady_model::Part;

/// A multipart body and the boundary that separates its parts.
pub(crate) struct Multipart {
    pub boundary: String,
    pub bytes: Vec<u8>,
}

/// Writes the parts. The boundary follows from the content, so the same parts always make the same bytes.
pub(crate) fn multipart(parts: &[Part]) -> Multipart {
    let boundary = boundary_for(parts);
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
        bytes.extend_from_slice(part_head(part).as_bytes());
        bytes.extend_from_slice(part.content.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Multipart { boundary, bytes }
}

fn part_head(part: &Part) -> String {
    let mut head = format!("Content-Disposition: form-data; name=\"{}\"", quoted(&part.name));
    if let Some(filename) = &part.filename {
        head.push_str(&format!("; filename=\"{}\"", quoted(filename)));
    }
    head.push_str("\r\n");
    if let Some(content_type) = &part.content_type {
        head.push_str(&format!("Content-Type: {}\r\n", content_type.replace(['\r', '\n'], " ")));
    }
    head.push_str("\r\n");
    head
}

/// Names are escaped the way browsers do it (HTML Standard, multipart form data).
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

fn boundary_for(parts: &[Part]) -> String {
    let mut number = 0;
    loop {
        let boundary = format!("steady-part-boundary-{number}");
        if !parts.iter().any(|part| contains(part.content.as_bytes(), boundary.as_bytes())) {
            return boundary;
        }
        number += 1;
    }
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use steady_model::Payload;

    use super::*;

    fn part(name: &str, content: &str) -> Part {
        Part { name: name.into(), filename: None, content_type: None, content: Payload::Text(content.into()) }
    }

    #[test]
    fn parts_are_written_with_their_heads() {
        let file = Part {
            filename: Some("a\"b.txt".into()),
            content_type: Some("text/plain".into()),
            ..part("file", "hello")
        };
        let body = multipart(&[part("title", "t"), file]);
        assert_eq!(
            String::from_utf8(body.bytes).unwrap(),
            "--steady-part-boundary-0\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nt\r\n\
             --steady-part-boundary-0\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a%22b.txt\"\r\n\
             Content-Type: text/plain\r\n\r\nhello\r\n--steady-part-boundary-0--\r\n"
        );
    }

    #[test]
    fn the_boundary_does_not_occur_in_the_content() {
        let body = multipart(&[part("a", "--steady-part-boundary-0"), part("b", "steady-part-boundary-1")]);
        assert_eq!(body.boundary, "steady-part-boundary-2");
    }
}
