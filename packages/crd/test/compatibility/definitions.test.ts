import { expect, test } from '@jest/globals';
import { compareDefinitions } from '../../compatibility/definitions.ts';
import { compareDefinitionSets } from '../../compatibility.ts';
import type {
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionVersion,
} from '../../custom-resource-definition.ts';
import { lines, ofDefinitions, redis, stored, version, whole, withX } from './given.ts';

type VersionProps = Partial<CustomResourceDefinitionVersion>;

const named = (names: Partial<CustomResourceDefinitionManifest['spec']['names']>) =>
  redis(undefined, { names: { kind: 'Redis', plural: 'redises', ...names } });

/** Returns the changes between two states of a definition's only version. */
const ofVersion = (before: VersionProps, after: VersionProps): string[] =>
  ofDefinitions(redis([stored('v1', before)]), redis([stored('v1', after)]));

test('an unchanged definition has no changes', () => {
  expect(compareDefinitions(redis(), redis())).toEqual([]);
});

test('scope, group, kind, plural and name never change', () => {
  expect(ofDefinitions(redis(), redis(undefined, { scope: 'Cluster' }))).toEqual([
    'breaking scope spec.scope',
  ]);
  expect(ofDefinitions(redis(), redis(undefined, { group: 'a.b' }))).toEqual([
    'breaking group spec.group',
  ]);
  expect(ofDefinitions(redis(), named({ plural: 'redii' }))).toEqual([
    'breaking plural spec.names.plural',
  ]);
  expect(
    ofDefinitions(redis(), named({ kind: 'Cache', listKind: 'RedisList', singular: 'redis' })),
  ).toEqual(['breaking kind spec.names.kind']);
  const renamed = { ...redis(), metadata: { name: 'redii.cache.example.com' } };
  expect(ofDefinitions(redis(), renamed)).toEqual(['breaking name metadata.name']);
});

test('a removed name for kubectl is breaking, a new one is compatible', () => {
  const [before, after] = [
    named({ shortNames: ['r'], categories: ['all'] }),
    named({ shortNames: ['rd'], categories: ['all', 'db'] }),
  ];
  expect(ofDefinitions(before, after)).toEqual([
    'compatible categories spec.names.categories',
    'breaking short-names spec.names.shortNames',
    'compatible short-names spec.names.shortNames',
  ]);
  expect(ofDefinitions(after, redis())).toEqual([
    'breaking categories spec.names.categories',
    'breaking short-names spec.names.shortNames',
  ]);
  expect(ofDefinitions(redis(), named({ singular: 'cache' }))).toEqual([
    'breaking singular spec.names.singular',
  ]);
  expect(ofDefinitions(redis(), named({ listKind: 'Redises' }))).toEqual([
    'breaking list-kind spec.names.listKind',
  ]);
  expect(ofDefinitions(redis(), named({ singular: 'redis', listKind: 'RedisList' }))).toEqual([]);
});

test('changed labels and annotations of the definition are compatible', () => {
  const labelled = { ...redis(), metadata: { ...redis().metadata, labels: { a: 'b' } } };
  expect(ofDefinitions(redis(), labelled)).toEqual(['compatible metadata metadata.labels']);
});

test('a removed status subresource is breaking, and so is a new one if status was written before', () => {
  const status = { subresources: { status: {} } };
  expect(ofVersion(status, {})).toEqual(['breaking status-subresource v1 subresources.status']);
  expect(ofVersion({}, status)).toEqual(['compatible status-subresource v1 subresources.status']);
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { status: { type: 'object' } } },
  };
  expect(ofVersion({ schema }, { schema, ...status })).toEqual([
    'breaking status-subresource v1 subresources.status',
  ]);
});

test('a scale subresource that is removed or reads other fields is breaking', () => {
  const scale = { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' };
  const [one, other] = [{ subresources: { scale } }, { ...scale, specReplicasPath: '.spec.b' }];
  const more = { ...scale, labelSelectorPath: '.status.s' };
  expect(ofVersion(one, {})).toEqual(['breaking scale-subresource v1 subresources.scale']);
  expect(ofVersion({}, one)).toEqual(['compatible scale-subresource v1 subresources.scale']);
  expect(ofVersion(one, { subresources: { scale: other } })).toEqual([
    'breaking scale-subresource v1 subresources.scale',
  ]);
  expect(ofVersion(one, { subresources: { scale: more } })).toEqual([
    'compatible scale-subresource v1 subresources.scale',
  ]);
  expect(ofVersion({ subresources: { scale: more } }, one)).toEqual([
    'breaking scale-subresource v1 subresources.scale',
  ]);
});

test('changed printer columns are compatible, because they are output for people', () => {
  const column = { name: 'X', type: 'string', jsonPath: '.spec.x' } as const;
  expect(ofVersion({ additionalPrinterColumns: [column] }, {})).toEqual([
    'compatible printer-columns v1 additionalPrinterColumns',
  ]);
});

test('a field that is no longer selectable is breaking', () => {
  const [x, none] = [{ selectableFields: [{ jsonPath: '.spec.x' }] }, { selectableFields: [] }];
  expect(ofVersion(x, none)).toEqual(['breaking selectable-fields v1 selectableFields']);
  expect(ofVersion({}, x)).toEqual(['compatible selectable-fields v1 selectableFields']);
});

test('the schema of a version that was neither served nor stored may change', () => {
  const schema = { openAPIV3Schema: withX({ type: 'integer' }) };
  const unserved = version('v1alpha1', { served: false });
  const [before, after] = [
    redis([unserved, stored('v1')]),
    redis([{ ...unserved, schema }, stored('v1')]),
  ];
  expect(ofDefinitions(before, after)).toEqual(['compatible version-not-served v1alpha1']);
  expect(ofDefinitions(before, after, { storedVersions: ['v1', 'v1alpha1'] })).toEqual([
    'breaking type v1alpha1 .spec.x',
  ]);
});

const webhook = (path: string, more = {}) => ({
  strategy: 'Webhook' as const,
  webhook: {
    clientConfig: { service: { namespace: 'a', name: 'b', path }, ...more },
    conversionReviewVersions: ['v1'],
  },
});
const two = [version('v1beta1'), stored('v1')];

test('a removed conversion is breaking, another one is unknown, another certificate is compatible', () => {
  const [before, other] = [webhook('/a'), webhook('/b')];
  const renewed = webhook('/a', { caBundle: 'YQ==' });
  const of = (a: object, b: object): string[] =>
    ofDefinitions(redis(two, { ...a }), redis(two, { ...b }));
  expect(of({ conversion: before }, {})).toEqual(['breaking conversion spec.conversion']);
  expect(of({}, { conversion: before })).toEqual(['unknown conversion spec.conversion']);
  expect(of({ conversion: before }, { conversion: other })).toEqual([
    'unknown conversion spec.conversion',
  ]);
  expect(of({ conversion: before }, { conversion: renewed })).toEqual([
    'compatible conversion spec.conversion',
  ]);
  expect(of({}, { conversion: { strategy: 'None' } })).toEqual([]);
  const one = redis(undefined, { conversion: before });
  expect(ofDefinitions(one, redis())).toEqual(['compatible conversion spec.conversion']);
});

test('a conversion whose webhook the API server cannot call is breaking', () => {
  const { strategy, webhook: asked } = webhook('/a');
  const v2 = { strategy, webhook: { ...asked, conversionReviewVersions: ['v2'] } };
  expect(ofDefinitions(redis(two), redis(two, { conversion: v2 }))).toEqual([
    'breaking conversion spec.conversion',
  ]);
});

test('without a conversion, a field of one served version is lost in the other', () => {
  const y = { openAPIV3Schema: whole({ type: 'object', properties: { y: { type: 'string' } } }) };
  const empty = { openAPIV3Schema: whole({ type: 'object' }) };
  const before = redis([version('v1beta1', { schema: empty }), stored('v1', { schema: empty })]);
  const after = redis([version('v1beta1', { schema: empty }), stored('v1', { schema: y })]);
  const [lost, added] = compareDefinitions(before, after).toSorted((a) =>
    a.rule === 'served-versions' ? -1 : 1,
  );
  expect(lines([lost!, added!])).toEqual([
    'breaking served-versions v1beta1 .spec.y',
    'compatible field-added v1 .spec.y',
  ]);
  expect(lost!.message).toBe(
    'objects of v1 read in v1beta1 (conversion None; field-removed): the field is not declared any more: what is in it is dropped, and refused by strict clients',
  );
  expect(compareDefinitions(after, after)).toEqual([]);
  const converted = [before, after].map((one) =>
    redis(one.spec.versions, { conversion: webhook('/a') }),
  );
  expect(ofDefinitions(converted[0]!, converted[1]!)).toEqual([
    'compatible field-added v1 .spec.y',
  ]);
});

test('a change that no comparison covers is unknown', () => {
  const spec = { ...redis().spec, fancy: true };
  const fancy = { ...redis(), spec } as CustomResourceDefinitionManifest;
  expect(ofDefinitions(redis(), fancy)).toEqual(['unknown unhandled spec.fancy']);
  expect(ofVersion({}, { fancy: true } as VersionProps)).toEqual(['unknown unhandled v1 fancy']);
  expect(ofVersion({}, { schema: {} })).toEqual(['unknown schema v1 schema']);
});

test('accepting more values is breaking with the option widening', () => {
  const schema = (...values: string[]) => ({
    openAPIV3Schema: withX({ type: 'string', enum: values }),
  });
  const [before, after] = [
    redis([stored('v1', { schema: schema('a') })]),
    redis([stored('v1', { schema: schema('a', 'b') })]),
  ];
  expect(ofDefinitions(before, after)).toEqual(['compatible enum v1 .spec.x']);
  expect(ofDefinitions(before, after, { widening: 'breaking' })).toEqual([
    'breaking enum v1 .spec.x',
  ]);
});

const cache = (plural: string) => ({
  ...redis(undefined, { names: { kind: 'Cache', plural } }),
  metadata: { name: `${plural}.cache.example.com` },
});

const ofSets = (...given: Parameters<typeof compareDefinitionSets>): string[][] =>
  compareDefinitionSets(...given).map(({ name, changes }) => [name, ...lines(changes)]);

test('a removed definition is breaking, a new one is compatible, and the result is sorted by name', () => {
  expect(ofSets([{ manifest: redis() }], [cache('caches')])).toEqual([
    ['caches.cache.example.com', 'compatible definition-added'],
    ['redises.cache.example.com', 'breaking definition-removed'],
  ]);
});

test('a new or changed definition that the API server refuses is breaking', () => {
  const bad = (...columns: string[]) =>
    redis([
      stored('v1', {
        additionalPrinterColumns: columns.map((name) => {
          return { name, type: 'text' as 'string', jsonPath: '.spec.x' };
        }),
      }),
    ]);
  const path = 'spec.versions[0].additionalPrinterColumns[0].type';
  expect(ofSets([], [bad('a')])).toEqual([
    ['redises.cache.example.com', 'compatible definition-added', `breaking refused ${path}`],
  ]);
  expect(ofSets([{ manifest: redis() }], [bad('a')])).toEqual([
    [
      'redises.cache.example.com',
      `breaking refused ${path}`,
      'compatible printer-columns v1 additionalPrinterColumns',
    ],
  ]);
  expect(ofSets([{ manifest: bad('a') }], [bad('a')])).toEqual([['redises.cache.example.com']]);
});
