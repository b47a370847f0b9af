/**
 * ASN.1 in distinguished encoding (ITU-T X.690), as far as the certificates of tests need it. It
 * encodes and does not decode. The runtime creates its own certificates with @peculiar/asn1-x509, which
 * takes 4 ms each and 0.1 s to load. This takes 0.3 ms, and tests create a certificate for every user.
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

/** Encodes a positive number, given as its bytes; the first must be 0x01 to 0x7f. */
export const integer = (bytes: Buffer): Der => tagged(0x02, bytes);

/** Encodes a bit string. `unused` is the number of bits at the end that do not count. */
export const bits = (content: Buffer, unused = 0): Der =>
  tagged(0x03, Buffer.from([unused]), content);

/** Encodes a value as `[tag] EXPLICIT`. */
export const explicit = (tag: number, part: Der): Der => tagged(0xa0 + tag, part);

/** Encodes a time of a year before 2050, as in RFC 5280, 4.1.2.5.1. */
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
