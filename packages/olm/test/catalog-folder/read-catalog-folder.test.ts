import { expect, test } from '@jest/globals';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatProblem } from '@tenantry/kube/problem';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { readCatalogFolder } from '../../catalog-folder/read-catalog-folder.ts';
import { inFolder, place } from '@tenantry/test-tools/synth/output/folders';
import { olmPackage, sound } from '../catalog/catalogs.ts';

const problemsIn = (folder: string): string[] =>
  readCatalogFolder(folder).problems.map((one) => formatProblem(one).replace(`${folder}/`, ''));

test(
  'a catalog is everything in a folder and below, whatever the names of the files',
  inFolder((folder) => {
    place(folder, {
      'redis/catalog.yaml': emitYaml(sound()),
      'valkey/anything': JSON.stringify(olmPackage({ name: 'valkey' })),
    });
    const { catalog, problems } = readCatalogFolder(folder);
    expect(problems).toEqual([]);
    expect(catalog.packages.map(({ name }) => name)).toEqual(['redis', 'valkey']);
  }),
);

test(
  'a missing folder, and a file in its place, are problems and do not throw',
  inFolder((folder) => {
    place(folder, { file: '' });
    const collectProblems = (path: string) => readCatalogFolder(path).problems.map(formatProblem);
    const absent = join(folder, 'absent');
    expect(collectProblems(absent)).toEqual([`${absent} must be a folder, got nothing`]);
    const file = join(folder, 'file');
    expect(collectProblems(file)).toEqual([`${file} must be a folder, got a file`]);
  }),
);

test(
  'files that .indexignore excludes are not read, and neither are links',
  inFolder((folder) => {
    place(folder, {
      'catalog.yaml': emitYaml(sound()),
      'README.md': '# Text: that is: no YAML\n',
      'OWNERS/a': 'x: [',
      '.indexignore': '*.md\nOWNERS/\nlink\n',
    });
    symlinkSync('/nowhere', join(folder, 'link'));
    expect(problemsIn(folder)).toEqual([]);
  }),
);

test(
  'links are not followed, and are reported',
  inFolder((folder) => {
    place(folder, { 'catalog.yaml': emitYaml(sound()) });
    symlinkSync('catalog.yaml', join(folder, 'link.yaml'));
    expect(problemsIn(folder)).toEqual([
      'link.yaml must be a file or a folder, got a link or something else; links are not followed',
    ]);
  }),
);

test(
  'bytes that are not text are reported with their file',
  inFolder((folder) => {
    writeFileSync(join(folder, 'junk'), Buffer.from([0x61, 0xff, 0xfe, 0x00]));
    const [problem] = problemsIn(folder);
    expect(problem).toMatch(/^junk:1:2 must be text in UTF-8, got the byte 0xFF/);
  }),
);

test(
  'an empty folder is not a catalog',
  inFolder((folder) => {
    expect(problemsIn(folder)).toEqual([
      expect.stringContaining('must contain a file of a catalog, got none'),
    ]);
  }),
);

test(
  'a bomb of aliases, and one of braces, are only errors',
  inFolder((folder) => {
    const levels = Array.from(
      { length: 20 },
      (_, i) => `a${i + 1}: &a${i + 1} [${'*a'.concat(`${i}, `).repeat(9)}]`,
    );
    place(folder, {
      'bomb.yaml': `a0: &a0 [x]\n${levels.join('\n')}\n`,
      'braces.json': '{"a":'.repeat(100_000),
    });
    const problems = problemsIn(folder);
    expect(problems.map((line) => line.split(':')[0]).toSorted()).toEqual([
      'bomb.yaml',
      'braces.json',
    ]);
  }),
);
