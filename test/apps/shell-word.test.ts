import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { quoteForShell } from '../../apps/shell-word.ts';

test('a shell reads every quoted word as it is, and never expands it', () => {
  const word = fc.oneof(
    fc.constantFrom('~', '~root', '~/dist', "it's", '$HOME', '`id`', '*', 'a b', '-n', 'shop-prod'),
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const script = `printf '%s\\0' ${words.map(quoteForShell).join(' ')}`;
      const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
      expect(stdout.split('\0').slice(0, -1)).toEqual(words);
    }),
    runs(100),
  );
});
