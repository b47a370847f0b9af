import { expect, test } from '@jest/globals';
import { Chart, JsonPatch, Lazy, Testing } from 'cdk8s';
import { CustomResourceDefinition, customResource } from '../../constructs.ts';
import { define } from '../../define.ts';
import { crdManifest } from '../../definition.ts';
import { enumOf, integer, object, required, string } from '../../schema/language.ts';

const redis = define({
  group: 'cache.example.com',
  kind: 'Redis',
  plural: 'redises',
  scope: 'Namespaced',
  metadata: { annotations: { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' } },
  versions: {
    v1: {
      schema: object('A Redis cache.', {
        spec: required(
          object(
            'What it should be.',
            {
              replicas: integer('How many.', { minimum: 0, maximum: 9, default: 1 }),
              image: required(string('The image.', { maxLength: 200 })),
              mode: enumOf('How.', ['single', 'cluster']),
            },
            {
              rules: [
                {
                  rule: "!has(self.mode) || self.mode != 'cluster' || self.replicas >= 3",
                  message: 'must have 3 replicas or more as a cluster',
                },
              ],
            },
          ),
        ),
        status: object('What it is.', { ready: integer('How many are ready.') }),
      }),
    },
  },
});

class Redis extends customResource(redis, 'v1') {}

const chart = () => new Chart(Testing.app(), 'test', { disableResourceNameHashes: true });

test('an object of a kind is rendered with its apiVersion and kind', () => {
  const scope = chart();
  new Redis(scope, 'cache', {
    metadata: { namespace: 'shop' },
    spec: { image: 'redis:8', mode: 'single' },
  });
  expect(Testing.synth(scope)).toEqual([
    {
      apiVersion: 'cache.example.com/v1',
      kind: 'Redis',
      metadata: { name: 'test-cache', namespace: 'shop' },
      spec: { image: 'redis:8', mode: 'single' },
    },
  ]);
  expect(Redis.GVK).toEqual({ apiVersion: 'cache.example.com/v1', kind: 'Redis' });
});

test('the compiler rejects wrong fields', () => {
  const scope = chart();
  const wrong = [
    // @ts-expect-error image is required
    () => new Redis(scope, 'a', { spec: {} }),
    // @ts-expect-error unknown field
    () => new Redis(scope, 'b', { spec: { image: 'a', replica: 1 } }),
    // @ts-expect-error not a value of the enum
    () => new Redis(scope, 'c', { spec: { image: 'a', mode: 'both' } }),
    // @ts-expect-error spec is required
    () => new Redis(scope, 'd', {}),
    // @ts-expect-error props are required
    () => new Redis(scope, 'e'),
    // @ts-expect-error only a controller writes the status
    () => new Redis(scope, 'f', { spec: { image: 'a' }, status: { ready: 1 } }),
  ];
  expect(wrong).toHaveLength(6);
});

test('errors that the compiler cannot find are reported at synthesis, all at once', () => {
  const scope = chart();
  new Redis(scope, 'many', { spec: { image: 'redis:8', replicas: 10 } });
  new Redis(scope, 'cluster', { spec: { image: 'redis:8', mode: 'cluster' } });
  const patched = new Redis(scope, 'patched', { spec: { image: 'redis:8' } });
  patched.addJsonPatch(JsonPatch.add('/spec/imag', 'redis:9'));
  const lazy = Lazy.any({ produce: () => 11 }) as number;
  new Redis(scope, 'lazy', { spec: { image: 'redis:8', replicas: lazy } });
  expect(scope.node.findAll().flatMap((one) => one.node.validate())).toEqual([
    'spec.replicas must be a whole number of at least 0 and at most 9, got 10',
    'spec must have 3 replicas or more as a cluster',
    "spec.imag must be a known field, got 'imag'; did you mean 'image'?",
    'spec.replicas must be a whole number of at least 0 and at most 9, got 11',
  ]);
});

test('a CRD is pruned or deleted only after confirmation, as all its objects would be deleted', () => {
  const scope = chart();
  new CustomResourceDefinition(scope, 'asked', redis);
  new CustomResourceDefinition(scope, 'free', redis, { deletion: 'None' });
  const [asked, free] = Testing.synth(scope) as ReturnType<typeof crdManifest>[];
  expect(free).toEqual(crdManifest(redis));
  expect(asked!.metadata.annotations).toEqual({
    'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=confirm,Delete=confirm',
  });
});
