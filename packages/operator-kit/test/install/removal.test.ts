import { expect, test } from '@jest/globals';
import { DEPLOYED, MANAGER } from '../../install/objects/ownership.ts';
import { findObjections, removalLines, planRemoval } from '../../install/removal/plan.ts';
import type { FoundObject, Survey } from '../../install/removal/survey.ts';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Deployment, ReplicaSet } from '@tenantry/runtime/kinds/apps';
import { Lease } from '@tenantry/runtime/kinds/coordination';
import {
  ConfigMap,
  Event,
  Namespace,
  Pod,
  Secret,
  ServiceAccount,
} from '@tenantry/runtime/kinds/core';
import type { Kind, ObjectMeta } from '@tenantry/runtime/kinds/kind';

const redises: Kind = {
  group: 'example.com',
  version: 'v1',
  kind: 'Redis',
  plural: 'redises',
  scope: 'Namespaced',
};

function found(kind: Kind, name: string, metadata: Partial<ObjectMeta> = {}): FoundObject {
  const namespace = kind.scope === 'Namespaced' ? 'shops' : undefined;
  const base = { name, uid: `${kind.plural}-${name}`, resourceVersion: '1', creationTimestamp: '' };
  return { kind, name: { name, namespace }, metadata: { ...base, ...metadata } };
}

const ours: Partial<ObjectMeta> = {
  annotations: { [DEPLOYED]: 'true' },
  managedFields: [{ manager: MANAGER, operation: 'Apply' }],
};

const deployed = (kind: Kind, name: string): FoundObject => found(kind, name, ours);

function surveyOf(objects: readonly FoundObject[], more: Partial<Survey> = {}): Survey {
  return { objects, absent: [], instances: new Map(), contents: new Map(), ...more };
}

const refusalsOf = (survey: Survey, options = {}): string[] =>
  planRemoval(survey, options).refusals.map(({ message }) => message);

test.each<[string, Partial<ObjectMeta>, string | undefined]>([
  ['was deployed', {}, undefined],
  ['a controller has written since', withManager('kube-controller-manager', 'Update'), undefined],
  [
    'Argo CD tracks',
    { annotations: { ...ours.annotations, 'argocd.argoproj.io/tracking-id': 'x' } },
    'Argo CD applies it, too',
  ],
  ['Helm has', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }, 'Helm applies it, too'],
  ['Flux has', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'x' } }, 'Flux applies it, too'],
  [
    'another manager applies',
    withManager('kustomize-controller', 'Apply'),
    'kustomize-controller applies it, too',
  ],
  [
    'is owned',
    { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: '1' }] },
    'Node a owns it',
  ],
  ['was there before', { annotations: {} }, 'it was there before it was deployed'],
  [
    'another deploys alone',
    { managedFields: [{ manager: 'kubectl', operation: 'Update' }] },
    'it was not deployed by tenantry',
  ],
  ['is marked, and was never applied', { managedFields: [] }, 'it was not deployed by tenantry'],
  [
    'is marked by another one, and was applied before that',
    { managedFields: [{ manager: MANAGER, operation: 'Update' }] },
    'it was there before it was deployed',
  ],
  [
    'another manager applies the status of',
    {
      managedFields: [
        ...ours.managedFields!,
        { manager: 'kubectl', operation: 'Apply', subresource: 'status' },
      ],
    },
    undefined,
  ],
])('an object that %s is deleted, or kept with the reason', (_, metadata, because) => {
  const object = found(ConfigMap, 'settings', { ...ours, ...metadata });
  const { going, staying } = planRemoval(surveyOf([object]));
  expect(staying.map((one) => one.because)).toEqual(because === undefined ? [] : [because]);
  expect(going).toEqual(because === undefined ? [object] : []);
});

function withManager(manager: string, operation: 'Apply' | 'Update'): Partial<ObjectMeta> {
  return { managedFields: [...ours.managedFields!, { manager, operation }] };
}

const crd = deployed(CustomResourceDefinition, 'redises.example.com');
const sample = deployed(redises, 'sample');
const foreign = found(redises, 'other');

test('a definition with other objects needs --delete-objects, and the refusal counts the objects', () => {
  const instances = new Map([[crd.name.name, { kind: redises, found: [sample, foreign] }]]);
  expect(refusalsOf(surveyOf([crd], { instances }))).toEqual([
    'redises.example.com must have no objects, got 2 (shops/sample, shops/other), which would be deleted with it: give --delete-objects to delete them',
  ]);
  expect(refusalsOf(surveyOf([crd, sample], { instances }))).toEqual([
    expect.stringContaining('got 1 (shops/other)'),
  ]);
  expect(refusalsOf(surveyOf([crd, sample], { instances }), { keepDefinitions: true })).toEqual([]);
  const removal = planRemoval(surveyOf([crd], { instances }), { deleteObjects: true });
  expect(removal.refusals).toEqual([]);
  expect(removalLines(removal)).toEqual([
    'CustomResourceDefinition redises.example.com with all of its 2 objects',
  ]);
});

test('a definition whose objects cannot be listed is never deleted', () => {
  const instances = new Map([[crd.name.name, { kind: redises, found: [], unknown: 'forbidden' }]]);
  const options = { deleteObjects: true };
  expect(refusalsOf(surveyOf([crd], { instances }), options)).toEqual([
    'redises.example.com must be known to have no objects, got: forbidden',
  ]);
});

const shops = deployed(Namespace, 'shops');
const workload = deployed(Deployment, 'shops');
const ownedBy = (owner: FoundObject): Partial<ObjectMeta> => ({
  ownerReferences: [
    { apiVersion: 'v1', kind: owner.kind.kind, name: owner.name.name, uid: owner.metadata.uid },
  ],
});
const replicas = found(ReplicaSet, 'shops-1', ownedBy(workload));
const usual = [
  workload,
  replicas,
  found(Pod, 'shops-1-a', ownedBy(replicas)),
  found(ConfigMap, 'kube-root-ca.crt'),
  found(ServiceAccount, 'default'),
  found(Secret, 'token', { annotations: { 'kubernetes.io/service-account.name': 'shops' } }),
  found(Lease, 'shops'),
  found(Event, 'shops.1'),
];

test('a namespace is deleted with deployed objects, the objects that those own, and those of Kubernetes', () => {
  const contents = new Map([['shops', { found: usual, unknown: [] }]]);
  expect(refusalsOf(surveyOf([shops, workload], { contents }))).toEqual([]);
});

test.each<[string, FoundObject]>([
  ['of its own', found(ConfigMap, 'notes')],
  ['that is a Secret', found(Secret, 'notes')],
  [
    'that names an account, and is no Secret',
    found(ConfigMap, 'notes', {
      annotations: { 'kubernetes.io/service-account.name': 'shops' },
    }),
  ],
  [
    'that another owner keeps',
    found(ConfigMap, 'notes', {
      ownerReferences: [
        ...ownedBy(workload).ownerReferences!,
        { apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'elsewhere' },
      ],
    }),
  ],
  [
    'that names itself as its owner',
    found(ConfigMap, 'notes', {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'notes', uid: 'configmaps-notes' },
      ],
    }),
  ],
  [
    'with an owner elsewhere',
    found(ConfigMap, 'notes', {
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'elsewhere' }],
    }),
  ],
])('a namespace with a thing %s stays', (_, other) => {
  const contents = new Map([['shops', { found: [...usual, other], unknown: [] }]]);
  const survey = surveyOf([shops, workload], { contents });
  expect(refusalsOf(survey)).toEqual([
    `Namespace shops must hold nothing of others, got 1 (${other.kind.kind} notes), which would be deleted with it: move them, or give --keep-namespaces`,
  ]);
  expect(refusalsOf(survey, { keepNamespaces: true })).toEqual([]);
});

test('a namespace is kept if it holds kept objects, or could not be listed', () => {
  const settings = found(ConfigMap, 'settings', { ...ours, annotations: {} });
  const contents = new Map([['shops', { found: [settings], unknown: [] }]]);
  expect(refusalsOf(surveyOf([shops, settings], { contents }))).toHaveLength(1);
  const hidden = new Map([['shops', { found: [], unknown: ['secrets: forbidden'] }]]);
  expect(refusalsOf(surveyOf([shops], { contents: hidden }))).toEqual([
    'Namespace shops must be known to hold nothing of others, got: secrets: forbidden',
  ]);
});

test('objects of a deleted definition do not keep a namespace, and those of a kept definition do', () => {
  const contents = new Map([['shops', { found: [foreign], unknown: [] }]]);
  const instances = new Map([[crd.name.name, { kind: redises, found: [foreign] }]]);
  const survey = surveyOf([shops, crd], { contents, instances });
  expect(refusalsOf(survey, { deleteObjects: true })).toEqual([]);
  expect(refusalsOf(survey, { deleteObjects: true, keepDefinitions: true })).toEqual([
    expect.stringContaining('(Redis other)'),
  ]);
});

test('objects created since the survey keep a definition, unless all of its objects are deleted', () => {
  const before = surveyOf([crd, sample], {
    instances: new Map([[crd.name.name, { kind: redises, found: [sample] }]]),
  });
  const now = (objects: readonly FoundObject[]): Survey =>
    surveyOf([crd], { instances: new Map([[crd.name.name, { kind: redises, found: objects }]]) });
  const removal = planRemoval(before);
  expect(removal.refusals).toEqual([]);
  expect(findObjections(removal, now([]))).toEqual([]);
  expect(findObjections(removal, now([foreign])).map(({ message }) => message)).toEqual([
    expect.stringContaining('must have no objects, got 1 (shops/other)'),
  ]);
  const all = planRemoval(before, { deleteObjects: true });
  expect(findObjections(all, now([foreign]))).toEqual([]);
});

test('objects created since the survey keep a namespace, and terminating ones do not', () => {
  const before = surveyOf([shops, workload], {
    contents: new Map([['shops', { found: usual, unknown: [] }]]),
  });
  const removal = planRemoval(before);
  const now = (objects: readonly FoundObject[], unknown: readonly string[] = []): string[] => {
    const contents = new Map([['shops', { found: objects, unknown }]]);
    return findObjections(removal, surveyOf([shops], { contents })).map(({ message }) => message);
  };
  const late = found(Pod, 'shops-1-b', ownedBy(replicas));
  expect(now([replicas, late])).toEqual([]);
  expect(now([found(ConfigMap, 'notes')])).toEqual([
    expect.stringContaining('must hold nothing of others, got 1 (ConfigMap notes)'),
  ]);
  expect(now([], ['secrets: forbidden'])).toEqual([
    'Namespace shops must be known to hold nothing of others, got: secrets: forbidden',
  ]);
});
