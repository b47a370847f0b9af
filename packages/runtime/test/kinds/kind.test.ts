import { expect, test } from '@jest/globals';
import { builtinScope } from '@tenantry/kube/builtin-kinds';
import * as apps from '../../kinds/apps.ts';
import * as core from '../../kinds/core.ts';
import {
  apiVersionOf,
  keyOf,
  parseKey,
  resourceOf,
  kindOf,
  type FieldsOf,
  type Kind,
  type Live,
  type Written,
} from '../../kinds/kind.ts';
import { define } from '@tenantry/crd/define';
import { definitionOf, crdManifest } from '@tenantry/crd/definition';
import { integer, object, required, string } from '@tenantry/crd/schema/language';

test('an apiVersion and a resource are written as kubectl writes them', () => {
  expect([apiVersionOf(core.Pod), resourceOf(core.Pod)]).toEqual(['v1', 'pods']);
  expect([apiVersionOf(apps.Deployment), resourceOf(apps.Deployment)]).toEqual([
    'apps/v1',
    'deployments.apps',
  ]);
});

test('a key can be parsed into the name and the namespace', () => {
  for (const name of [{ name: 'a' }, { namespace: 'n', name: 'a.b' }]) {
    expect(parseKey(keyOf(name))).toEqual(name);
  }
});

test('kinds have the scope that Kubernetes gives them', () => {
  const isKind = (value: unknown): value is Kind => typeof value === 'object';
  const kinds = [...Object.values(core), ...Object.values(apps)].filter(isKind);
  expect(kinds.length).toBeGreaterThan(15);
  for (const { group, kind, scope } of kinds) {
    expect([kind, scope]).toEqual([kind, builtinScope(group, kind)]);
  }
});

/**
 * This test checks types: if a line that must not compile does, the type check of the repository fails, not the run.
 */
test('an object that was read cannot be changed, and a written one must have what its kind requires', () => {
  const read = (pod: Live<typeof core.Pod>, deployment: FieldsOf<typeof apps.Deployment>): void => {
    // @ts-expect-error -- a field of what was read
    pod.metadata.name = 'b';
    // @ts-expect-error -- however deep
    pod.spec!.containers[0]!.image = 'b';
    // @ts-expect-error -- not even a list grows
    pod.spec!.containers.push({ name: 'b' });
    // @ts-expect-error -- a Deployment has no phase
    void deployment.status?.phase;
  };
  const selector = { matchLabels: { app: 'a' } };
  const written: Written<typeof apps.Deployment> = {
    metadata: { name: 'a' },
    // @ts-expect-error -- a template is required
    spec: { selector },
  };
  expect([typeof read, written.metadata.name]).toEqual(['function', 'a']);
});

const definition = define({
  group: 'cache.example.com',
  kind: 'Redis',
  plural: 'redises',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A cache.', {
        spec: required(
          object('What it should be.', {
            image: required(string('The image.', { maxLength: 200, example: 'redis:8' })),
            replicas: integer('How many.', { minimum: 0, maximum: 9, default: 1 }),
          }),
        ),
      }),
    },
  },
});
const redises = kindOf(definition, 'v1');
type Redis = typeof redises;

test('the kind of a definition has the scope of its objects', () => {
  expect(redises).toEqual({
    group: 'cache.example.com',
    version: 'v1',
    kind: 'Redis',
    plural: 'redises',
    scope: 'Namespaced',
  });
});

test('a written object may leave out defaults, and a read object has them', () => {
  const written: Written<Redis> = { metadata: { name: 'a' }, spec: { image: 'redis:8' } };
  const replicasOf = (live: Live<Redis>): number => live.spec.replicas;
  const change = (live: Live<Redis>): void => {
    // @ts-expect-error who reads cannot write
    live.spec.replicas = 2;
  };
  // @ts-expect-error an image is required
  const lacking: Written<Redis> = { metadata: {}, spec: {} };
  expect([written, lacking, replicasOf, change]).toHaveLength(4);
});

test('the compiler distinguishes the kinds of definitions', () => {
  const sameFields = kindOf({ ...definition, kind: 'Valkey' as const }, 'v1');
  const name: 'Redis' = redises.kind;
  const group: 'cache.example.com' = redises.group;
  // @ts-expect-error it is another kind
  const other: Redis = sameFields;
  expect([name, group, other.kind]).toEqual(['Redis', 'cache.example.com', 'Valkey']);
});

test('the error for a missing version names the existing ones', () => {
  const read = definitionOf(crdManifest(definition));
  expect(() => kindOf(read, 'v2')).toThrow('The version of Redis must be one of v1, got v2');
});
