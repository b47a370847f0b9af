import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** An entry of an archive, as tar writes it. */
export interface Entry {
  readonly path: string;
  readonly text?: string;
  /** @default '0', a file */
  readonly type?: string;
  readonly target?: string;
}

function field(text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(text);
  return bytes;
}

const octal = (value: number, length: number): Buffer =>
  field(value.toString(8).padStart(length - 1, '0'), length);

function block(path: string, type: string, target: string, body: Buffer): Buffer {
  const header = Buffer.concat([
    field(path, 100),
    octal(0o644, 8),
    octal(0, 8),
    octal(0, 8),
    octal(body.length, 12),
    octal(0, 12),
    field('        ', 8),
    field(type, 1),
    field(target, 100),
    field('ustar', 6),
    field('00', 2),
    Buffer.alloc(512 - 265),
  ]);
  const sum = header.reduce((all, byte) => all + byte, 0);
  octal(sum, 7).copy(header, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  let digits = String(length).length;
  while (String(length + digits).length !== digits) digits += 1;
  return `${length + digits}${rest}`;
}

/** Builds a tar archive; long paths are written in the format of pax or of GNU tar. */
export function tarOf(entries: readonly Entry[], format: 'pax' | 'gnu' = 'pax'): Buffer {
  const blocks = entries.flatMap(({ path, text = '', type = '0', target = '' }) => {
    const isLong = Buffer.byteLength(path) > 100 || /[^\0-\x7f]/.test(path);
    const entry = block(isLong ? 'long' : path, type, target, Buffer.from(text));
    if (!isLong) return [entry];
    return format === 'gnu'
      ? [block('././@LongLink', 'L', '', Buffer.from(`${path}\0`)), entry]
      : [block('pax', 'x', '', Buffer.from(record('path', path))), entry];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export type Blobs = Record<string, Buffer>;

/** Builds a layout with one image of these layers, as files by path. */
export function layoutOf(
  layers: readonly Buffer[],
  labels: Readonly<Record<string, string>> = {},
  pack: (layer: Buffer) => Buffer = (layer) => gzipSync(layer),
): Blobs {
  const files: Blobs = {};
  const put = (bytes: Buffer, mediaType: string) => {
    const hex = createHash('sha256').update(bytes).digest('hex');
    files[`blobs/sha256/${hex}`] = bytes;
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  };
  const json = (value: object, mediaType: string) =>
    put(Buffer.from(JSON.stringify(value)), mediaType);
  const manifest = json(
    {
      schemaVersion: 2,
      config: json({ config: { Labels: labels } }, 'application/vnd.oci.image.config.v1+json'),
      layers: layers.map((layer) =>
        put(pack(layer), 'application/vnd.oci.image.layer.v1.tar+gzip'),
      ),
    },
    'application/vnd.oci.image.manifest.v1+json',
  );
  files['oci-layout'] = Buffer.from('{"imageLayoutVersion":"1.0.0"}');
  files['index.json'] = Buffer.from(JSON.stringify({ schemaVersion: 2, manifests: [manifest] }));
  return files;
}
