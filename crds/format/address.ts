/** Addresses as Go's packages net, net/url and net/mail read them. */

const BIG = 0xffffff;

/**
 * How lenient an address is read: Kubernetes keeps taking leading zeros, which Go no longer does.
 * Source: https://issue.k8s.io/100895
 */
type Reading = 'strict' | 'sloppy';

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const sloppyOctet = `0*${octet}`;
const dotted = {
  strict: new RegExp(`^(?:${octet}\\.){3}${octet}$`),
  sloppy: new RegExp(`^(?:${sloppyOctet}\\.){3}${sloppyOctet}$`),
};

function isIPv4Text(text: string, reading: Reading): boolean {
  return dotted[reading].test(text);
}

function isIPv6Text(text: string, reading: Reading): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const endsInIPv4 = last.includes('.') && !text.endsWith('::');
  if (endsInIPv4 && !isIPv4Text(groups.pop()!, reading)) return false;
  const group = reading === 'strict' ? /^[0-9a-fA-F]{1,4}$/ : /^0*[0-9a-fA-F]{1,4}$/;
  if (!groups.every((part) => group.test(part))) return false;
  const count = groups.length + (endsInIPv4 ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

function isIP(text: string, reading: Reading): boolean {
  const first = /[.:]/.exec(text)?.[0];
  if (first === undefined) return false;
  return first === '.' ? isIPv4Text(text, reading) : isIPv6Text(text, reading);
}

export function isIPv4(text: string): boolean {
  return dotted.sloppy.test(text) || (text.includes('.') && isIP(text, 'sloppy'));
}

export function isIPv6(text: string): boolean {
  return text.includes(':') && isIP(text, 'strict');
}

export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !/^[0-9]+$/.test(bits) || Number(bits) >= BIG) return false;
  if (isIPv4Text(address, 'sloppy')) return Number(bits) <= 32;
  return isIPv6Text(address, 'sloppy') && Number(bits) <= 128;
}

/** 6, 8 or 20 bytes: apart by colons or hyphens, in pairs by dots, or all in one. */
export function isMac(text: string): boolean {
  if (!/^[0-9a-fA-F]{2}(?:[:-]?[0-9a-fA-F]{2}|\.[0-9a-fA-F]{2})+$/.test(text)) return false;
  const parts = text.split(/[:.-]/);
  const [separator] = text.match(/[:.-]/) ?? [''];
  if (parts.length > 1 && text.split(separator).length !== parts.length) return false;
  const size = separator === '.' ? 4 : separator === '' ? text.length : 2;
  if (!parts.every((part) => part.length === size)) return false;
  return [12, 16, 40].includes(parts.length * size);
}

/** A byte that a URL must not hold, and a percent sign without two digits. */
const CONTROL = /[^ -~\u0080-\uffff]/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
/** In a host only what is beyond ASCII is escaped, and the percent sign. */
const BAD_HOST = /[ #/?@\\^`{|}]|%(?!25|[89a-fA-F][0-9a-fA-F])/;
const USER = /^[A-Za-z0-9._:~!$&'()*+,;=%@-]*$/;

/** An absolute URI, or an absolute path, as net/url's ParseRequestURI takes it; undefined: not decided. */
export function isUri(text: string): boolean | undefined {
  if (text === '' || CONTROL.test(text)) return false;
  if (text === '*') return true;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  const [rest = ''] = (scheme === undefined ? text : text.slice(scheme.length + 1)).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== undefined;
  if (scheme === undefined || !rest.startsWith('//')) return !BAD_ESCAPE.test(rest);
  const end = rest.indexOf('/', 2);
  const [authority, path] = end < 0 ? [rest.slice(2), ''] : [rest.slice(2, end), rest.slice(end)];
  if (BAD_ESCAPE.test(path)) return false;
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at));
  if (!USER.test(user) || BAD_ESCAPE.test(user)) return false;
  return isUriHost(authority.slice(at + 1), scheme.toLowerCase());
}

function isUriHost(host: string, scheme: string): boolean | undefined {
  const open = host.lastIndexOf('[');
  if (open > 0) return false;
  if (open === 0) {
    const close = host.lastIndexOf(']');
    if (close < 0 || !/^(?::[0-9]*)?$/.test(host.slice(close + 1))) return false;
    const inner = host.slice(1, close);
    if (inner.includes('%')) return undefined;
    return isIPv6Text(inner, 'strict');
  }
  const strict = scheme === 'http' || scheme === 'https';
  const colon = strict ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0 && !/^:[0-9]*$/.test(host.slice(colon))) return false;
  return !BAD_HOST.test(host);
}

const SPECIAL = /[^!-~\u0080-\uffff]|[()<>[\]:;\\,"]/;

/**
 * What net/mail's ParseAddress takes. Plain addresses are decided; those with names, comments,
 * quotes or literal domains are not (undefined).
 */
export function isEmail(text: string): boolean | undefined {
  if (!text.includes('@')) return false;
  if (SPECIAL.test(text)) return undefined;
  const parts = text.split('@');
  return parts.length === 2 && parts.every((part) => part.split('.').every((atom) => atom !== ''));
}
