import { parseRequestUri, parseUrl, type UrlParts } from '@tenantry/kube/url';
import { ComputedMap, ComputedList } from '../collection.ts';
import { Failure, Undecided, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { BoxedValue, type Value } from '../value.ts';
import { fromUtf8, utf8 } from './conversions.ts';

/** A URL with its parts as Go's net/url parses them. */
class Url extends BoxedValue {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly #text: string;

  constructor(text: string, parts: UrlParts) {
    super();
    const { scheme, host, path, query } = parts;
    this.scheme = scheme;
    this.query = query;
    this.host = decodeText(unescape(host), 'host');
    this.path = escapedPath(path);
    this.#text = scheme + text.slice(scheme.length);
  }

  get typeName(): string {
    return 'kubernetes.URL';
  }

  equals(other: Value): boolean {
    if (other instanceof Url) return other.#text === this.#text;
    throw noSuchOverload();
  }
}

function isUrl(text: string): boolean {
  return parseRequestUri(text) !== undefined;
}

/** Parses a URL. The API server checks that it is a request URI, but then parses it as a general URL. */
function toUrl(text: string): Url {
  const parts = isUrl(text) ? parseUrl(text) : undefined;
  if (!parts) throw new Failure('URL parse error during conversion from string');
  return new Url(text, parts);
}

/** Returns the path unchanged if all its characters are allowed in a path, and escapes it again otherwise. */
function escapedPath(path: string): string {
  if (/^[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]*$/.test(path)) return path;
  return Array.from(unescape(path), (byte) => {
    const letter = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~$&+,/:;=@]/.test(letter)) return letter;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** Decodes a text in which each `%` begins an escape into bytes. */
function unescape(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const [part, hex] of text.matchAll(/%([0-9a-fA-F]{2})|[^%]+/g)) {
    if (hex === undefined) bytes.push(...utf8(part));
    else bytes.push(Number.parseInt(hex, 16));
  }
  return Uint8Array.from(bytes);
}

function decodeText(bytes: Uint8Array, where: string): string {
  const result = fromUtf8(bytes);
  if (result === undefined) throw new Undecided(`it reads a URL whose ${where} is not UTF-8`);
  return result;
}

function parseQuery({ query }: Url): Value {
  const values = new Map<string, Value[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';') || /%(?![0-9a-fA-F]{2})/.test(part)) continue;
    const [key, value] = part
      .split(/=(.*)/s, 2)
      .map((text) => decodeText(unescape(text.replaceAll('+', ' ')), 'query'));
    values.set(key!, [...(values.get(key!) ?? []), value ?? '']);
  }
  return new ComputedMap(
    Array.from(values, ([key, list]) => [key, new ComputedList(list)] as const),
  );
}

const port = /(.*?)(?::(\d*))?$/s;

/**
 * Functions for absolute URLs and absolute paths.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-url-library
 */
export const urls: Functions = {
  'url(string): url': toUrl,
  'isURL(string): bool': isUrl,
  'url::getScheme(): string': ({ scheme }: Url) => scheme,
  'url::getHost(): string': ({ host }: Url) => host,
  // A host that begins with a bracket also ends with one.
  'url::getHostname(): string': ({ host }: Url) => {
    const name = port.exec(host)![1]!;
    return name.startsWith('[') ? name.slice(1, -1) : name;
  },
  'url::getPort(): string': ({ host }: Url) => port.exec(host)![2] ?? '',
  'url::getEscapedPath(): string': ({ path }: Url) => path,
  'url::getQuery(): map<string, list<string>>': parseQuery,
};
