import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeRules } from '@tenantry/crd/compatibility';
import { tenantRules } from '../../model/findings/tenant-rules.ts';
import { readPage, readSection, root } from './pages.ts';

/** Folders whose findings have rules outside of `tenantRules`. */
const folders = [
  'model/argocd',
  'constructs',
  'apps',
  'cli',
  'synth',
  'packages/operator-kit/install',
  'packages/olm/live-cluster',
  'operator/settings',
  'packages/runtime/connection',
];
const files = [
  'crds/declarations.ts',
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  ),
];

const NAME = /'([a-z]{3,}(?:-[a-z]+)*)'/.source;
/** `rule: 'file-name'`, or the argument after a message in a call. */
const uses = [
  new RegExp(`\\brule: ${NAME}`, 'g'),
  new RegExp("(?:`|\\bmessage|'must [^'\\n]*'),\\s*" + NAME + '(?=\\s*[,)])', 'g'),
];

const used = new Set([
  ...tenantRules.map(({ id }) => id),
  ...files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return uses.flatMap((use) => [...text.matchAll(use)].map(([, name]) => name!));
  }),
]);
const { text } = readPage(join('docs', 'reference', 'rules.md'));
const rows = [...text.matchAll(/^\| `([a-z-]+)` +\| (\w+) +\| (\w+) +\| .+\|$/gm)];
const listed = rows.map(([, name]) => name!);

const submission = readPage(join('docs', 'reference', 'submission-rules.md')).text;
const ofSubmissions = new Set(
  [...submission.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name!),
);

test('every rule of the code is on the page, and every rule of the page is in the code', () => {
  const own = [...used].filter((name) => !ofSubmissions.has(name));
  expect(listed.toSorted()).toEqual(own.toSorted());
});

test('every rule has a place and a severity', () => {
  const places = rows.map(([, , place, severity]) => `${place} ${severity}`);
  const known = new Set([
    'schema error',
    'fleet error',
    'fleet warning',
    'source error',
    'source warning',
  ]);
  expect(places.filter((place) => !known.has(place))).toEqual([]);
});

test('the page of `crd diff` has exactly the rules for changes of definitions', () => {
  const [page = ''] = readSection(
    join('docs', 'crd-versions.md'),
    'Comparing CustomResourceDefinitions',
  ).text.split('#### Advice');
  const tables = page.slice(page.indexOf('| rule '));
  const cells = [...tables.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) /gm)].map(([, cell]) => cell!);
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name));
  expect(changeRules.toSorted()).toEqual(names.toSorted());
});
