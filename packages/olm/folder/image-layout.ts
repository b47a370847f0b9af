import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { JsonTooDeep, parseJson } from '@tenantry/kube/json';
import { errorAt } from '@tenantry/kube/finding';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import type { ImageLabels } from '../bundle/bundle.ts';
import type { BundleSource } from '../bundle/parse.ts';
import { MAX_BYTES, MAX_FILE, showBytes, readBytes, Unreadable } from './bounded-file.ts';
import { Layers } from './layers.ts';
import { NotTar } from './tar.ts';

/** A reference of an image layout to one of its blobs. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
}

/** The maximum depth of nested indexes. */
const MAX_NESTING = 4;
/** The maximum number of layers; the images of bundles have three. */
const MAX_LAYERS = 128;

/**
 * Whether a folder is an OCI image layout.
 *
 * Source: https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
 */
export function isImageLayout(root: string): boolean {
  return ['oci-layout', 'index.json'].every(
    (name) => lstatSync(join(root, name), { throwIfNoEntry: false })?.isFile() === true,
  );
}

/**
 * Reads the files of the image in a layout, and its labels. The layout must contain one image; of a multi-platform
 * image the first is read, because bundles are the same on all platforms. Each blob is verified against its digest.
 * Errors are among the faults.
 */
export function readImageLayout(root: string): BundleSource {
  const layout = new ImageLayout(root);
  try {
    return layout.source();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const fault = { ...errorAt([], error.message, error.rule), file: layout.file };
    return { files: [], folders: [], faults: [fault] };
  }
}

class ImageLayout {
  /** The file that is being read, from the root. */
  file = 'index.json';
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  source(): BundleSource {
    const index = this.#json(readBytes(join(this.#root, this.file), MAX_FILE));
    const manifest = this.#manifest(index, 0);
    const { layers: listed, config } = manifest;
    const layers = new Layers();
    const descriptors = this.#descriptors(listed, 'layers');
    if (descriptors.length > MAX_LAYERS) {
      throw wrong(`must have at most ${MAX_LAYERS} layers, got ${descriptors.length}`);
    }
    for (const layer of descriptors) {
      const archive = unpacked(this.#blob(layer, MAX_BYTES), layer.mediaType);
      try {
        layers.add(archive);
      } catch (error) {
        if (error instanceof NotTar) throw new Unreadable(error.message, 'image-layout');
        throw error;
      }
    }
    return { ...layers.source(), labels: this.#labels(config) };
  }

  /** Returns the manifest of the only image in an index. */
  #manifest(index: Record<string, unknown>, depth: number): Record<string, unknown> {
    const all = this.#descriptors(index['manifests'], 'manifests');
    const [first] = all;
    if (!first) throw wrong('must contain an image, got none');
    if (depth === 0 && all.length > 1) {
      throw wrong(`must contain one image, got ${all.length}: copy the one to a layout of its own`);
    }
    const value = this.#json(this.#blob(first, MAX_FILE));
    if (value['manifests'] === undefined) return value;
    if (depth >= MAX_NESTING) throw wrong(`must have at most ${MAX_NESTING} indexes in each other`);
    return this.#manifest(value, depth + 1);
  }

  #labels(config: unknown): ImageLabels {
    const [descriptor] = isMapping(config) ? this.#descriptors([config], 'config') : [];
    const value = descriptor && this.#json(this.#blob(descriptor, MAX_FILE));
    const labels = valueAt(value, ['config', 'Labels']);
    const entries = isMapping(labels) ? Object.entries(labels) : [];
    const texts = entries.flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value] as const] : [],
    );
    return { values: Object.fromEntries(texts), lines: {} };
  }

  #descriptors(value: unknown, field: string): Descriptor[] {
    if (!Array.isArray(value)) throw wrong(`must have a list of ${field}, got ${show(value)}`);
    return value.map((one: unknown) => {
      const { mediaType = '', digest } = isMapping(one) ? one : {};
      if (typeof mediaType === 'string' && typeof digest === 'string') return { mediaType, digest };
      throw wrong(`must have a digest in each of ${field}, got ${show(digest)}`);
    });
  }

  #blob({ digest }: Descriptor, most: number): Uint8Array {
    const [, algorithm, hex] = /^(sha256|sha512):([0-9a-f]{64}|[0-9a-f]{128})$/.exec(digest) ?? [];
    if (algorithm === undefined || hex === undefined) {
      throw wrong(`must have digests such as 'sha256:<64 digits>', got ${show(digest)}`);
    }
    this.file = `blobs/${algorithm}/${hex}`;
    const path = join(this.#root, this.file);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
      throw wrong('must be a file, got something else or nothing');
    }
    const bytes = readBytes(path, most);
    const found = createHash(algorithm).update(bytes).digest('hex');
    if (found !== hex) throw wrong(`must match its digest, got ${algorithm}:${found}`);
    return bytes;
  }

  #json(bytes: Uint8Array): Record<string, unknown> {
    let value: unknown;
    try {
      value = parseJson(new TextDecoder().decode(bytes));
    } catch (error) {
      if (error instanceof JsonTooDeep) throw wrong(error.message);
      throw wrong('must be JSON, got something else');
    }
    if (!isMapping(value)) throw wrong(`must be a mapping, got ${show(value)}`);
    return value;
  }
}

function wrong(message: string): Unreadable {
  return new Unreadable(message, 'image-layout');
}

/** Unpacks a layer to a tar archive, whatever its compression. */
function unpacked(bytes: Uint8Array, mediaType: string): Uint8Array {
  const bound = { maxOutputLength: 2 * MAX_BYTES };
  try {
    // The media type can be wrong, so the first bytes decide about the compression.
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, bound);
    if (bytes[0] === 0x28 && bytes[1] === 0xb5) return zstdDecompressSync(bytes, bound);
  } catch (error) {
    if (isMapping(error) && error['code'] === 'ERR_BUFFER_TOO_LARGE') {
      throw new Unreadable(
        `must be at most ${showBytes(bound.maxOutputLength)} unpacked, got more`,
        'bundle-size',
      );
    }
    throw wrong(`must be a layer of type ${show(mediaType)}, got broken data`);
  }
  return bytes;
}
