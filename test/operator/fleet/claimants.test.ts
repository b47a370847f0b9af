import { expect, test } from '@jest/globals';
import {
  claimedNamespacesOf,
  declarationOf,
  resolveClaimant,
} from '../../../operator/fleet/declarations.ts';
import { fleetOf, liveTenant } from '../given.ts';

const tenant = (name: string, day: number) =>
  liveTenant({}, { name, creationTimestamp: `2026-01-0${day}T00:00:00Z` });
const [young, old] = [tenant('a', 2), tenant('b', 1)];
const holder = (label?: string, ...of: ReturnType<typeof tenant>[]) =>
  resolveClaimant(of, label)?.metadata.name;

test('a namespace belongs to the tenant in its label, however new that tenant is', () => {
  expect(holder('a', young, old)).toBe('a');
  expect(holder('b', young, old)).toBe('b');
});

test('an unlabeled namespace belongs to the oldest tenant that names it, and on a tie to the first by name', () => {
  expect(holder(undefined, young, old)).toBe('b');
  expect(holder(undefined, old, young)).toBe('b');
  expect(holder(undefined, tenant('d', 1), tenant('c', 1))).toBe('c');
});

test('the label of a tenant that does not name the namespace is ignored, and an unnamed namespace has no owner', () => {
  expect(holder('undeclaredObject', young, old)).toBe('b');
  expect(holder('undeclaredObject')).toBeUndefined();
  expect(holder('')).toBeUndefined();
});

test('a tenant claims the namespaces that it names, with its prefix, and by default one of its own name', () => {
  const namespaces = [{ name: 'dev' }, { name: 'prod' }];
  expect(claimedNamespacesOf(liveTenant({ namespacePrefix: 'pay-', namespaces }))).toEqual([
    'pay-dev',
    'pay-prod',
  ]);
  expect(claimedNamespacesOf(liveTenant({}))).toEqual(['acme']);
  const { spec: _, ...bare } = liveTenant({});
  expect(claimedNamespacesOf(bare as never)).toEqual(['acme']);
});

test('labels and annotations of a Tenant are part of its declaration, and cluster metadata is not', () => {
  const live = liveTenant(
    { className: 'x' },
    { labels: { a: 'b' }, status: {}, annotations: { c: 'd' } },
  );
  expect(declarationOf(live)).toEqual({
    name: 'acme',
    labels: { a: 'b' },
    annotations: { c: 'd' },
    spec: { className: 'x' },
  });
});

test('keys that kubectl, Argo CD, Flux and Helm add to a Tenant are not part of its declaration', () => {
  const theirs = {
    labels: {
      'app.kubernetes.io/instance': 'tenants',
      'app.kubernetes.io/managed-by': 'Helm',
      'kustomize.toolkit.fluxcd.io/name': 'tenants',
    },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'argocd.argoproj.io/tracking-id': 'tenants:tenantry.dev/Tenant:/acme',
      'meta.helm.sh/release-name': 'tenants',
    },
  };
  const own = {
    labels: { 'example.com/compliance': 'cards', 'team.k8s.io/tier': 'a' },
    annotations: { 'example.com/handbook': 'x' },
  };
  const live = liveTenant(
    {},
    {
      labels: { ...theirs.labels, ...own.labels },
      annotations: { ...theirs.annotations, ...own.annotations },
    },
  );
  expect(declarationOf(live)).toEqual({ name: 'acme', spec: {}, ...own });
  const bare = { name: 'acme', spec: {}, labels: {}, annotations: {} };
  expect(declarationOf(liveTenant({}, theirs))).toEqual(bare);
  const { findings } = fleetOf().desired(declarationOf(liveTenant({}, theirs)));
  expect(findings).toEqual([]);
});
