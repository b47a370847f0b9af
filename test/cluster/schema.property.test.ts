import { expect } from '@jest/globals';
import fc from 'fast-check';
import { crdManifest } from '@tenantry/crd/definition';
import type { DeclaredKind } from '../../crds/declared-kind.ts';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { isMapping } from '@tenantry/kube/mapping';
import { validate } from '@tenantry/crd/schema/validate';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { brokenRules, valuesOf } from '@tenantry/crd/test/schema/language/given';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { exceptions, manifests } from '../verdicts/crds/tenantry/exceptions.ts';
import { accepts, serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

type Kind = DeclaredKind;

const withSpec = (kind: Kind, spec: unknown) => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  metadata: { name: 'a' },
  spec,
});

const serverAccepts = (kind: Kind, object: unknown) => accepts(given.cluster.admin, kind, object);

const weAccept = (kind: Kind, object: unknown): boolean => validate(kind.file, object).length === 0;

const known = new Map<JSONSchemaProps, fc.Arbitrary<unknown>>();

/** Generates values that the schema accepts, mostly small ones. They may break a CEL rule now and then. */
function valid(node: JSONSchemaProps): fc.Arbitrary<unknown> {
  const rules = node['x-kubernetes-validations'] ?? [];
  const follows = (value: unknown) => brokenRules(node, value).length === 0;
  const any = known.get(node) ?? plain(node);
  known.set(node, any);
  return rules.length > 0 ? fc.oneof({ weight: 4, arbitrary: any.filter(follows) }, any) : any;
}

function plain(node: JSONSchemaProps): fc.Arbitrary<unknown> {
  if (node['x-kubernetes-embedded-resource']) return fc.constantFrom(...manifests);
  if (node.enum) return fc.constantFrom(...node.enum);
  if (node.properties) {
    const fields = Object.entries(node.properties).map(([name, field]) => {
      const absent = { weight: 5, arbitrary: fc.constant(undefined) };
      const present = { weight: 3, arbitrary: valid(field) };
      const either = node.required?.includes(name) ? valid(field) : fc.oneof(absent, present);
      return [name, either] as const;
    });
    return fc.record(Object.fromEntries(fields)).map(withoutUndefined);
  }
  if (node.items) {
    const { minItems: minLength = 0, maxItems = 3 } = node;
    const lengths = { minLength, maxLength: Math.min(3, maxItems) };
    if (node['x-kubernetes-list-type'] === 'atomic') return fc.array(valid(node.items), lengths);
    const [key] = node['x-kubernetes-list-map-keys'] ?? [];
    const selector = (item: unknown): unknown => (key && isMapping(item) ? item[key] : item);
    return fc.uniqueArray(valid(node.items), { ...lengths, selector });
  }
  const values = valuesOf(node);
  if (values) {
    const keys = fc.oneof(
      fc.constantFrom('cpu', 'requests.memory', 'app.kubernetes.io/name', 'a'),
      fc.string({ unit: 'grapheme' }),
    );
    const size = { minKeys: node.minProperties ?? 0, maxKeys: 3 };
    return fc.dictionary(keys, valid(values), size);
  }
  if (node.type === 'boolean') return fc.boolean();
  const numbers = fc.integer({ min: node.minimum ?? 0, max: node.maximum ?? 2147483647 });
  if (node.type === 'integer') return numbers;
  return node['x-kubernetes-int-or-string'] ? fc.oneof(numbers, texts(node)) : texts(node);
}

function texts({
  format,
  pattern,
  minLength = 0,
  maxLength = 20,
}: JSONSchemaProps): fc.Arbitrary<string> {
  if (format === 'date') return fc.constantFrom('2027-01-31', '2028-02-29', '2099-12-31');
  if (pattern === undefined) {
    return fc
      .string({ unit: 'grapheme', minLength, maxLength: Math.min(20, maxLength) })
      .filter((text) => [...text].length <= maxLength);
  }
  return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

/** The place of a value in an object, where another value can be put. */
interface Spot {
  readonly node: JSONSchemaProps;
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

function* spotsOf(spot: Spot): Generator<Spot> {
  yield spot;
  const { node, holder, key } = spot;
  const value = holder[key];
  if (node['x-kubernetes-embedded-resource'] || typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    const inner = node.items ?? node.properties?.[name] ?? valuesOf(node);
    if (inner) yield* spotsOf({ node: inner, holder: value as Spot['holder'], key: name });
  }
}

const strange = [null, true, 1, 0.5, -1, '', 'a', [], {}, ['a'], { a: 'a' }, [null], [[]]];
const words = [
  ' a|a |a\n|\n|a\u0000|\uD800|A|-a|a-|a.b|a..b|a/b|é|ａ|١|😀|*|a*|none|None|unlimited|latest',
  '2027-02-29|2027-1-31|2027-01-31T00:00:00Z|v1.36|v1|{namespace}|1|-1|+1|1.|.5|1.5Gi|1e3|1E|1e300|0%|00%|100%|101%|65536|1a|a1',
  '10.0.0.0/8|::/0|x/8',
].flatMap((line) => line.split('|'));

/** Returns replacements for a value: many of them are wrong, and some are only just right. */
function nearby(node: JSONSchemaProps, value: unknown): unknown[] {
  const { minimum = 0, maximum = 0, maxLength = 0, maxItems = 0, maxProperties = 0 } = node;
  if (Array.isArray(value)) {
    const item: unknown = value[0] ?? 'a';
    const lengths = [maxItems, maxItems + 1].map((length) => Array<unknown>(length).fill(item));
    return [...strange, [...value, item], [...value, ...value], [...value, null], ...lengths];
  }
  if (isMapping(value)) {
    const less = Object.keys(value).map((key) => withoutUndefined({ ...value, [key]: undefined }));
    const more: object[] = [{ noSuchField: 1 }, { toString: 'a' }, { Name: 'a' }, { '': 'a' }];
    const added = more.map((field) => ({ ...value, ...field }));
    const [first = 'a'] = Object.values(value);
    const keys = Array.from({ length: maxProperties + 1 }, (_, i) => [`é${i}`, first] as const);
    const full = [Object.fromEntries(keys.slice(1)), Object.fromEntries(keys)];
    return [...strange, ...less, ...added, ...(node.additionalProperties ? full : [])];
  }
  if (typeof value === 'string') {
    const lengths = [maxLength - 1, maxLength, maxLength + 1].filter((length) => length > 0);
    const long = lengths.flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)]);
    return [...strange, ...words, ...long, value.toUpperCase(), `${value}\n`];
  }
  const numbers = [minimum, minimum - 1, maximum, maximum + 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31)];
  return [...strange, ...numbers, 2 ** 53, 2 ** 53 - 1, 1e21, 1e300, String(value)];
}

/** Returns the spec after some steps, each of which selects a place and puts another value there. */
function changed(kind: Kind, spec: unknown, steps: readonly (readonly [number, number])[]) {
  const holder: Spot['holder'] = { spec: JSON.parse(JSON.stringify(spec)) };
  for (const [where, how] of steps) {
    const spots = [...spotsOf({ node: kind.spec, holder, key: 'spec' })];
    const spot = spots[where % spots.length]!;
    const choices = nearby(spot.node, spot.holder[spot.key]);
    // structuredClone does not work here: under jest its objects are of another realm, and not plain objects.
    spot.holder[spot.key] = JSON.parse(JSON.stringify(choices[how % choices.length]));
  }
  return holder['spec'];
}

for (const kind of [tenant, tenantClass] as const) {
  test(`for any ${kind.kind}, validation and the API server agree on whether to accept it`, async () => {
    await serve(given.cluster.admin, crdManifest(kind));
    const number = fc.nat({ max: 100_000 });
    const steps = fc.array(fc.tuple(number, number), { maxLength: 2 });
    const objects = fc
      .tuple(valid(kind.spec), steps)
      .map(([spec, steps]) => withSpec(kind, changed(kind, spec, steps)));
    const seen = { accepted: 0, refused: 0 };
    const disagreement = async (object: object): Promise<object[]> => {
      const [us, server] = [weAccept(kind, object), await serverAccepts(kind, object)];
      seen[us ? 'accepted' : 'refused'] += 1;
      if (us === server) return [];
      const refusedBy = us ? 'server' : 'us';
      const meant = exceptions.some((one) => one.refusedBy === refusedBy && one.within?.(object));
      return meant ? [] : [{ refusedBy, object, errors: validate(kind.file, object) }];
    };
    await fc.assert(
      fc.asyncProperty(fc.array(objects, { minLength: 1, maxLength: 8 }), async (batch) => {
        expect((await Promise.all(batch.map(disagreement))).flat()).toEqual([]);
      }),
      runs(200),
    );
    console.log(`${kind.kind}: ${seen.accepted} accepted, ${seen.refused} refused`);
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(60);
  });
}
