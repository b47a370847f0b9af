import { bad, good, type Changes, type DefinitionCase } from './case.ts';

const long = (length: number): string => 'a'.repeat(length);

const named = (kind: string): Changes => ({ 'spec.names': { kind, plural: 'things' } });

const protectedGroup = (approval?: string): Changes => ({
  'spec.group': 'things.k8s.io',
  metadata: {
    name: 'things.things.k8s.io',
    ...(approval !== undefined && { annotations: { 'api-approved.kubernetes.io': approval } }),
  },
});

/** Metadata, names, group, scope and approval. */
export const nameCases: readonly DefinitionCase[] = [
  good('the base is good', {}),
  bad('name', 'a name that is not plural and group', { 'metadata.name': 'thing.example.com' }),
  bad('name', 'no name', { 'metadata.name': undefined }),
  bad('name', 'no metadata', { metadata: undefined }),
  bad('name', 'metadata that is null', { metadata: null }),
  bad('name', 'a name of more than 253 characters', {
    'spec.group': `${long(250)}.b`,
    'metadata.name': `things.${long(250)}.b`,
  }),
  bad('name', 'a name to be generated', { 'metadata.generateName': 'things' }),
  good('a generateName that is the name', { 'metadata.generateName': 'things.example.com' }),
  good('metadata that the server fills in', {
    'metadata.uid': 'a',
    'metadata.generation': -1,
    'metadata.creationTimestamp': null,
    'metadata.namespace': 'default',
    'metadata.selfLink': '/a',
    'metadata.managedFields': [{ manager: 'a', operation: 'None', fieldsV1: 'a' }],
  }),
  bad('label-key', 'a label with a bad key', { 'metadata.labels': { 'not a key': 'a' } }),
  bad('label-key', 'a label with two slashes', { 'metadata.labels': { 'a/b/c': 'a' } }),
  bad('label-key', 'a label with an empty prefix', { 'metadata.labels': { '/a': 'a' } }),
  bad('label-value', 'a label with a bad value', { 'metadata.labels': { a: 'not a value' } }),
  bad('label-value', 'a label with a long value', { 'metadata.labels': { a: long(64) } }),
  good('a label that is null', { 'metadata.labels': { a: null, 'b.c/D_e': '' } }),
  bad('annotation-key', 'an annotation with a bad key', { 'metadata.annotations': { '': 'a' } }),
  good('an annotation with a key in upper case', { 'metadata.annotations': { 'A.B/C': 'a b' } }),
  bad('annotations-size', 'annotations of more than 256 KiB', {
    'metadata.annotations': { a: long(262_144) },
  }),
  good('annotations of 256 KiB', { 'metadata.annotations': { a: long(262_143) } }),
  bad('finalizer', 'a finalizer with a bad name', { 'metadata.finalizers': ['not a name'] }),
  bad('finalizer', 'finalizers that cannot be together', {
    'metadata.finalizers': ['orphan', 'foregroundDeletion'],
  }),
  bad('owner-reference', 'an owner without uid', {
    'metadata.ownerReferences': [{ apiVersion: 'v1', kind: 'Namespace', name: 'a' }],
  }),
  bad('owner-reference', 'an owner without version', {
    'metadata.ownerReferences': [{ apiVersion: 'a/', kind: 'A', name: 'a', uid: 'a' }],
  }),
  ...[
    { apiVersion: 'a/b/c', kind: 'A', name: 'a', uid: 'a' },
    { apiVersion: 'v1', name: 'a', uid: 'a' },
    { apiVersion: 'v1', kind: 'A', uid: 'a' },
  ].map((owner) =>
    bad('owner-reference', `an owner of ${Object.values(owner).join(', ')} alone`, {
      'metadata.ownerReferences': [owner],
    }),
  ),
  bad('owner-reference', 'an event that owns', {
    'metadata.ownerReferences': [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'a' }],
  }),
  bad('owner-reference', 'two controllers', {
    'metadata.ownerReferences': ['a', 'b'].map((name) => ({
      apiVersion: 'a/v1',
      kind: 'A',
      name,
      uid: name,
      controller: true,
    })),
  }),

  bad('group', 'no group', { 'spec.group': undefined }),
  bad('group', 'a group without a dot', {
    'spec.group': 'example',
    'metadata.name': 'things.example',
  }),
  bad('group', 'a group in upper case', {
    'spec.group': 'Example.com',
    'metadata.name': 'things.Example.com',
  }),
  bad('scope', 'no scope', { 'spec.scope': undefined }),
  bad('scope', 'an unknown scope', { 'spec.scope': 'Namespace' }),
  good('the cluster as scope', { 'spec.scope': 'Cluster' }),
  bad('plural', 'no names', { 'spec.names': undefined }),
  bad('plural', 'no plural', { 'spec.names': { kind: 'Thing' } }),
  bad('plural', 'a plural in upper case', {
    'spec.names.plural': 'Things',
    'metadata.name': 'Things.example.com',
  }),
  bad('plural', 'a plural that starts with a digit', {
    'spec.names.plural': '1things',
    'metadata.name': '1things.example.com',
  }),
  bad('plural', 'a plural that ends with a dash', {
    'spec.names.plural': 'things-',
    'metadata.name': 'things-.example.com',
  }),
  bad('kind', 'no kind', { 'spec.names': { plural: 'things' } }),
  bad('kind', 'a kind with an underscore', named('My_Thing')),
  bad('kind', 'a kind of more than 63 characters', named(long(64))),
  bad('list-kind', 'a kind of 60 characters and no list kind', named(long(60))),
  good('a kind of 59 characters', named(long(59))),
  good('a kind of 63 characters with a list kind', {
    'spec.names': { kind: long(63), plural: 'things', listKind: 'Things' },
  }),
  good('letters that are plain in lower case', named('T\u0130\u212A')),
  bad('list-kind', 'a list kind that is the kind', { 'spec.names.listKind': 'Thing' }),
  bad('list-kind', 'a list kind with a dot', { 'spec.names.listKind': 'Thing.List' }),
  bad('singular', 'a singular in upper case', { 'spec.names.singular': 'Thing' }),
  good('a singular that is empty', { 'spec.names.singular': '', 'spec.names.listKind': '' }),
  bad('short-name', 'a short name with a space', { 'spec.names.shortNames': ['a', 'a b'] }),
  bad('short-name', 'a short name that is null', { 'spec.names.shortNames': [null] }),
  bad('category', 'a category in upper case', { 'spec.names.categories': ['All'] }),
  good('every name', {
    'spec.names': {
      kind: 'Thing',
      plural: 'things',
      singular: 'thing',
      listKind: 'ThingCollection',
      shortNames: ['th', 'th'],
      categories: ['all', 'example'],
    },
  }),

  bad('api-approval', 'a group of Kubernetes without approval', protectedGroup()),
  bad('api-approval', 'another group of Kubernetes without approval', {
    'spec.group': 'things.kubernetes.io',
    'metadata.name': 'things.things.kubernetes.io',
  }),
  bad('api-approval', 'an approval that is no URL', protectedGroup('yes')),
  bad('api-approval', 'an approval that is a path', protectedGroup('/pull/1')),
  good('an approval', protectedGroup('https://github.com/kubernetes/enhancements/pull/1')),
  good('a reason to be unapproved', protectedGroup('unapproved, experimental')),
  good('a group that only looks like one of Kubernetes', {
    'spec.group': 'myk8s.io',
    'metadata.name': 'things.myk8s.io',
  }),
  good('a status, which is not for the manifest to say', {
    status: { conditions: null, storedVersions: ['v9'], acceptedNames: { kind: '-', plural: '' } },
  }),
];
