import { expect, test } from '@jest/globals';
import {
  findMarkedManager,
  findProgram,
  listMakers,
  type ManagedObject,
} from '../../import/object-managers.ts';

type Metadata = ManagedObject['metadata'];

const role = (metadata: Partial<Metadata>): ManagedObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'reader', namespace: 'shop', ...metadata },
});

/** An entry of managedFields: what a manager wrote. */
const wrote = (manager: string, fields: readonly string[], subresource?: string) => ({
  manager,
  operation: 'Update' as const,
  time: '2026-01-01T00:00:00Z',
  fieldsV1: Object.fromEntries(fields.map((field) => [`f:${field}`, {}])),
  ...(subresource !== undefined && { subresource }),
});

const TRACKING = 'argocd.argoproj.io/tracking-id';
const THIS_ROLE = 'rbac.authorization.k8s.io/Role:shop/reader';

test.each<[string, Partial<Metadata>, string | undefined]>([
  ['tracks it', { annotations: { [TRACKING]: `tenants:${THIS_ROLE}` } }, 'argocd:tenants'],
  ['in another namespace', { annotations: { [TRACKING]: `team_a:${THIS_ROLE}` } }, 'argocd:team/a'],
  [
    'tracks another object, from which the annotation was copied',
    { annotations: { [TRACKING]: `tenants:${THIS_ROLE}-old` } },
    undefined,
  ],
  ['has its own label', { labels: { 'argocd.argoproj.io/instance': 'a' } }, 'argocd:a'],
  [
    'wrote the object with the label of an instance',
    {
      labels: { 'app.kubernetes.io/instance': 'a' },
      managedFields: [wrote('argocd-controller', ['rules'])],
    },
    'argocd:a',
  ],
  [
    'did not write the object with the label of an instance',
    {
      labels: { 'app.kubernetes.io/instance': 'a' },
      managedFields: [wrote('kubectl-create', ['rules'])],
    },
    undefined,
  ],
])('an application of Argo CD that %s', (_, metadata, id) => {
  expect(findMarkedManager(role(metadata))?.id).toBe(id);
});

test.each<[string, Partial<Metadata>, string, string]>([
  [
    'a Helm release',
    {
      annotations: {
        'meta.helm.sh/release-name': 'redis',
        'meta.helm.sh/release-namespace': 'data',
      },
    },
    'helm:data/redis',
    'the Helm release data/redis',
  ],
  [
    'a Helm release in the namespace of the object',
    { annotations: { 'meta.helm.sh/release-name': 'redis' } },
    'helm:shop/redis',
    'the Helm release shop/redis',
  ],
  [
    'a Kustomization of Flux',
    {
      labels: {
        'kustomize.toolkit.fluxcd.io/name': 'tenants',
        'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
      },
    },
    'flux:flux-system/tenants',
    'the Flux Kustomization flux-system/tenants',
  ],
  [
    'a HelmRelease of Flux, which wins over the release that it makes',
    {
      labels: {
        'helm.toolkit.fluxcd.io/name': 'redis',
        'helm.toolkit.fluxcd.io/namespace': 'shop',
      },
      annotations: { 'meta.helm.sh/release-name': 'redis' },
    },
    'flux:shop/redis',
    'the Flux HelmRelease shop/redis',
  ],
  ['kapp', { labels: { 'kapp.k14s.io/app': '17' } }, 'kapp:17', 'the kapp application 17'],
])('an object shows that it is managed by %s', (_, metadata, id, name) => {
  expect(findMarkedManager(role(metadata))).toEqual({ id, name });
});

const programOf = (...managedFields: ReturnType<typeof wrote>[]): string | undefined =>
  findProgram(listMakers({ managedFields, creationTimestamp: '2026-01-01T00:00:00Z' }))?.id;

test('the manager that wrote the content made the object, and a controller that only labels it did not', () => {
  expect(programOf(wrote('provisioner', ['rules']))).toBe('program:provisioner');
  expect(
    programOf(wrote('kubectl-create', ['rules']), wrote('labeller', ['metadata'])),
  ).toBeUndefined();
  expect(programOf(wrote('provisioner', ['rules']), wrote('kubectl-label', ['metadata']))).toBe(
    'program:provisioner',
  );
  expect(
    programOf(wrote('kubectl-create', ['spec']), wrote('operator', ['status'], 'status')),
  ).toBeUndefined();
});

test('an object whose content a tool of people wrote too is theirs', () => {
  expect(
    programOf(wrote('provisioner', ['rules']), wrote('kubectl-edit', ['rules'])),
  ).toBeUndefined();
});

test('an object without content was made by its creator', () => {
  const later = { ...wrote('kubectl-annotate', ['metadata']), time: '2026-02-01T00:00:00Z' };
  expect(programOf(wrote('provisioner', ['metadata']), later)).toBe('program:provisioner');
  // The token controller writes `secrets` to accounts of people.
  const tokens = wrote('kube-controller-manager', ['secrets']);
  expect(
    programOf({ ...tokens, time: later.time }, wrote('kubectl', ['metadata'])),
  ).toBeUndefined();
});

test('an object of which the API server does not know who made it is that of people', () => {
  expect(findProgram(listMakers({}))).toBeUndefined();
});

test.each([
  'kubectl',
  'kubectl-client-side-apply',
  'kubectl-edit',
  'helm',
  'argocd-controller',
  'kustomize-controller',
  'Terraform',
  'HashiCorp',
  'pulumi-kubernetes-1a2b3c',
  'Mozilla',
  'node-fetch',
  'before-first-apply',
])('%s is a tool of people', (manager) => {
  expect(programOf(wrote(manager, ['rules']))).toBeUndefined();
});

test.each(['provisioner', 'Go-http-client', 'OpenAPI-Generator', 'unknown', 'helmet', 'octopus'])(
  '%s is a program',
  (manager) => {
    expect(programOf(wrote(manager, ['rules']))).toBe(`program:${manager}`);
  },
);
