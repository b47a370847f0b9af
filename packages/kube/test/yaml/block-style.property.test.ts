import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readBlockStyle } from '../../yaml/block-style.ts';
import { readDocuments } from '../../yaml/read.ts';
import { emitYaml } from '../../yaml/write.ts';
import { runs } from './runs.ts';
import { anyCodePoint } from '../code-points.ts';

/** Generates values, in any key order, including those that JSON cannot express. */
function expectSame(value: unknown, source: string): void {
  const expected = whole(source);
  expect([value]).toEqual(expected);
  expect(JSON.stringify([value])).toBe(JSON.stringify(expected));
}

/** Reads a document with the full YAML reader: the tab in the added comment rules out block style. */
function whole(source: string): unknown {
  const { documents, problems } = readDocuments(`${source}\n#\t\n`);
  return problems.length > 0 ? problems : documents.map(({ value }) => value);
}

const pieces = [
  'a:¦b:¦a.b/c-d:¦yes:¦_:¦__proto__:¦constructor:¦k :¦"q":¦8:¦<<:¦-¦- ¦- -¦-  ¦? ¦: ¦---¦...',
  '#¦ #¦# c¦%¦&x¦*x¦!!str¦x¦x y¦x:y¦x: y¦x#y¦x #y¦-1¦-x¦0644¦1.5¦1e400¦.inf¦~¦no¦2026-01-01',
  '99999999999999999¦=¦<<¦(¦$¦@¦`¦é¦\u00a0¦\u{1f600}¦"x"¦"x: y"¦"\\n"¦"¦|¦>-¦ ¦  ¦\t¦\r',
  "'x'¦'x''y'¦''¦'¦{}¦[]¦{¦[a]",
].flatMap((some) => some.split('¦'));
const plain = fc.constantFrom('', '', 'x', 'x y', '1', '"x"');
const mixed = fc.array(fc.constantFrom(...pieces), { maxLength: 2 }).map((some) => some.join(' '));
const line = fc
  .tuple(
    fc.constantFrom(0, 0, 0, 2, 2, 2, 4, 1, 3),
    fc.constantFrom('', '', '', '- ', '-   '),
    fc.constantFrom('', 'a: ', 'b: ', 'c: ', 'd: ', 'a:', 'b:', 'yes: ', '__proto__: '),
    fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: mixed }),
  )
  .map(([indent, dash, key, rest]) => ' '.repeat(indent) + dash + key + rest);
const soup = fc
  .tuple(fc.constantFrom('', '', '---\n', '--- \n'), fc.array(line, { maxLength: 6 }))
  .map(([start, lines]) => start + lines.join('\n'));

test('a text that is read as block style has the value of the full YAML reader', () => {
  let taken = 0;
  fc.assert(
    fc.property(soup, (source) => {
      const read = readBlockStyle(source);
      if (!read) return;
      taken += 1;
      expectSame(read.value, source);
    }),
    runs(40_000),
  );
  expect(taken).toBeGreaterThan(1000);
});

test('so does YAML that Tenantry writes', () => {
  const text = fc.oneof(fc.string({ unit: anyCodePoint }), fc.constantFrom(...pieces));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(text, value, { minKeys: 1, maxKeys: 4 }), (object) => {
      let source: string;
      try {
        source = emitYaml([object]);
      } catch {
        return;
      }
      const read = readBlockStyle(source);
      if (read) expectSame(read.value, source);
    }),
    runs(6000),
  );
});

test('a Tenant in the usual form is block style', () => {
  const source = `---
# of the payments team
apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata:
  name: payments

spec:
  contact:
    channel: "#payments"
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
  ['a space at the end', 'a: b '],
  ['a carriage return', 'a: b\r\n'],
  ['a comment behind a value', 'a: b # c'],
  ['a text of several lines', 'a: b\n  c'],
  ['a block', 'a: |\n  b'],
  ['an anchor', 'a: &x b'],
  ['the key __proto__', '__proto__: a'],
  ['a key that is there already', 'a: b\na: c'],
  ['an integer that is not exact', 'a: 99999999999999999'],
  ['a key in the wrong column', 'a:\n  b: c\n d: e'],
  ['nothing', '# nothing\n'],
])('%s is left to the full YAML reader', (_what, source) => {
  expect(readBlockStyle(source)).toBeUndefined();
});
