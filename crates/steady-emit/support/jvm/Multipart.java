package steady;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A part of a multipart body. */
public final class Multipart {
    private final String name;
    private final byte[] content;
    private String filename;
    private String contentType;

    Multipart(String name, byte[] content) {
        this.name = name;
        this.content = content;
    }

    /** Makes the part a file. */
    public Multipart filename(String filename) {
        this.filename = filename;
        return this;
    }

    /** Gives the part a content type of its own. */
    public Multipart contentType(String contentType) {
        this.contentType = contentType;
        return this;
    }

    /** A whole body. */
    static byte[] joined(Multipart[] parts, String boundary) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Multipart part : parts) {
            String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + quoted(part.name) + "\"";
            if (part.filename != null) {
                head += "; filename=\"" + quoted(part.filename) + "\"";
            }
            if (part.contentType != null) {
                head += "\r\nContent-Type: " + part.contentType;
            }
            body.writeBytes((head + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            body.writeBytes(part.content);
            body.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        body.writeBytes(("--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
        return body.toByteArray();
    }

    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }
}
