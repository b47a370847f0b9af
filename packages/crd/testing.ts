/** Property tests of definitions and conversions, with fast-check. */
import fc from 'fast-check';
import { formatKeptPath, readKept, removeKeptAnnotation } from './conversion/kept-annotation.ts';
import {
  convertWithKeptFields,
  convertObject,
  ConversionError,
  type ConversionResult,
} from './conversion/convert.ts';
import type { Conversions } from './conversion/conversions.ts';
import { findLostFields, type KeptField, type UnrestoredField } from './conversion/kept-fields.ts';
import {
  listVersions,
  type Schemas,
  type Version,
  getVersion,
  type Definition,
} from './definition.ts';
import type { Json, KubeObject } from '@tenantry/kube/object';
import { formatFinding } from '@tenantry/kube/finding';
import { show } from '@tenantry/kube/problem';
import { applyDefaults, pruneValue } from './schema/admission.ts';
import { compileSchema } from './schema/validator.ts';
import { wholeObject } from './sample-object.ts';
import { arbitraryValue } from './schema/arbitrary.ts';

/** Which objects are tried, and how many. */
export interface RoundTripOptions<V extends string = string> {
  /** The number of objects for each pair of versions. @default 100 */
  readonly runs?: number;
  /** The seed of the random objects; the same seed gives the same objects. @default - a constant */
  readonly seed?: number;
  /** @default - all versions of the kind */
  readonly versions?: readonly V[];
  /** The objects to start from, by version. @default - generated from the schema */
  readonly objects?: { readonly [N in V]?: fc.Arbitrary<KubeObject> };
}

/** An object loses data on the way to another version and back. */
export class RoundTripError extends Error {
  /** The smallest failing object that was found. */
  readonly object: KubeObject;

  constructor(message: string, object: KubeObject) {
    super(message);
    this.name = 'RoundTripError';
    this.object = object;
  }
}

/** The failures of an object, one per line. */
type Failures = readonly string[];

/**
 * Tests that every object of every version survives the way to each other version and back without
 * loss. The deprecation policy requires this of served versions.
 *
 * As in the API server, undeclared fields are pruned in the version between, and defaults are
 * filled in. The object must also be valid there, because clients of that version must be able to
 * write it back.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/deprecation-policy/ (rule 2)
 *
 * @example
 * ```ts
 * import { roundTrip } from '@tenantry/testing';
 * import { boxConversions } from './box.ts';
 *
 * roundTrip(boxConversions, { runs: 20 });
 * ```
 *
 * @throws {RoundTripError} with the fields that are lost, why what was kept did not bring them back,
 * and the smallest object that shows it
 */
export function roundTrip<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  options: RoundTripOptions<keyof S & string> = {},
): void {
  const { definition } = conversions;
  const { runs: numRuns = 100, seed = 20_260_101 } = options;
  const versions = listVersions(definition as unknown as Conversions['definition']).filter(
    ({ name }) => options.versions?.includes(name) ?? true,
  );
  for (const from of versions) {
    const objects = options.objects?.[from.name as keyof S & string];
    const values = objects ?? arbitraryObject(definition, from.name as keyof S & string);
    for (const to of versions) {
      if (from === to) continue;
      const judge = (object: KubeObject): Failures => checkRoundTrip(conversions, object, from, to);
      const property = fc.property(values, (object) => judge(object).length === 0);
      const { failed, counterexample } = fc.check(property, { numRuns, seed });
      if (!failed) continue;
      const [object] = counterexample!;
      throw new RoundTripError(
        formatFailures(conversions, judge(object), object, from, to, seed),
        object,
      );
    }
  }
}

function checkRoundTrip<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  object: KubeObject,
  from: Version,
  to: Version,
): Failures {
  const start = pruneAndDefault(from, object);
  let there: KubeObject;
  let back: ConversionResult;
  try {
    there = pruneAndDefault(to, convertObject(conversions, start, to.apiVersion));
    back = convertWithKeptFields(conversions, there, from.apiVersion);
  } catch (error) {
    if (error instanceof ConversionError) return [error.message];
    throw error;
  }
  const lost = findLostFields(
    from.schema,
    normalizeObject(start),
    normalizeObject(pruneAndDefault(from, back.object)),
  );
  const way = `${from.name} -> ${to.name} -> ${from.name}`;
  const invalid = compileSchema(to.schema, { root: true })
    .check(there)
    .errors.map(
      (error) => `${formatFinding(error)}: what ${from.name} allows, ${to.name} does not`,
    );
  const kept = readKept(there)[from.name] ?? [];
  const why = (one: KeptField): string => explainLoss(one, kept, back.left, from.name);
  return [...lost.map((one) => formatLoss(one, way) + why(one)), ...invalid];
}

/** Explains why `keep` did not restore a field. */
function explainLoss(
  lost: KeptField,
  kept: readonly KeptField[],
  left: readonly UnrestoredField[],
  version: string,
) {
  const isOf = (one: KeptField): boolean => {
    const [inner, outer] = [formatKeptPath(lost.path), formatKeptPath(one.path)];
    return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  };
  const found = left.find((one) => isOf(one.kept));
  if (!found) return kept.some(isOf) ? '' : '; nothing of it was kept';
  const but = '; it was kept, and not put back, because';
  const { because } = found;
  if (because !== 'changed') return `${but} ${version} refuses it: ${formatFinding(because[0]!)}`;
  const made = `the conversion made ${shown(found.kept.became)} of it before`;
  return `${but} ${made}, and no longer does`;
}

/** Prunes undeclared fields and fills in defaults, as the API server does when it serves the object. */
function pruneAndDefault({ schema }: Version, object: KubeObject): KubeObject {
  return applyDefaults(schema, pruneValue(schema, object, { root: true }).value) as KubeObject;
}

/** Removes what is kept, and empty labels and annotations, because they are not part of the object. */
function normalizeObject(object: KubeObject): Json {
  const { metadata, ...fields } = removeKeptAnnotation(object);
  const known = Object.entries(metadata).filter(
    ([field, value]) => !emptied.has(field) || Object.keys(value as object).length > 0,
  );
  return { ...fields, metadata: Object.fromEntries(known) } as Json;
}

const emptied: ReadonlySet<string> = new Set(['labels', 'annotations']);

function formatLoss({ path, had, became }: KeptField, way: string): string {
  const where = formatKeptPath(path);
  if (had === undefined) return `${where} must stay absent on the way ${way}, got ${shown(became)}`;
  const was = became === undefined ? '' : `, it was ${shown(had)}`;
  return `${where} must survive ${way}, got ${shown(became)}${was}`;
}

function shown(value: Json | undefined): string {
  if (typeof value !== 'object' || value === null) return show(value);
  const text = JSON.stringify(value);
  return text.length > 80 ? show(value) : text;
}

function formatFailures<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  verdict: Failures,
  object: KubeObject,
  from: Version,
  to: Version,
  seed: number,
): string {
  const lines = [
    ...verdict,
    `The smallest object found (seed ${seed}), as ${from.name}:`,
    pretty(object),
  ];
  try {
    lines.push(`as ${to.name}:`, pretty(convertObject(conversions, object, to.apiVersion)));
  } catch {
    // The verdict reports that it cannot be converted.
  }
  return lines.join('\n');
}

function pretty(object: KubeObject): string {
  return JSON.stringify(object, undefined, 2);
}

const texts = { type: 'string', maxLength: 20 } as const;

const dnsLabel = {
  type: 'string',
  pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
  maxLength: 30,
} as const;

/**
 * Whole objects of a version of a kind, valid as `arbitraryValue` makes them, with the metadata that the
 * API server gives to every object and with some labels and annotations.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { admitObject } from '@tenantry/crd';
 * import { arbitraryObject } from '@tenantry/testing';
 * import { redis } from './redis.ts';
 *
 * const isKept = (object: unknown): boolean => admitObject(redis, object).pruned.length === 0;
 * fc.assert(fc.property(arbitraryObject(redis, 'v1'), isKept), { numRuns: 20 });
 * ```
 */
export function arbitraryObject<S extends Schemas>(
  definition: Definition<S>,
  version: keyof S & string,
): fc.Arbitrary<KubeObject> {
  const metadata = {
    name: dnsLabel,
    ...(definition.scope === 'Namespaced' && { namespace: dnsLabel }),
    uid: { type: 'string', format: 'uuid' },
    labels: { type: 'object', properties: { app: dnsLabel, 'example.com/part-of': dnsLabel } },
    annotations: { type: 'object', properties: { 'example.com/note': texts } },
  };
  const schema = wholeObject(definition.kind, getVersion(definition, version), metadata);
  return arbitraryValue(schema) as unknown as fc.Arbitrary<KubeObject>;
}
