import { parseIPv6 } from './address.ts';

/** The parts of a URL as Go's net/url parses it, which accepts more than a browser does. */
export interface UrlParts {
  /** The scheme in lower case; empty if there is none. */
  readonly scheme: string;
  /** The host with the port; empty if there is none. */
  readonly host: string;
  /** Whether there is a user. */
  readonly user: boolean;
  /** The path as written; empty after a scheme without a slash. */
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/**
 * Parses a URL; undefined if Go's `url.Parse` refuses it.
 * Source: https://pkg.go.dev/net/url#Parse
 */
export function parseUrl(text: string): UrlParts | undefined {
  const [url, fragment] = cut(text, '#');
  const parts = parse(url, false);
  return parts && isEscaped(fragment) ? { ...parts, fragment } : undefined;
}

/**
 * Parses a URL as Go's `url.ParseRequestURI` does, which accepts an absolute URL or an absolute path, and no fragment.
 * The API server uses it for `format: uri`.
 */
export function parseRequestUri(text: string): UrlParts | undefined {
  const parts = text === '' ? undefined : parse(text, true);
  return parts && { ...parts, fragment: '' };
}

function parse(url: string, viaRequest: boolean): Omit<UrlParts, 'fragment'> | undefined {
  const none = { scheme: '', host: '', user: false, path: '', query: '' };
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(url)) return undefined;
  if (url === '*') return { ...none, path: '*' };
  if (url.startsWith(':')) return undefined;
  const scheme = (/^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(url)?.[0] ?? '').toLowerCase();
  const [rest, query] = cut(scheme === '' ? url : url.slice(scheme.length + 1), '?');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...none, scheme, query };
    if (viaRequest || cut(rest, '/')[0].includes(':')) return undefined;
  }
  const hasAuthority =
    rest.startsWith('//') && (scheme !== '' || (!viaRequest && !rest.startsWith('///')));
  if (!hasAuthority) return isEscaped(rest) ? { ...none, scheme, path: rest, query } : undefined;
  const authority = cut(rest.slice(2), '/')[0];
  const path = rest.slice(2 + authority.length);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (!isHost(host, scheme) || !isEscaped(path)) return undefined;
  const user = authority.slice(0, Math.max(0, at));
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !isEscaped(user)) return undefined;
  return { scheme, host, user: at >= 0, path, query };
}

function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function isEscaped(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

/** Matches a host: ASCII without escapes, escaped non-ASCII characters, and '%25'. */
const HOST = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]|\P{ASCII}|%25|%[89A-Fa-f][0-9A-Fa-f])*$/u;

/** Whether a text is a zone of an address. A zone may also contain escapes of ordinary characters, and a space. */
function isZone(text: string): boolean {
  const plain = text.replaceAll(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) =>
    hex === '20' || hex === '25' ? '-' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return plain !== '' && !plain.includes('%') && HOST.test(plain);
}

function isHost(host: string, scheme: string): boolean {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return false;
  if (bracket < 0) {
    const web = scheme === 'http' || scheme === 'https';
    const colon = web ? host.indexOf(':') : host.lastIndexOf(':');
    return (colon < 0 || isPort(host.slice(colon))) && HOST.test(host);
  }
  const end = host.lastIndexOf(']');
  if (end < 0 || !isPort(host.slice(end + 1))) return false;
  const inner = host.slice(1, end);
  const [address, zone] = cut(inner, '%25');
  return parseIPv6(address) !== undefined && (address === inner || isZone(zone));
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}
