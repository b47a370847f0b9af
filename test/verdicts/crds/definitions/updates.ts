import type { Json } from '@tenantry/kube/object';
import { definitionOf, type Changes } from './case.ts';

/** A definition that the API server has. */
export interface Stored {
  /** How it came to be: each takes the place of the one before. */
  readonly steps: readonly Changes[];
  /** What the API server wrote into it. */
  readonly filledIn: Changes;
  /** Whether its kind is served. */
  readonly established: boolean;
}

/** A definition that is to take the place of a stored one. */
export interface UpdateCase {
  readonly title: string;
  readonly stored: Stored;
  /** The rule that refuses it; absent when it is accepted. */
  readonly rule?: string;
  readonly changes: Changes;
}

type Update = Omit<UpdateCase, 'stored'>;

const schema = (...names: string[]): object => ({
  openAPIV3Schema: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
});
const version = (name: string, storage: boolean, more: object = {}): object => ({
  name,
  served: true,
  storage,
  schema: schema('a'),
  ...more,
});
const versions = (...list: object[]): Changes => ({ 'spec.versions': list });
const webhook = (caBundle: string): Changes => ({
  'spec.conversion': {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { url: 'https://example.com', caBundle },
      conversionReviewVersions: ['v1'],
    },
  },
});

const start: Changes = versions(version('v1', true), version('v2', false));
const names: Changes = { 'spec.names.singular': 'thing', 'spec.names.listKind': 'ThingList' };
const noConversion: Changes = { 'spec.conversion': { strategy: 'None' } };
const storedIn = (...storedVersions: string[]): Changes => ({
  'status.storedVersions': storedVersions,
});

const served: Stored = {
  steps: [start],
  filledIn: { ...names, ...noConversion, ...storedIn('v1') },
  established: true,
};

/** Another version is stored than once. */
const moved: Stored = {
  steps: [start, versions(version('v1', false), version('v2', true))],
  filledIn: { ...names, ...noConversion, ...storedIn('v1', 'v2') },
  established: true,
};

/** The API server serves no kind whose conversion has no good certificates. */
const unserved: Stored = {
  steps: [{ ...start, ...webhook('aGVsbG8=') }],
  filledIn: { ...names, ...storedIn('v1') },
  established: false,
};

const ofServed: readonly Update[] = [
  { title: 'nothing changes', changes: {} },
  { title: 'another group', rule: 'immutable', changes: { 'spec.group': 'other.example.com' } },
  { title: 'another plural', rule: 'immutable', changes: { 'spec.names.plural': 'others' } },
  { title: 'another kind', rule: 'immutable', changes: { 'spec.names.kind': 'Other' } },
  { title: 'another scope', rule: 'immutable', changes: { 'spec.scope': 'Cluster' } },
  { title: 'another singular', changes: { 'spec.names.singular': 'other' } },
  { title: 'another list kind', changes: { 'spec.names.listKind': 'Others' } },
  { title: 'a short name more', changes: { 'spec.names.shortNames': ['th'] } },
  { title: 'a version less that is not stored', changes: versions(version('v1', true)) },
  {
    title: 'a stored version less',
    rule: 'stored-version',
    changes: versions(version('v2', true)),
  },
  {
    title: 'another storage version',
    changes: versions(version('v1', false), version('v2', true)),
  },
  {
    title: 'two storage versions',
    rule: 'storage-version',
    changes: versions(version('v1', true), version('v2', true)),
  },
  { title: 'no version', rule: 'stored-version', changes: versions() },
  { title: 'a version more', changes: versions(version('v1', true), version('v3', false)) },
  {
    title: 'a schema that is not structural',
    rule: 'type-missing',
    changes: versions(
      version('v1', true, {
        schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
      }),
    ),
  },
  {
    title: 'a version without a schema',
    rule: 'schema-missing',
    changes: versions(version('v1', true), version('v2', false, { schema: {} })),
  },
  {
    title: 'fields that are gone, which is not for the server to say',
    changes: versions(version('v1', true, { schema: schema('b') })),
  },
  { title: 'certificates that are none', rule: 'conversion-ca', changes: webhook('aGVsbG8=') },
  { title: 'no certificates', changes: webhook('') },
  {
    title: 'unknown fields preserved',
    rule: 'preserve-unknown-fields',
    changes: { 'spec.preserveUnknownFields': true },
  },
  {
    title: 'a finalizer with a bad name',
    rule: 'finalizer',
    changes: { 'metadata.finalizers': ['not a name'] },
  },
  {
    title: 'a label with a bad value',
    rule: 'label-value',
    changes: { 'metadata.labels': { a: 'not a value' } },
  },
  { title: 'another uid', rule: 'immutable', changes: { 'metadata.uid': 'a' } },
  { title: 'an unknown field', rule: 'unknown-field', changes: { 'spec.a': 1 } },
];

const ofMoved: readonly Update[] = [
  {
    title: 'a version less that was stored once',
    rule: 'stored-version',
    changes: versions(version('v2', true)),
  },
];

const ofUnserved: readonly Update[] = [
  { title: 'bad certificates stay', changes: {} },
  { title: 'other certificates that are none', changes: webhook('YQ==') },
  { title: 'another kind of what is not served', changes: { 'spec.names.kind': 'Other' } },
  { title: 'another scope of what is not served', changes: { 'spec.scope': 'Cluster' } },
  {
    title: 'another plural of what is not served',
    rule: 'immutable',
    changes: { 'spec.names.plural': 'others' },
  },
];

export const updateCases: readonly UpdateCase[] = [
  ...ofServed.map((update) => ({ ...update, stored: served })),
  ...ofMoved.map((update) => ({ ...update, stored: moved })),
  ...ofUnserved.map((update) => ({ ...update, stored: unserved })),
];

/** All that the steps to a stored definition say, in a group. */
export function manifestOf({ steps }: Stored, group: string, changes: Changes = {}): Json {
  const own = { 'spec.group': group, 'metadata.name': `things.${group}` };
  return definitionOf({ ...Object.assign({}, ...steps), ...own, ...changes });
}

/** A stored definition as the API server gives it. */
export function storedManifest(stored: Stored, group: string): Json {
  return manifestOf(stored, group, { 'metadata.uid': 'stored', ...stored.filledIn });
}
