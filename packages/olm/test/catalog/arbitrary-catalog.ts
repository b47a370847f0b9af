import fc from 'fast-check';
import type { Json } from '@tenantry/kube/object';
import { olmBundle, olmChannel, olmPackage, type Blob } from './catalogs.ts';

const versions = ['1.0.0', '1.1.0', '1.1.1', '2.0.0'];
const names = versions.map((version) => `redis.v${version}`);

/** Generates a channel of some of the versions, in which the next version replaces or skips each. */
const channel = (name: string): fc.Arbitrary<Blob> =>
  fc
    .tuple(
      fc.subarray(names, { minLength: 1 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    )
    .map(([own, isSkipped]) => {
      const entries = own.map((entry, i) => {
        const before = own[i - 1];
        if (before === undefined) return { name: entry };
        return isSkipped[i]
          ? { name: entry, replaces: own[0]!, skips: own.slice(1, i) }
          : { name: entry, replaces: before };
      });
      return olmChannel(entries, { name });
    });

const deprecations: fc.Arbitrary<readonly Blob[]> = fc.constantFrom(
  [],
  [
    {
      schema: 'olm.deprecations',
      package: 'redis',
      entries: [
        { reference: { schema: 'olm.bundle', name: 'redis.v1.0.0' }, message: 'Old.' },
        { reference: { schema: 'olm.channel', name: 'stable' }, message: 'Old.' },
        { reference: { schema: 'olm.package' }, message: 'Old.' },
      ],
    },
  ],
);

/** Generates a catalog with all versions in one channel and some in another. */
const whole: fc.Arbitrary<Blob[]> = fc
  .tuple(channel('fast'), deprecations)
  .map(([fast, more]) => [
    olmPackage(),
    olmChannel(names.map((name, i) => ({ name, ...(i > 0 && { replaces: names[i - 1]! }) }))),
    fast,
    ...versions.map((version) =>
      olmBundle(version, { relatedImages: [{ name: 'redis', image: 'redis:8' }] }),
    ),
    ...more,
  ]);

/** Values that replace other values. */
const values: readonly Json[] = [
  '',
  'redis',
  'stable',
  'fast',
  'redis.v1.0.0',
  'redis.v2.0.0',
  'redis.v9.0.0',
  '1.0.0',
  'x y',
  'Redis',
  '>=1.0.0',
  'olm.package',
  'olm.bundle',
  1,
  true,
  null,
  [],
  {},
  ['redis.v1.1.0'],
  [null],
];

interface Change {
  readonly at: number;
  readonly to: Json | undefined;
  readonly kind: 'set' | 'remove' | 'repeat' | 'recase';
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 10_000 }),
  to: fc.constantFrom(...values),
  kind: fc.constantFrom('set', 'set', 'set', 'remove', 'repeat', 'recase'),
});

/** A place in a catalog: a field of a mapping, or an item of a list. */
interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

function placesIn(value: unknown): Place[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, key) => [{ holder: value, key }, ...placesIn(item)]);
  }
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

function apply(blobs: unknown[], { at, to, kind }: Change): void {
  const places = placesIn(blobs).filter(({ holder }) => kind !== 'repeat' || Array.isArray(holder));
  const place = places[at % Math.max(1, places.length)];
  if (!place) return;
  const { holder, key } = place;
  if (Array.isArray(holder)) {
    // An entry that is not an object is not part of a catalog; other tests cover it.
    if (kind === 'remove') holder.splice(Number(key), 1);
    else if (kind === 'repeat') holder.splice(Number(key), 0, structuredClone(holder[Number(key)]));
    else if (holder !== blobs) holder[Number(key)] = to;
    return;
  }
  const value = holder[key];
  if (kind === 'set') holder[key] = to;
  else delete holder[key];
  if (kind === 'recase') holder[String(key).toUpperCase()] = value;
}

/** Generates catalogs with up to three errors. */
export const arbitraryCatalog: fc.Arbitrary<Blob[]> = fc
  .tuple(whole, fc.array(change, { maxLength: 3 }))
  .map(([blobs, changes]) => {
    const changed: Blob[] = structuredClone(blobs);
    for (const one of changes) apply(changed, one);
    return changed;
  });
