import type { Metrics } from '../../metrics/metrics.ts';

const sample =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (Nan|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$/;

/**
 * Parses a page in Prometheus' text format into values by series: `name{label="value"}`, with sorted labels. Accepts
 * what the description of the format allows, in whole lines, and throws for anything else.
 */
export function samplesOf(page: string): Map<string, number> {
  if (!page.endsWith('\n')) throw new Error('a page must end with a line feed');
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of page.split('\n')) {
    const [, type, of = ''] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (type !== undefined) {
      if (types.has(type)) throw new Error(`${type} must occur once`);
      types.set(type, of);
    } else if (line !== '' && !/^# HELP [a-zA-Z_:][a-zA-Z0-9_:]* ./.test(line)) {
      const [, name = '', labels = '', value = ''] = sample.exec(line) ?? [];
      if (name === '') throw new Error(`must be a line of a metrics page, got ${line}`);
      const family = name.replace(/_(bucket|sum|count)$/, '');
      if (!types.has(name) && !types.has(family)) throw new Error(`${name} must have a type`);
      const sorted = [...labels.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(String).toSorted();
      const series = sorted.length > 0 ? `${name}{${sorted.join(', ')}}` : name;
      if (samples.has(series)) throw new Error(`${series} must occur once`);
      samples.set(series, value.endsWith('Inf') ? Number(`${value}inity`) : Number(value));
    }
  }
  return samples;
}

/** Returns the samples of a scrape whose names begin with this text. */
export async function scraped(metrics: Metrics, begin = ''): Promise<Record<string, number>> {
  const { text } = await metrics.page();
  return Object.fromEntries([...samplesOf(text)].filter(([series]) => series.startsWith(begin)));
}
