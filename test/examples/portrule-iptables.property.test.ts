import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { portRule } from '../../examples/portrule/definition.ts';
import { lineOf, rulesOf, type OpenPort } from '../../examples/portrule/host.ts';
import { compileSchema } from '@tenantry/crd/schema/validator';
import { readPage } from '../docs/pages.ts';
import { restoredTables } from './restored-rules.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyCodePoint } from '@tenantry/kube/test/code-points';

/** Any text that JSON can hold, and texts that could end a comment, a quotation or a line. */
const text = fc.oneof(
  fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 20 }),
  fc.stringMatching(/^[\n\r"\\%'# -]{1,20}$/),
  fc.constantFrom(
    '"\n-A INPUT -j ACCEPT',
    '\\',
    '%22',
    'a" -j DROP --comment "b',
    '\nCOMMIT\n*nat',
  ),
);

const openPorts = fc.uniqueArray(
  fc.record({
    name: text,
    port: fc.integer({ min: 1, max: 65_535 }),
    isPermanent: fc.boolean(),
  }),
  { selector: ({ port }) => port, maxLength: 20 },
);

const byPort = (one: OpenPort, other: OpenPort): number => one.port - other.port;

test('only the ports are loaded from the text, whatever the ports and the host are called', () => {
  fc.assert(
    fc.property(text, openPorts, (host, ports) => {
      const tables = restoredTables(rulesOf(host, ports));
      const loaded = tables.flatMap(({ rules }) =>
        rules.map(({ chain, port, comment }) => ({
          name: decodeURIComponent(comment),
          port,
          isPermanent: chain === 'PORTS-PERMANENT',
        })),
      );
      expect(loaded).toEqual(ports.toSorted(byPort));
      expect(tables.map(({ table, chains }) => [table, ...chains])).toEqual([
        ['filter', 'PORTS-PERMANENT', 'PORTS-RUNTIME'],
      ]);
    }),
    runs(100),
  );
});

test('each port is one line of the text, whatever the order of the ports', () => {
  fc.assert(
    fc.property(openPorts, fc.infiniteStream(fc.nat()), (ports, numbers) => {
      const shuffled = ports
        .map((port) => ({ port, at: Number(numbers.next().value) }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ port }) => port);
      const written = rulesOf('node-1', ports);
      expect(rulesOf('node-1', shuffled)).toBe(written);
      const lines = written.split('\n').filter((line) => line.startsWith('-A '));
      expect(lines).toEqual(ports.toSorted(byPort).map(lineOf));
    }),
    runs(100),
  );
});

test('the text in the README is the text for two ports', () => {
  const { blocks } = readPage(join('examples', 'portrule', 'README.md'));
  const ports = [
    { name: 'Redis of the shop', port: 6379, isPermanent: true },
    { name: 'a "test"', port: 80, isPermanent: false },
  ];
  const shown = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
  expect(shown).toEqual([rulesOf('node-1', ports)]);
});

const validator = compileSchema(portRule.versions.v1.schema);
const portOf = (name: string) => ({ name, port: 80, isPermanent: false });
const isTaken = (name: string): boolean =>
  validator.accepts({ spec: { ...portOf(name), host: 'node-1' } });

test('every name that the definition accepts fits into a comment', () => {
  const unit = fc.constantFrom('grapheme' as const, 'grapheme-ascii' as const, 'binary' as const);
  const name = unit.chain((unit) =>
    fc.oneof(
      fc.string({ unit, minLength: 1, maxLength: 60 }),
      fc.string({ unit, minLength: 1, maxLength: 1 }).map((one) => one.repeat(60)),
    ),
  );
  let taken = 0;
  fc.assert(
    fc.property(name, (name) => {
      if (!isTaken(name)) return;
      taken += 1;
      const [table] = restoredTables(rulesOf('node-1', [portOf(name)]));
      expect(table?.rules).toHaveLength(1);
    }),
    runs(300),
  );
  expect(taken).toBeGreaterThan(30);
  const long = ['\u{20000}', '"', '%'].map((one) => isTaken(one.repeat(60)));
  expect(long).toEqual([true, true, true]);
  expect(isTaken('a'.repeat(61))).toBe(false);
});

test.each(['', '\n', '\t', '\u0000', '\u007f', '\u0085', '\u00a0', '\u200b', '\u2028', '\u202e'])(
  'the definition does not accept the name %j',
  (name) => {
    expect(isTaken(name)).toBe(false);
  },
);

/** This test runs where `iptables-restore` accepts an empty text, because it needs the right to query the kernel. */
const { error, status } = spawnSync('iptables-restore', ['--test'], { input: '' });
const sentence = 'the real iptables-restore accepts the text, whatever the ports are called';
const [real, title] =
  error || status !== 0
    ? [test.skip, `${sentence} [skipped: no iptables-restore that may ask the kernel]`]
    : [test, sentence];

real(title, () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (names) => {
      const ports = names.map((name, i) => ({ name, port: i + 1, isPermanent: i % 2 === 0 }));
      const options = { input: rulesOf('node-1', ports), encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync('iptables-restore', ['--test', '--noflush'], options);
      expect([status, stderr]).toEqual([0, '']);
    }),
    runs(20),
  );
});
