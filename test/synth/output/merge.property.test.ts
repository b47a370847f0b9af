import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isGenerated, listGenerated } from '../../../synth/output/survey.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { filesOf, inFolder, write, type Texts } from './folders.ts';

/** Git without the configuration of anybody. */
function git(
  cwd: string,
  ...words: string[]
): { readonly code: number | null; readonly out: string } {
  const person = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'gc.auto=0'];
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'true',
  };
  const { status, stdout } = spawnSync('git', [...person, ...words], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout };
}

/** As alike as manifests of two tenants are, so that Git sees a removed and a new one as renamed. */
const textOf = (path: string, version: number): string =>
  `${'kind: Namespace\n'.repeat(8)}name: ${path}\nversion: ${version}\n`;

const textsOf = (versions: ReadonlyMap<string, number>): Texts =>
  Object.fromEntries([...versions].map(([path, version]) => [path, textOf(path, version)]));

/** Renders to the output of a repository, and commits. */
function commit(folder: string, versions: ReadonlyMap<string, number>): void {
  write(join(folder, 'dist'), textsOf(versions));
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'rendered');
}

function begin(folder: string, versions: ReadonlyMap<string, number>): void {
  git(folder, 'init', '-q', '-b', 'one', '.');
  commit(folder, versions);
  git(folder, 'branch', 'two');
}

const beginsWithConflict = (file: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').startsWith('<<<<<<<');

/** The paths that cannot be merged, in the working tree. */
const conflicts = (folder: string): string[] =>
  git(folder, 'diff', '--name-only', '--diff-filter=U').out.split('\n').filter(Boolean);

const combine = {
  merge: ['merge', '-q', '--no-edit', 'two'],
  rebase: ['rebase', '-q', 'two'],
} as const;

test.each(Object.entries(combine))(
  'two branches that add neighbours, and one that removes what lies between them, %s cleanly',
  (_, words) =>
    inFolder((folder) => {
      const tenant = (name: string): readonly [string, number] => [
        `clusters/eu1/tenants/${name}/tenant.yaml`,
        1,
      ];
      const before = ['a', 'm', 'z'].map(tenant);
      begin(folder, new Map(before));
      commit(folder, new Map([...before, tenant('ma'), ['top-b.yaml', 1]]));
      git(folder, 'checkout', '-q', 'two');
      commit(folder, new Map([tenant('a'), tenant('mb'), tenant('z'), ['top-a.yaml', 1]]));
      git(folder, 'checkout', '-q', 'one');
      expect(git(folder, ...words)).toMatchObject({ code: 0 });
      const merged = new Map(['a', 'ma', 'mb', 'z'].map(tenant));
      const both = textsOf(merged.set('top-a.yaml', 1).set('top-b.yaml', 1));
      const compared = write(join(folder, 'dist'), both, { mode: 'compare', sealed: ['clusters'] });
      expect(compared).toMatchObject({ written: [], removed: [], unexpected: [] });
    })(),
);

const path = fc
  .tuple(fc.constantFrom('', 'x/', 'y/', 'x/deep/'), fc.constantFrom('a', 'b', 'c'))
  .map((parts) => `${parts.join('')}.yaml`);
const versions = fc.uniqueArray(fc.tuple(path, fc.constantFrom(1, 2)), {
  maxLength: 8,
  selector: ([path]) => path,
});

test('wherever Git merges the files, each of them is generated at its own path', () => {
  let [clean, conflicting] = [0, 0];
  fc.assert(
    fc.property(
      versions,
      versions,
      versions,
      fc.constantFrom(...Object.values(combine)),
      (before, one, two, words) =>
        inFolder((folder) => {
          begin(folder, new Map(before));
          commit(folder, new Map(one));
          git(folder, 'checkout', '-q', 'two');
          commit(folder, new Map(two));
          git(folder, 'checkout', '-q', 'one');
          git(folder, ...words);
          const paths = conflicts(folder);
          // Either side of a conflict is generated: the next run replaces the file.
          for (const path of paths.filter((path) => beginsWithConflict(join(folder, path)))) {
            const inside = path.replace(/^dist\//, '');
            expect([path, isGenerated(join(folder, 'dist'), inside)]).toEqual([path, true]);
          }
          if (paths.length > 0) {
            conflicting += 1;
            return;
          }
          clean += 1;
          const dist = join(folder, 'dist');
          // Git keeps no folder without files.
          const there = existsSync(dist) ? Object.keys(filesOf(dist)) : [];
          expect(listGenerated(dist)).toEqual(there.toSorted());
        })(),
    ),
    runs(32),
  );
  expect(Math.min(clean, conflicting)).toBeGreaterThan(3);
});
