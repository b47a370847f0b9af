import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { conversions, type Conversions } from '../conversion/conversions.ts';
import { define } from '../define.ts';
import { type Schemas } from '../definition.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { integer, list, object, required, string } from '../schema/language.ts';
import { roundTrip, RoundTripError, type RoundTripOptions } from '../testing.ts';
import { redis, redisConversions } from './conversion/redis.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const runsOf = ({ seed, numRuns }: { seed: number; numRuns: number }) => ({ seed, runs: numRuns });

test('a kind that keeps unrepresentable fields loses nothing in any version', () => {
  roundTrip(redisConversions, runsOf(runs(100)));
});

const replicas = (options: object = {}) =>
  required(integer('How many.', { minimum: 1, ...options }));

const shop = define({
  group: 'example.com',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
  versions: {
    v1: {
      storage: true,
      schema: object('A shop.', {
        spec: required(
          object('What it should be.', {
            replicas: replicas(),
            names: list('Its names.', string('A name.')),
            owner: string('Whose it is.'),
          }),
        ),
      }),
    },
    v1beta1: {
      schema: object('A shop.', {
        spec: required(
          object('What it should be.', {
            size: required(integer('How many.', { minimum: 1, maximum: 20 })),
            name: string('Its name.'),
          }),
        ),
      }),
    },
  },
});

type Older = { size: number; name?: string };

function collectErrors<S extends Schemas, Hub extends keyof S>(
  given: Conversions<S, Hub>,
  options: RoundTripOptions<keyof S & string> = { runs: 60 },
): string[] {
  try {
    roundTrip(given, options);
  } catch (error) {
    if (error instanceof RoundTripError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const toHub = ({ spec: { size, name } }: { spec: Older }) => ({
  spec: { replicas: size, ...(name !== undefined && { names: [name] }) },
});

test('a forgotten field is named, with the smallest object that shows it', () => {
  const forgetful = conversions(shop, 'v1', {
    v1beta1: {
      toHub: ({ spec: { name } }) => ({
        spec: { replicas: 1, ...(name !== undefined && { names: [name] }) },
      }),
      fromHub: ({ spec: { names: [name] = [] as readonly string[] } }) => ({
        spec: { size: 1, ...(name !== undefined && { name }) },
      }),
      keep: ['spec.names', 'spec.owner'],
    },
  });
  const lines = collectErrors(forgetful);
  expect(lines.slice(0, 2)).toEqual([
    'spec.replicas must survive v1 -> v1beta1 -> v1, got 1, it was 2; nothing of it was kept',
    'The smallest object found (seed 20260101), as v1:',
  ]);
  const [object, older] = lines.slice(2).join('').split('as v1beta1:');
  expect(JSON.parse(object!)).toMatchObject({ metadata: { name: 'a' }, spec: { replicas: 2 } });
  expect(JSON.parse(older!)).toMatchObject({ spec: { size: 1 } });
});

/** Objects without the fields that only v1 has, to see one loss alone. */
const small: fc.Arbitrary<KubeObject> = fc.integer({ min: 1, max: 20 }).map((replicas) => ({
  apiVersion: 'example.com/v1',
  kind: 'Shop',
  metadata: { name: 'a', namespace: 'b' },
  spec: { replicas },
}));

test('a field that the other version cannot represent is named', () => {
  const narrow = conversions(shop, 'v1', {
    v1beta1: {
      toHub,
      fromHub: ({ spec: { replicas, names = [] } }) => ({
        spec: { size: Math.min(20, replicas), ...(names[0] !== undefined && { name: names[0] }) },
      }),
    },
  });
  const owned = small.map((one) => ({ ...one, spec: { replicas: 1, owner: 'me' } }));
  expect(collectErrors(narrow, { runs: 60, objects: { v1: owned } })[0]).toBe(
    'spec.owner must survive v1 -> v1beta1 -> v1, got nothing; nothing of it was kept',
  );
  const several = small.map((one) => ({ ...one, spec: { replicas: 1, names: ['a', 'b'] } }));
  expect(collectErrors(narrow, { runs: 60, objects: { v1: several } })[0]).toBe(
    'spec.names must survive v1 -> v1beta1 -> v1, got ["a"], it was ["a","b"]; nothing of it was kept',
  );
});

test('a loss between two older versions is found', () => {
  const { v1beta1, v1alpha1 } = redisConversions.spokes;
  const given = conversions(redis, 'v1', {
    v1beta1,
    v1alpha1: { ...v1alpha1, keep: ['spec.port'] },
  });
  const options = { versions: ['v1beta1', 'v1alpha1'], runs: 60 } as const;
  expect(collectErrors(given, options)[0]).toMatch(
    /^spec\.(image|settings|ports)\S* must survive v1beta1 -> v1alpha1 -> v1beta1, got nothing|^status /,
  );
});

const paired = define({
  group: 'example.com',
  kind: 'Pair',
  plural: 'pairs',
  scope: 'Namespaced',
  versions: {
    v1: {
      storage: true,
      schema: object(
        'A pair.',
        {
          left: string('', { maxLength: 9 }),
          right: string('', { maxLength: 9 }),
          kind: string('', { maxLength: 9 }),
          size: integer(''),
        },
        {
          rules: [{ rule: 'has(self.left) == has(self.right)', message: 'must have both or none' }],
          atMostOneOf: ['left', 'kind'],
        },
      ),
    },
    v1beta1: { schema: object('A pair.', { size: integer('') }) },
  },
});
const sized = <T extends { size?: number }>({ size }: T) => ({
  ...(size !== undefined && { size }),
});
const pairs = conversions(paired, 'v1', {
  v1beta1: { toHub: sized, fromHub: sized, keep: 'everything' },
});

test('fields that are only valid together survive together', () => {
  roundTrip(pairs, runsOf(runs(100)));
});

test('a kept field that is not restored is reported with the reason', () => {
  const object = (fields: object): fc.Arbitrary<KubeObject> =>
    fc.constant({
      apiVersion: 'example.com/v1',
      kind: 'Pair',
      metadata: { name: 'a', namespace: 'b' },
      ...fields,
    });
  const half = { runs: 1, versions: ['v1', 'v1beta1'] } as const;
  expect(collectErrors(pairs, { ...half, objects: { v1: object({ left: 'a' }) } })[0]).toBe(
    'left must survive v1 -> v1beta1 -> v1, got nothing; it was kept, and not put back, because v1 refuses it: must have both or none',
  );
  let asked = 0;
  const moody = conversions(paired, 'v1', {
    v1beta1: {
      toHub: () => ({ size: asked++ }),
      fromHub: () => ({}),
      keep: 'everything',
    },
  });
  expect(collectErrors(moody, { ...half, objects: { v1: object({ size: 9 }) } })[0]).toMatch(
    /^size must survive .*; it was kept, and not put back, because the conversion made \d of it before, and no longer does$/,
  );
});

test('a field that a conversion adds is named', () => {
  const adding = conversions(shop, 'v1', {
    v1beta1: {
      toHub,
      fromHub: ({ spec: { replicas, names = ['none'] } }) => ({
        spec: { size: replicas, name: names[0]! },
      }),
      keep: ['spec.names', 'spec.owner', 'spec.name'],
    },
  });
  expect(collectErrors(adding, { runs: 60, objects: { v1: small } })).toEqual([]);
  const bare = conversions(shop, 'v1', { v1beta1: { ...adding.spokes.v1beta1, keep: [] } });
  expect(collectErrors(bare, { runs: 60, objects: { v1: small } })[0]).toBe(
    'spec.names must stay absent on the way v1 -> v1beta1 -> v1, got ["none"]; nothing of it was kept',
  );
});

test('a field that the version between does not declare is lost, because the API server prunes it', () => {
  const careless = conversions(shop, 'v1', {
    v1beta1: {
      toHub: ({ spec }) => ({ spec: { ...(spec as object), replicas: spec.size } }),
      fromHub: ({ spec }) => ({ spec: { ...(spec as object), size: spec.replicas } }),
    },
  });
  const owned = small.map((one) => ({ ...one, spec: { replicas: 1, owner: 'me' } }));
  expect(collectErrors(careless, { runs: 60, objects: { v1: owned } })[0]).toBe(
    'spec.owner must survive v1 -> v1beta1 -> v1, got nothing; nothing of it was kept',
  );
});

test('a value that only one version allows is reported', () => {
  const wide = conversions(shop, 'v1', {
    v1beta1: {
      toHub,
      fromHub: ({ spec: { replicas } }) => ({ spec: { size: replicas } }),
      keep: 'everything',
    },
  });
  const [line] = collectErrors(wide);
  expect(line).toMatch(/^spec\.size must be .* 20.*, got 21: what v1 allows, v1beta1 does not$/);
});

test('a conversion that throws is reported', () => {
  const broken = conversions(shop, 'v1', {
    v1beta1: {
      toHub,
      fromHub: () => {
        throw new RangeError('out of range');
      },
    },
  });
  expect(collectErrors(broken)[0]).toMatch(
    /^Shop a\/a from v1 to v1beta1 must be convertible, got an error: out of range$/,
  );
});

test('a version that is not selected is not converted', () => {
  const throwing = (): never => {
    throw new Error('asked');
  };
  const given = conversions(shop, 'v1', { v1beta1: { toHub: throwing, fromHub: throwing } });
  expect(collectErrors(given, { versions: ['v1'] })).toEqual([]);
});
