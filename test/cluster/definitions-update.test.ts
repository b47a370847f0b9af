import { expect } from '@jest/globals';
import type { Json } from '../../kube/object.ts';
import { validateDefinitionUpdate, type UpdateOptions } from '../../crds/validation/update.ts';
import type { Body } from '../control-plane/objects.ts';
import { sharedCluster, uniqueName } from '../control-plane/shared.ts';
import { until } from '../control-plane/until.ts';
import { definitionOf, type Changes } from './definitions-case.ts';

const given = await sharedCluster();
const { test } = given;

interface Update {
  readonly says: string;
  /** The rule that refuses it; absent when it is accepted. */
  readonly rule?: string;
  readonly changes: Changes;
}

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

const updates: readonly Update[] = [
  { says: 'nothing changes', changes: {} },
  { says: 'another group', rule: 'immutable', changes: { 'spec.group': 'other.example.com' } },
  { says: 'another plural', rule: 'immutable', changes: { 'spec.names.plural': 'others' } },
  { says: 'another kind', rule: 'immutable', changes: { 'spec.names.kind': 'Other' } },
  { says: 'another scope', rule: 'immutable', changes: { 'spec.scope': 'Cluster' } },
  { says: 'another singular', changes: { 'spec.names.singular': 'other' } },
  { says: 'another list kind', changes: { 'spec.names.listKind': 'Others' } },
  { says: 'a short name more', changes: { 'spec.names.shortNames': ['th'] } },
  { says: 'a version less that is not stored', changes: versions(version('v1', true)) },
  { says: 'a stored version less', rule: 'stored-version', changes: versions(version('v2', true)) },
  {
    says: 'another storage version',
    changes: versions(version('v1', false), version('v2', true)),
  },
  {
    says: 'two storage versions',
    rule: 'storage-version',
    changes: versions(version('v1', true), version('v2', true)),
  },
  { says: 'no version', rule: 'stored-version', changes: versions() },
  { says: 'a version more', changes: versions(version('v1', true), version('v3', false)) },
  {
    says: 'a schema that is not structural',
    rule: 'type-missing',
    changes: versions(
      version('v1', true, {
        schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
      }),
    ),
  },
  {
    says: 'a version without a schema',
    rule: 'schema-missing',
    changes: versions(version('v1', true), version('v2', false, { schema: {} })),
  },
  {
    says: 'fields that are gone, which is not for the server to say',
    changes: versions(version('v1', true, { schema: schema('b') })),
  },
  { says: 'certificates that are none', rule: 'conversion-ca', changes: webhook('aGVsbG8=') },
  { says: 'no certificates', changes: webhook('') },
  {
    says: 'unknown fields preserved',
    rule: 'preserve-unknown-fields',
    changes: { 'spec.preserveUnknownFields': true },
  },
  {
    says: 'a finalizer with a bad name',
    rule: 'finalizer',
    changes: { 'metadata.finalizers': ['not a name'] },
  },
  {
    says: 'a label with a bad value',
    rule: 'label-value',
    changes: { 'metadata.labels': { a: 'not a value' } },
  },
  { says: 'another uid', rule: 'immutable', changes: { 'metadata.uid': 'a' } },
  { says: 'an unknown field', rule: 'unknown-field', changes: { 'spec.a': 1 } },
];

/** Makes a definition and waits until its kind is served. */
async function made(changes: Changes): Promise<Body> {
  const { admin } = given.cluster;
  const definition = definitionOf(changes) as unknown as Body;
  const { status, body } = await admin.create(definition);
  if (status !== 201) throw new Error(`no definition: ${status} ${body.message}`);
  return established(definition);
}

/** The definition as it is stored, once its kind is served. */
async function established(definition: Body): Promise<Body> {
  const { admin } = given.cluster;
  const { apiVersion = '', kind = '', metadata } = definition;
  const reference = { apiVersion, kind, name: metadata?.name ?? '' };
  let stored: Body = definition;
  await until(`${reference.name} is established`, 30, async () => {
    stored = (await admin.get(reference)).body;
    const { conditions = [] } = (stored['status'] ?? {}) as { conditions?: Condition[] };
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  });
  return stored;
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** What is not as the update says, or nothing. */
async function unexpected(
  stored: Body,
  changes: Changes,
  { says, rule, ...update }: Update,
  options: UpdateOptions = {},
) {
  const { name, resourceVersion } = stored.metadata as Record<string, Json>;
  const manifest = definitionOf({
    ...changes,
    ...update.changes,
    'metadata.resourceVersion': resourceVersion,
  });
  const { errors } = validateDefinitionUpdate(stored, manifest, options);
  const { status, body } = await given.cluster.admin.request({
    method: 'PUT',
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${String(name)}`,
    query: { dryRun: 'All', fieldValidation: 'Strict' },
    body: manifest,
  });
  const asSaid =
    (status === 200) === (rule === undefined) &&
    (errors.length === 0) === (rule === undefined) &&
    (rule === undefined || errors.some((error) => error.rule === rule));
  return asSaid ? [] : [{ says, errors, status, message: body.message }];
}

test('we and the API server say the same of a definition that takes the place of another', async () => {
  const group = `${uniqueName('update')}.example.com`;
  const changes = { ...start, 'spec.group': group, 'metadata.name': `things.${group}` };
  const stored = await made(changes);
  const found: object[] = [];
  for (const update of updates) found.push(...(await unexpected(stored, changes, update)));
  expect(found).toEqual([]);
});

test('a version that was stored once stays, as long as status names it', async () => {
  const group = `${uniqueName('stored')}.example.com`;
  const changes = { ...start, 'spec.group': group, 'metadata.name': `things.${group}` };
  const { metadata } = await made(changes);
  const moved = definitionOf({
    ...changes,
    ...versions(version('v1', false), version('v2', true)),
    'metadata.resourceVersion': metadata?.['resourceVersion'],
  }) as unknown as Body;
  expect(await given.cluster.admin.replace(moved)).toMatchObject({ status: 200 });
  const stored = await established(moved);
  const without = { says: 'v1 goes', changes: versions(version('v2', true)) };
  const refused = { ...without, rule: 'stored-version' };
  expect(await unexpected(stored, changes, refused)).toEqual([]);
  const { errors } = validateDefinitionUpdate(
    stored,
    definitionOf({ ...changes, ...without.changes }),
    {
      storedVersions: ['v2'],
    },
  );
  expect(errors).toEqual([]);
});

test('a kind that is not served yet may change its name and scope, and keep bad certificates', async () => {
  const { admin } = given.cluster;
  const group = `${uniqueName('unserved')}.example.com`;
  // The API server serves no kind whose conversion has no good certificates.
  const own = { 'spec.group': group, 'metadata.name': `things.${group}` };
  const changes = { ...start, ...webhook('aGVsbG8='), ...own };
  const definition = definitionOf(changes) as unknown as Body;
  const made = await admin.create(definition);
  expect(made.status).toBe(201);
  const { apiVersion = '', kind = '' } = definition;
  const others: readonly Update[] = [
    { says: 'bad certificates stay', changes: {} },
    { says: 'other certificates that are none', changes: webhook('YQ==') },
    { says: 'another kind', changes: { 'spec.names.kind': 'Other' } },
    { says: 'another scope', changes: { 'spec.scope': 'Cluster' } },
    { says: 'another plural', rule: 'immutable', changes: { 'spec.names.plural': 'others' } },
  ];
  for (const update of others) {
    // Until nothing more happens to its status, a change may come too late.
    await until(update.says, 30, async () => {
      const now = (await admin.get({ apiVersion, kind, name: own['metadata.name'] })).body;
      expect(await unexpected(now, changes, update, { established: false })).toEqual([]);
      return true;
    });
  }
});
