import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readBlockStyle } from '../../yaml/block-style.ts';
import { Lines, readDocuments } from '../../yaml/read.ts';
import { emitYaml } from '../../yaml/write.ts';
import { anyCodePoint } from '../code-points.ts';
import { runs } from './runs.ts';

/**
 * Compares the value of a document, its order of keys, which `toEqual` ignores, and its place with those of the full
 * reader.
 * @returns whether the fast reader reads it
 */
function expectSame(source: string): boolean {
  const read = readBlockStyle(source);
  if (!read) return false;
  const place = new Lines(source).findPosition(read.root);
  const expected = readInFull(source);
  expect([{ value: read.value, place }]).toEqual(expected);
  expect(JSON.stringify([{ value: read.value, place }])).toBe(JSON.stringify(expected));
  return true;
}

/** Reads a document with the full reader: the fast one reads no text with a tab, such as the one in this comment. */
function readInFull(source: string): unknown {
  const { documents, problems } = readDocuments(`${source}\n#\t\n`);
  if (problems.length > 0) return problems;
  return documents.map((document) => ({ value: document.value, place: document.positionAt([]) }));
}

const pieces = [
  'a:¦b:¦a.b/c-d:¦yes:¦_:¦__proto__:¦constructor:¦k :¦"q":¦8:¦<<:¦-¦- ¦- -¦-  ¦? ¦: ¦---¦...',
  '#¦ #¦# c¦%¦&x¦*x¦!!str¦x¦x y¦x:y¦x: y¦x#y¦x #y¦-1¦-x¦0644¦1.5¦1e400¦.inf¦~¦no¦2026-01-01',
  '99999999999999999¦=¦<<¦(¦$¦@¦`¦é¦\u00a0¦\u{1f600}¦"x"¦"x: y"¦"\\n"¦"\\ud83d"¦"\\x41"¦"¦|¦|-¦|+¦|2¦>-¦ ',
  "'x'¦'x''y'¦''¦'¦{}¦[]¦{¦[a]¦  ¦\t¦\r",
].flatMap((some) => some.split('¦'));
const plain = fc.constantFrom('', '', '', 'x', 'x y', '1', '"x"', '|');
const mixed = fc.array(fc.constantFrom(...pieces), { maxLength: 2 }).map((some) => some.join(' '));
const line = fc
  .tuple(
    fc.constantFrom(0, 0, 0, 2, 2, 2, 4, 1, 3),
    fc.constantFrom('', '', '', '', '- ', '- ', '-   ', '- - '),
    fc.constantFrom('', 'a: ', 'b: ', 'c: ', 'd: ', 'a:', 'b:', 'yes: ', '__proto__: ', '"e": '),
    fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: mixed }),
  )
  .map(([indent, dash, key, rest]) => ' '.repeat(indent) + dash + key + rest);
const soup = fc
  .tuple(
    fc.constantFrom('', '', '---\n', '--- \n'),
    fc.array(line, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('', '\n', '\n\n'),
  )
  .map(([start, lines, end]) => start + lines.join('\n') + end);

test('what the fast reader reads has the value of the full reader', () => {
  let count = 0;
  const property = fc.property(soup, (source) => {
    if (expectSame(source)) count += 1;
  });
  fc.assert(property, runs(100_000));
  expect(count).toBeGreaterThan(1000);
});

const text = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.constantFrom(...pieces),
  fc
    .array(fc.constantFrom('x', ' x', '', '  y: z', '# c', '- a'), { maxLength: 5 })
    .map((lines) => lines.join('\n')),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
/** What `emitYaml` writes of an object; an empty text if it refuses the object. */
const written = fc.dictionary(text, value, { minKeys: 1, maxKeys: 4 }).map((object) => {
  try {
    return emitYaml([object]);
  } catch {
    return '';
  }
});

test('the fast reader reads what Tenantry writes', () => {
  const property = fc.property(written, (source) => {
    if (source === '' || source === '{}\n' || source.includes('__proto__')) return;
    // The full reader refuses some of it, such as integers beyond 2^53.
    if (!expectSame(source)) expect(readDocuments(source).documents).toEqual([]);
  });
  fc.assert(property, runs(6000));
});

test('an edit of what Tenantry writes changes both readers alike', () => {
  const edit = fc.tuple(
    fc.nat({ max: 200 }),
    fc.constantFrom(0, 0, 1, 3),
    fc.constantFrom(
      '',
      ' ',
      '  ',
      '\n',
      '\n  ',
      ': ',
      ':',
      '- ',
      '#',
      ' #',
      '"',
      "'",
      '|',
      '\\',
      '{',
      '[]',
      '&a ',
      '*a',
      '!',
      '?',
      '%',
      '...\n',
      'a: ',
    ),
  );
  let count = 0;
  const property = fc.property(
    written,
    fc.array(edit, { minLength: 1, maxLength: 3 }),
    (source, edits) => {
      const edited = edits.reduce((before, [place, length, added]) => {
        const at = place % (before.length + 1);
        return before.slice(0, at) + added + before.slice(at + length);
      }, source);
      // Another document is another chunk.
      if (!edited.includes('\n---') && edited.isWellFormed() && expectSame(edited)) count += 1;
    },
  );
  fc.assert(property, runs(20_000));
  expect(count).toBeGreaterThan(1000);
});

test('a Tenant in the usual form is read fast', () => {
  const source = `---
# of the payments team
apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata:
  name: payments

spec:
  description: |
    Takes payments.

      # not a comment
    Sends invoices.
  contact:
    channel: "#payments"  # read every day
    owner: 'payments@example.com'
  quota:
    hard:
      pods: 20
      requests.cpu: "4"
      # as agreed
      requests.memory: 8Gi
  access:
    admins:
      groups:
      - payments:admins
    roles:
      - preset: deployer
        serviceAccounts:
          - name: deployer
            namespace: payments
  network: {}
`;
  expect(readBlockStyle(source)?.value).toStrictEqual({
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name: 'payments' },
    spec: {
      description: 'Takes payments.\n\n  # not a comment\nSends invoices.\n',
      contact: { channel: '#payments', owner: 'payments@example.com' },
      quota: { hard: { pods: 20, 'requests.cpu': '4', 'requests.memory': '8Gi' } },
      access: {
        admins: { groups: ['payments:admins'] },
        roles: [
          { preset: 'deployer', serviceAccounts: [{ name: 'deployer', namespace: 'payments' }] },
        ],
      },
      network: {},
    },
  });
});

test.each([
  ['a tab', 'a:\tb'],
  ['a carriage return', 'a: b\r\n'],
  ['a text of several lines', 'a: b\n  c'],
  ['a folded block', 'a: >\n  b\n'],
  ['a literal block without a line break at its end', 'a: |\n  b'],
  ['an anchor', 'a: &x b'],
  ['the key __proto__', '__proto__: a'],
  ['a key that is there already', 'a: b\na: c'],
  ['an integer that is not exact', 'a: 99999999999999999'],
  ['a key in the wrong column', 'a:\n  b: c\n d: e'],
  ['half of a surrogate pair as an escape', 'a: "\\ud83d"'],
  ['nothing', '# nothing\n'],
])('%s is left to the full reader', (_what, source) => {
  expect(readBlockStyle(source)).toBeUndefined();
});
