/**
 * ASN.1 in its distinguished encoding (ITU-T X.690), as far as a certificate of a test needs it. The
 * runtime's own certificates are made with @peculiar/asn1-x509: that takes 4 ms each and 0.1 s to load,
 * this 0.3 ms, and every user of a test is a certificate. It encodes, and decodes nothing.
 */
export type Der = Buffer;

export function tagged(tag: number, ...parts: readonly Der[]): Der {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export const sequence = (...parts: readonly Der[]): Der => tagged(0x30, ...parts);
export const set = (...parts: readonly Der[]): Der => tagged(0x31, ...parts);
export const octets = (content: Der): Der => tagged(0x04, content);
export const utf8 = (text: string): Der => tagged(0x0c, Buffer.from(text));
export const derTrue: Der = tagged(0x01, Buffer.from([0xff]));

/** A positive number, given as its bytes; the first must be 0x01 to 0x7f. */
export const integer = (bytes: Buffer): Der => tagged(0x02, bytes);

/** All bits of whole bytes, unless told how many at the end do not count. */
export const bits = (content: Buffer, unused = 0): Der =>
  tagged(0x03, Buffer.from([unused]), content);

/** The inner value of `[tag] EXPLICIT`. */
export const explicit = (tag: number, part: Der): Der => tagged(0xa0 + tag, part);

/** A year before 2050, as RFC 5280, 4.1.2.5.1 has it. */
export function utcTime(time: Date): Der {
  const digits = time.toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

/** '2.5.4.3' */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const groups = [arc % 0x80];
    for (let left = Math.floor(arc / 0x80); left > 0; left = Math.floor(left / 0x80)) {
      groups.unshift(0x80 + (left % 0x80));
    }
    return groups;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...bytes]));
}
