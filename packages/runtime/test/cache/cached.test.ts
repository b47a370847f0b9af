import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StringInterner } from '../../cache/cached.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

test('interning does not change what readers see', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (values) => {
      const texts = new StringInterner();
      const before = JSON.stringify(values);
      texts.internAll(values);
      texts.internAll(values);
      expect(JSON.stringify(values)).toBe(before);
    }),
    runs(100),
  );
});

test('every text is returned, however many there are', () => {
  const texts = new StringInterner();
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 10_000; i += 1) expect(texts.intern(`text ${i}`)).toBe(`text ${i}`);
  }
});

test('a frozen object is left alone', () => {
  const frozen = Object.freeze({ labels: { app: 'shop' }, phase: 'Running' });
  new StringInterner().internAll(frozen);
  expect(frozen).toEqual({ labels: { app: 'shop' }, phase: 'Running' });
});

/**
 * The number of lists with one text each. It is large, so that other work of the process (compiling) adds only a few
 * bytes per list.
 */
const lists = 200_000;

/** Returns the bytes per list if there are `different` different texts. */
function bytesOf(different: number): number {
  const sharedTexts = join(import.meta.dirname, '../../cache/cached.ts');
  const program = `
    import { StringInterner } from ${JSON.stringify(sharedTexts)};
    const texts = new StringInterner();
    const lists = [];
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < ${lists}; i += 1) {
      const list = JSON.parse('["the text with the number ' + (i % ${different}) + '"]');
      texts.internAll(list);
      lists.push(list);
    }
    gc();
    console.log((process.memoryUsage().heapUsed - before) / lists.length);
  `;
  const flags = ['--expose-gc', '--input-type=module-typescript', '--eval', program];
  return Number(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
}

test('a text that thousands of objects share takes the memory of one', () => {
  const [same, different] = [bytesOf(100), bytesOf(lists)];
  // The lists themselves take the same memory; a text of some 30 characters takes 48 bytes.
  expect(different - same).toBeGreaterThan(40);
});
