import type { Finding } from '@tenantry/kube/finding';
import { hasEnded, noticeDay } from '../end-dates.ts';
import type { Ending } from '../endings.ts';
import { errorAt, warningAt } from '../findings/tenant-finding.ts';

/**
 * Reports what has ended on a date, and what ends soon.
 * @param date undefined if it is not known; then every end date is an error
 */
export function checkEndDates(endings: readonly Ending[], date: string | undefined): Finding[] {
  return endings.flatMap(({ path, until, what }): Finding[] => {
    if (date === undefined) {
      const message = `must be left out of an app that renders without a date, got ${until}`;
      return [errorAt(path, message, 'end-unknown')];
    }
    if (hasEnded(until, date)) {
      const message = `ended on ${until}, so it is not rendered: ${what}; remove the entry, or extend it`;
      return [warningAt(path, message, 'ended')];
    }
    if (date < noticeDay(until)) return [];
    const message = `ends on ${until}: ${what}; extend it, or remove the entry after that day`;
    return [warningAt(path, message, 'ends-soon')];
  });
}
