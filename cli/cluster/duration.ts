import { show } from '@tenantry/kube/problem';
import { parseDuration } from '@tenantry/kube/time';
import { UsageError } from '../usage-error.ts';

/**
 * Parses the duration of --timeout, such as `90s` or `5m`, into milliseconds.
 * @throws {UsageError} when the text is no duration from a second to a day
 */
export function parseTimeout(text: string): number {
  const milliseconds = Number(parseDuration(text) ?? -1n) / 1e6;
  if (milliseconds >= 1000 && milliseconds <= 24 * 3_600_000) return milliseconds;
  throw new UsageError(
    `--timeout must be a duration from 1s to 24h, such as 90s or 5m, got ${show(text)}`,
  );
}
