import { show } from '../../kube/problem.ts';

/** Parses an http or https URL without a query; undefined if it is invalid. */
export function parseWebUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.search === '' && url.hash === '' ? url : undefined;
}

/**
 * Parses the URL of an API server, which must not contain a user, nor what was meant as one: in `https://a:/b@c` the
 * host is `a`.
 */
export function parseServerUrl(text: string): URL | undefined {
  return text.includes('@') ? undefined : parseWebUrl(text);
}

/** Returns a URL for messages, without its user and password. */
export function redactUrl(text: string): string {
  return show(text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@'));
}

/** Returns what is wrong with the address of a proxy: `must be ..., got ...`; undefined if nothing is. */
export function validateProxyUrl(text: string): string | undefined {
  const url = parseWebUrl(text);
  const isWhole = url && text.includes('@') === (url.username !== '' || url.password !== '');
  if (isWhole && isDecodable(url.username) && isDecodable(url.password)) return undefined;
  const why = /^socks/i.test(text) ? ', as SOCKS is not supported' : '';
  return `must be a URL such as 'http://proxy:3128'${why}, got ${redactUrl(text)}`;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
