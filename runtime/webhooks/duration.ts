const milliseconds: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Parses a duration in Go's format, '10s' or '1m30s', to milliseconds; undefined if it is invalid. */
export function parseGoDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)(h|ms|m|s)/g);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * milliseconds[unit!]!, 0);
}
