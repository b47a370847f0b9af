import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decidingKeys } from '../../operator/drift/undeclared-metadata.ts';
import { root } from './pages.ts';

const page = readFileSync(join(root, 'docs/operator.md'), 'utf8');

test('docs/operator.md has all deciding keys of Namespaces, by program and with a source', () => {
  const keysIn = (cell = ''): readonly string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, key]) => key!);
  const rows = [...page.matchAll(/^\| \[([^\]]+)\]\((\S+)\) +\|(.*)\|(.*)\|$/gm)].map(
    ([, program, source, labels, annotations]) => [
      program,
      source,
      keysIn(labels),
      keysIn(annotations),
    ],
  );
  expect(rows).toEqual(
    decidingKeys.map(({ program, source, labels = [], annotations = [] }) => [
      program,
      source.split(', ')[0],
      labels,
      annotations,
    ]),
  );
});
