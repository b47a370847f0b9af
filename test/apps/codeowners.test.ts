import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ownersProblems, ownersRules, ownersText, type Repository } from '../../apps/codeowners.ts';
import { findFolder, resolveDelegation, findConflictingFolder } from '../../model/delegation.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const repository: Repository = {
  tenants: 'our tenants',
  platform: 'tenantry.yaml',
  out: 'dist',
  crdFiles: ['our tenants/a/crds'],
};

/**
 * Returns the owners of a file according to the documentation of GitHub. The last line with a
 * matching pattern applies, and patterns are those of .gitignore. With a slash at its start or
 * inside, a pattern is relative to the root. With one at its end, it matches a folder and
 * everything in it. Source:
 * https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
 */
function ownersOf(codeowners: string, file: string): string[] | undefined {
  const lines = codeowners.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.findLast((line) => matches(line.split(/(?<!\\) +/)[0]!, file));
  return last?.split(/(?<!\\) +/).slice(1);
}

function matches(pattern: string, file: string): boolean {
  const names = pattern.replaceAll('\\ ', ' ').replace(/\/$/, '').split('/');
  const isFolder = pattern.endsWith('/');
  const isRooted = pattern.replace(/\/$/, '').includes('/');
  const wanted = isRooted ? names.filter((name, i) => i > 0 || name !== '') : names;
  const path = file.split('/');
  const starts = isRooted ? [0] : path.map((_, i) => i);
  return starts.some((start) => {
    const end = start + wanted.length;
    const fits = wanted.every((name, i) => {
      const letters = [...name].map((c) => (c === '*' ? '.*' : c.replace(/\W/, '\\$&'))).join('');
      return (
        path[start + i] !== undefined && new RegExp(`^${letters}$`, 's').test(path[start + i]!)
      );
    });
    return fits && (isFolder ? path.length > end : path.length >= end);
  });
}

const name = fc.constantFrom('a', 'b', 'c', 'crds');
const owners = fc.option(fc.constantFrom(['@org/one'], ['@org/two', '@three']), { nil: undefined });
const tables = fc
  .uniqueArray(fc.tuple(fc.array(fc.oneof(name, fc.constant('*')), { maxLength: 3 }), owners), {
    maxLength: 7,
    selector: ([names]) => names.join('/'),
  })
  .map((rows) =>
    rows.map(([names, owned]) => ({
      folder: names.join('/') || '.',
      ...(owned && { owners: owned }),
    })),
  )
  .filter((folders) => folders.every((_, i) => !findConflictingFolder({ folders }, i)))
  .map((folders) =>
    resolveDelegation({ ...(folders.length > 0 && { folders }), owners: ['@org/platform'] }),
  );
const below = fc
  .tuple(fc.array(fc.oneof(name, fc.constant('.x y')), { maxLength: 4 }), name)
  .map(([names, last]) => [...names, `${last}.yaml`].join('/'));

test('CODEOWNERS assigns every declaration to the owners of its folder in the table', () => {
  fc.assert(
    fc.property(tables, below, (delegation, path) => {
      const text = ownersText(ownersRules({ delegation }, repository, 'github'), 'github', 'x');
      const expectedOwners = findFolder(delegation, path)?.row.owners ?? delegation.owners;
      const isCrd = path.startsWith('a/crds/');
      expect(ownersOf(text, `our tenants/${path}`)).toEqual(
        isCrd ? delegation.owners : expectedOwners,
      );
    }),
    runs(1000),
  );
});

const steering = [
  'tenantry.yaml',
  'cdk8s.yaml',
  'package.json',
  'package-lock.json',
  '.github/CODEOWNERS',
  '.github/workflows/check.yaml',
  'apps/main.ts',
  'our tenants/classes/standard.yaml',
  'our tenants/resources/ca.yaml',
  'dist/clusters/eu1/policies/tenant-guard.yaml',
  'dist/clusters/eu1/tenantclasses/standard.yaml',
  'dist/README.md',
  'our tenants',
  'our tenants2/a/x.yaml',
  'else/our tenants/a/x.yaml',
];

test.each(steering)('%s belongs to the platform, even in a folder with other owners', (file) => {
  const delegation = resolveDelegation({
    owners: ['@org/platform'],
    folders: [{ folder: 'a', owners: ['@org/a'] }],
  });
  const github = ownersText(ownersRules({ delegation }, repository, 'github'), 'github', 'x');
  expect(ownersOf(github, file)).toEqual(['@org/platform']);
  expect(ownersOf(github, 'our tenants/a/x.yaml')).toEqual(['@org/a']);
  for (const rendered of [
    'dist/clusters/eu1/tenants/a/tenant.yaml',
    'dist/argocd/projects/eu1/a.yaml',
  ]) {
    expect(ownersOf(github, rendered)).toEqual([]);
  }
});

test('the GitLab file marks paths without owners in its own syntax', () => {
  const delegation = resolveDelegation({ owners: ['@org/sub/platform'] });
  expect(ownersText(ownersRules({ delegation }, repository, 'gitlab'), 'gitlab', 'x.yaml')).toBe(
    [
      '# Written by `tenantry tenant codeowners --for gitlab` from spec.delegation of',
      '# x.yaml: change it there.',
      '* @org/sub/platform',
      '!/dist/clusters/*/tenants/',
      '!/dist/argocd/projects/',
      '/our\\ tenants/ @org/sub/platform',
      '/our\\ tenants/classes/ @org/sub/platform',
      '/tenantry.yaml @org/sub/platform',
      '/cdk8s.yaml @org/sub/platform',
      '/package.json @org/sub/platform',
      '/package-lock.json @org/sub/platform',
      '/.gitlab-ci.yml @org/sub/platform',
      '/.gitlab/ @org/sub/platform',
      '/CODEOWNERS @org/sub/platform',
      '/our\\ tenants/a/crds/ @org/sub/platform',
      '',
    ].join('\n'),
  );
});

test('an owner or a path that the forge would misread is refused', () => {
  const validateOwner = (
    owner: string,
    forge: 'github' | 'gitlab',
    more: Partial<Repository> = {},
  ) =>
    ownersProblems(
      { delegation: resolveDelegation({ owners: [owner] }) },
      { ...repository, ...more },
      forge,
    ).map(({ path, message }) => `${path} ${message}`);
  expect(validateOwner('@org/team', 'github')).toEqual([]);
  expect(validateOwner('a@example.com', 'github')).toEqual([]);
  expect(validateOwner('@org/sub/team', 'gitlab')).toEqual([]);
  expect(validateOwner('@org/sub/team', 'github')).toEqual([
    "spec.delegation.owners[0] must be '@user', '@organization/team' or an email address for GitHub, got '@org/sub/team'",
  ]);
  expect(validateOwner('@org', 'github', { tenants: '../tenants' })).toEqual([
    expect.stringContaining("must be in the repository, with all that it names, got '../tenants'"),
  ]);
  expect(validateOwner('@org', 'github', { tenants: '.' })).toEqual([
    expect.stringContaining('must have a folder of tenants, got the whole repository'),
  ]);
  for (const tenants of ['te*', 'te[n]', 'te\nnants', '#t', '!t', 't\\n']) {
    expect(validateOwner('@org', 'github', { tenants })).toEqual([
      expect.stringContaining('must name paths'),
    ]);
  }
  const nobody = ownersProblems({ delegation: resolveDelegation() }, repository, 'github');
  expect(nobody.map(({ message }) => message)).toEqual([
    'must name the owners of the platform, got none',
  ]);
});
