/** A URL as Go's net/url takes it apart; it takes more than a browser does. */
export interface UrlParts {
  /** In lower case; empty when there is none. */
  readonly scheme: string;
  /** With the port; empty when there is none. */
  readonly host: string;
  /** Whether a user is named. */
  readonly user: boolean;
  readonly query: string;
  readonly fragment: string;
}

/**
 * The parts of a URL, or undefined when Go's `url.Parse` refuses it.
 * Source: https://pkg.go.dev/net/url#Parse
 */
export function parseUrl(text: string): UrlParts | undefined {
  const [url, fragment] = cut(text, '#');
  const parts = parse(url, false);
  return parts && isEscaped(fragment) ? { ...parts, fragment } : undefined;
}

/** Whether Go's `url.ParseRequestURI` takes it, with a scheme and a host. */
export function isRequestUri(text: string): boolean {
  const parts = text === '' ? undefined : parse(text, true);
  return parts !== undefined && parts.scheme !== '' && parts.host !== '';
}

type Parts = Omit<UrlParts, 'fragment'>;

function parse(url: string, viaRequest: boolean): (Parts & { fragment: '' }) | undefined {
  const none = { scheme: '', host: '', user: false, query: '', fragment: '' } as const;
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(url)) return undefined;
  if (url === '*') return none;
  if (url.startsWith(':')) return undefined;
  const scheme = (/^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(url)?.[0] ?? '').toLowerCase();
  const [rest, query] = cut(scheme === '' ? url : url.slice(scheme.length + 1), '?');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...none, scheme, query };
    if (viaRequest || cut(rest, '/')[0].includes(':')) return undefined;
  }
  const hasAuthority =
    rest.startsWith('//') && (scheme !== '' || (!viaRequest && !rest.startsWith('///')));
  if (!hasAuthority) return isEscaped(rest) ? { ...none, scheme, query } : undefined;
  const authority = cut(rest.slice(2), '/')[0];
  const path = rest.slice(2 + authority.length);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (!isHost(host, scheme) || !isEscaped(path)) return undefined;
  const user = authority.slice(0, Math.max(0, at));
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !isEscaped(user)) return undefined;
  return { scheme, host, user: at >= 0, query, fragment: '' };
}

function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function isEscaped(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

/** ASCII that needs no escape in a host, escapes of what is not ASCII, and '%25'. */
const HOST = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]|\P{ASCII}|%25|%[89A-Fa-f][0-9A-Fa-f])*$/u;

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
  const [address, zone] = cut(host.slice(1, end), '%25');
  if (zone === '' && host.includes('%25')) return false;
  return isIpv6(address) && HOST.test(zone);
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

function isIpv6(address: string): boolean {
  const ipv4 = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (ipv4?.split('.').some((part) => Number(part) > 255 || /^0\d/.test(part))) return false;
  const groups = ipv4 ? `${address.slice(0, -ipv4.length)}0:0` : address;
  const [before, after, more] = groups.split('::');
  if (more !== undefined) return false;
  const count = [before, after].flatMap((half) => (half ? half.split(':') : []));
  if (!count.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return after === undefined ? count.length === 8 : count.length < 8;
}
