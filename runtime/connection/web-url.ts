import { show } from '../../kube/problem.ts';

/** The URL of http or https that a text is, without a query; undefined where it is none. */
export function parseWebUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.search === '' && url.hash === '' ? url : undefined;
}

/** The URL of an API server, which holds no user, nor what was meant to be one: `https://a:/b@c` is of `a`. */
export function parseServerUrl(text: string): URL | undefined {
  return text.includes('@') ? undefined : parseWebUrl(text);
}

/** A URL as a message shows it: without the user and the password. */
export function redactUrl(text: string): string {
  return show(text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@'));
}

/** What is wrong with the address of a proxy: `must be ..., got ...`; undefined where nothing is. */
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
