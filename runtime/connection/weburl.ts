/** The URL of http or https that a text is, without a query; undefined where it is none. */
export function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.search === '' && url.hash === '' ? url : undefined;
}
