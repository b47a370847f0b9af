import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { NotTar, readTar } from '../../folder/tar.ts';
import { tarOf } from './archive.ts';

const path = fc
  .string({ minLength: 1, maxLength: 300, unit: 'grapheme' })
  .map((text) => text.replaceAll('\0', ' '));
const entry = fc.record({ path, text: fc.string({ maxLength: 2000 }) });

test('reading an archive returns what was put into it', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 8 }),
      fc.constantFrom('pax' as const, 'gnu' as const),
      (entries, format) => {
        const read = [...readTar(tarOf(entries, format))].map(({ path, bytes }) => ({
          path,
          text: Buffer.from(bytes).toString(),
        }));
        expect(read).toEqual(
          entries.map(({ path, text }) => ({ path, text: Buffer.from(text).toString() })),
        );
      },
    ),
    runs(300),
  );
});

test('arbitrary bytes end with entries or an error, never anything else', () => {
  const archive = tarOf([
    { path: 'a', text: 'b'.repeat(600) },
    { path: 'ä'.repeat(80), text: 'c' },
  ]);
  const damage = fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { maxLength: 20 });
  fc.assert(
    fc.property(damage, fc.nat(archive.length), (changes, length) => {
      const bytes = Buffer.from(archive.subarray(0, length));
      for (const [at, byte] of changes) if (at < length) bytes[at] = byte;
      try {
        expect([...readTar(bytes)].length).toBeLessThanOrEqual(length / 512);
      } catch (error) {
        expect(error).toBeInstanceOf(NotTar);
      }
    }),
    runs(300),
  );
});

test('a long path of ustar has two parts', () => {
  const archive = tarOf([{ path: 'name', text: 'x' }]);
  archive.write('folder/in', 345);
  let sum = 0;
  for (let i = 0; i < 512; i += 1) sum += i >= 148 && i < 156 ? 0x20 : archive[i]!;
  archive.write(sum.toString(8).padStart(6, '0'), 148);
  expect([...readTar(archive)].map(({ path }) => path)).toEqual(['folder/in/name']);
});

test('a header with a wrong checksum is invalid', () => {
  const archive = tarOf([{ path: 'name', text: 'x' }]);
  archive.write('game', 0);
  expect(() => [...readTar(archive)]).toThrow(
    'must be a tar archive, got something else at byte 0',
  );
});
