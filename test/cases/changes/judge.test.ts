import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { judgeAll } from './judged.ts';

/** Real changes to the namespaces of a production platform, read in place. */
const folder = process.env['TENANTRY_CHANGES'];

interface Label {
  readonly change: string;
  /** The label of a careful reviewer. */
  readonly label: string;
  /** The verdict of the product. */
  readonly product: string;
}

const labels = JSON.parse(
  readFileSync(join(import.meta.dirname, 'labels.json'), 'utf8'),
) as readonly Label[];

const sentences = [
  'the verdict on each of 300 changes is the recorded one',
  'no change that needs the platform is let through',
  'at least 70 of 100 changes do not need the platform',
  'a change without an effect needs nobody',
] as const;

if (!folder) {
  for (const sentence of sentences)
    test.skip(`${sentence} [skipped: TENANTRY_CHANGES names no folder]`, () => {});
} else {
  describe('verdicts on real changes', () => {
    const verdicts = new Map<string, string>();
    const reasons = new Map<string, readonly string[]>();

    beforeAll(() => {
      for (const { change, verdict, reasons: why } of judgeAll(folder)) {
        verdicts.set(change, verdict);
        reasons.set(change, why);
      }
    }, 1_200_000);

    test(sentences[0], () => {
      const different = labels.filter(({ change, product }) => verdicts.get(change) !== product);
      expect(
        different.map(({ change }) => [change, verdicts.get(change), reasons.get(change)]),
      ).toEqual([]);
    });

    test(sentences[1], () => {
      const through = labels.filter(
        ({ change, label }) =>
          label === 'platform' && !['platform', 'refused'].includes(verdicts.get(change)!),
      );
      expect(through.map(({ change }) => [change, reasons.get(change)])).toEqual([]);
    });

    test(sentences[2], () => {
      const alone = [...verdicts.values()].filter((one) => !['platform', 'refused'].includes(one));
      expect(alone.length / verdicts.size).toBeGreaterThanOrEqual(0.7);
    });

    test(sentences[3], () => {
      const wrong = labels.filter(
        ({ change, label }) => label === 'nobody' && verdicts.get(change) !== 'nobody',
      );
      expect(wrong.map(({ change }) => [change, reasons.get(change)])).toEqual([]);
    });
  });
}
