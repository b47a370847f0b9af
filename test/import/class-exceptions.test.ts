import { expect, test } from '@jest/globals';
import { importManifests, type ImportResult } from '../../import/import-manifests.ts';

const namespace = (name: string, key: string): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name}, annotations: { example.com/${key}: x } }\n`;

/** Imports namespaces, each with an annotation. */
function importAnnotated(keys: readonly string[]): ImportResult {
  const files = keys.map((key, i) => ({ file: `${i}.yaml`, text: namespace(`team${i}`, key) }));
  const choices = { className: 'standard', cluster: 'eu1', pinned: new Map<string, string>() };
  const result = importManifests(files, choices);
  if (!('proof' in result)) throw new Error('the manifests must be readable');
  return result;
}

const verdicts = ({ proof }: ImportResult) => [...new Set(proof.objects.map((one) => one.verdict))];

test('tenants that need the same are in one exception', () => {
  const others = Array.from({ length: 30 }, () => 'common');
  const result = importAnnotated(['rare', 'rare', ...others]);
  const exceptions = result.fleet.classes.flatMap(({ spec }) => spec.exceptions ?? []);
  expect(exceptions.map(({ tenants, allow }) => [tenants, allow])).toEqual([
    [['team0', 'team1'], { annotations: [{ key: 'example.com/rare' }] }],
  ]);
  expect(verdicts(result)).toEqual(['equal']);
});

test('exceptions for which a class has no room are in classes that extend it', () => {
  const result = importAnnotated(Array.from({ length: 250 }, (_, i) => `key${i}`));
  const { classes, tenants } = result.fleet;
  expect(classes.map(({ name, spec }) => [name, spec.extends, spec.exceptions?.length])).toEqual([
    ['standard', undefined, 100],
    ['standard-2', 'standard', 100],
    ['standard-3', 'standard', 50],
  ]);
  const used = new Set(tenants.map(({ spec }) => spec.className));
  expect([...used].toSorted()).toEqual(['standard-2', 'standard-3', undefined]);
  expect(verdicts(result)).toEqual(['equal']);
  expect(result.proof.problems).toEqual([]);
  expect(result.files.map(({ path }) => path).filter((path) => path.startsWith('classes'))).toEqual(
    ['classes/standard.yaml', 'classes/standard-2.yaml', 'classes/standard-3.yaml'],
  );
});

test('a class that lists kinds of others also lists the kinds of Kubernetes that occur', () => {
  const inTeam = (i: number, apiVersion: string, kind: string): string =>
    `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: it, namespace: team${i} }\nspec: {}\n`;
  const teams = Array.from({ length: 10 }, (_, i) => {
    const own = `apiVersion: v1\nkind: Namespace\nmetadata: { name: team${i} }\n`;
    return own + inTeam(i, 'cert-manager.io/v1', 'Certificate');
  });
  const text = `${teams.join('---\n')}${inTeam(0, 'networking.k8s.io/v1', 'Ingress')}`;
  const choices = { className: 'standard', cluster: 'eu1', pinned: new Map<string, string>() };
  const result = importManifests([{ file: 'teams.yaml', text }], choices);
  if (!('proof' in result)) throw new Error('the manifests must be readable');
  expect(result.fleet.classes[0]!.spec.allow?.resources).toEqual([
    { group: 'cert-manager.io', kind: 'Certificate' },
    { group: 'networking.k8s.io', kind: 'Ingress' },
  ]);
  expect(verdicts(result)).toEqual(['equal']);
});

test('the class allows the names that Services have, of which exceptions allow none', () => {
  const named = (i: number, externalName: string): string =>
    `---\napiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: team }\nspec: { type: ExternalName, externalName: '${externalName}' }\n`;
  const own = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: team }\n';
  const names = ['db.example.com', 'web.other.svc.cluster.local', 'web.other.svc.cluster.local.'];
  const text = `${own}${names.map((name, i) => named(i, name)).join('')}`;
  const choices = { className: 'standard', cluster: 'eu1', pinned: new Map<string, string>() };
  const result = importManifests([{ file: 'team.yaml', text }], choices);
  if (!('proof' in result)) throw new Error('the manifests must be readable');
  expect(result.fleet.classes[0]!.spec.selfService).toEqual({
    services: { externalNames: ['web.other.svc.cluster.local', 'db.example.com'] },
  });
  expect(verdicts(result)).toEqual(['equal']);
  expect(result.fleet.leftOut).toEqual([]);
});

test('more external names than a class can list are joined to patterns of their domains', () => {
  const names = Array.from({ length: 240 }, (_, i) =>
    i % 2 === 0 ? `db${i}.rds.example.com` : `s${i}.zone${i % 10}.example.org`,
  );
  const inside = ['web.other.svc.cluster.local', 'api.other.svc.cluster.local'];
  const services = [...names, ...inside].map(
    (externalName, i) =>
      `---\napiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: team${i % 5} }\nspec: { type: ExternalName, externalName: ${externalName} }\n`,
  );
  const teams = Array.from(
    { length: 5 },
    (_, i) => `---\napiVersion: v1\nkind: Namespace\nmetadata: { name: team${i} }\n`,
  );
  const text = [...teams, ...services].join('');
  const choices = { className: 'standard', cluster: 'eu1', pinned: new Map<string, string>() };
  const result = importManifests([{ file: 'team.yaml', text }], choices);
  if (!('proof' in result)) throw new Error('the manifests must be readable');
  const listed = result.fleet.classes[0]!.spec.selfService?.services?.externalNames ?? [];
  expect(listed).toEqual(expect.arrayContaining([...inside, '*.rds.example.com']));
  expect(listed.length).toBeLessThanOrEqual(100);
  expect(result.fleet.leftOut).toEqual([]);
  expect(verdicts(result)).toEqual(['equal']);
});
