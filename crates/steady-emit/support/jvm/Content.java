package steady;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** The body of a response, as far as it may be read: it may have no end, and a small one may become gigabytes. */
final class Content {
    /** How many bytes of a body are read. */
    static final int LARGEST = 4 << 20;

    final byte[] bytes;
    final boolean isCut;

    private Content(byte[] bytes, boolean isCut) {
        this.bytes = bytes;
        this.isCut = isCut;
    }

    /** Reads a body and undoes its codings, the last one first. */
    static Content read(InputStream stream, List<String> codings) throws IOException {
        Content content = upToLimit(stream);
        for (int at = codings.size() - 1; at >= 0 && !content.isCut && content.bytes.length > 0; at--) {
            ByteArrayInputStream encoded = new ByteArrayInputStream(content.bytes);
            if (codings.get(at).equals("gzip") || codings.get(at).equals("x-gzip")) {
                content = upToLimit(new GZIPInputStream(encoded));
            } else if (codings.get(at).equals("deflate")) {
                // Some servers leave the frame of zlib out.
                boolean isFramed = content.bytes[0] == 0x78;
                content = upToLimit(new InflaterInputStream(encoded, new Inflater(!isFramed)));
            }
        }
        return content;
    }

    private static Content upToLimit(InputStream stream) throws IOException {
        byte[] bytes = stream.readNBytes(LARGEST + 1);
        return new Content(bytes, bytes.length > LARGEST);
    }
}
