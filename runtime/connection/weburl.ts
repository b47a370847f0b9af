import { show } from '../../kube/problem.ts';

/** The URL of http or https that a text is, without a query; undefined where it is none. */
export function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.search === '' && url.hash === '' ? url : undefined;
}

/** What is wrong with the address of a proxy: `must be ..., got ...`; undefined where nothing is. */
export function proxyFault(text: string): string | undefined {
  if (webUrl(text)) return undefined;
  const why = /^socks/i.test(text) ? ', as SOCKS is not supported' : '';
  const got = show(text.replace(/\/\/[^/]*@/, '//'));
  return `must be a URL such as 'http://proxy:3128'${why}, got ${got}`;
}
