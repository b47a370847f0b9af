import { expect, test } from '@jest/globals';
import { resolveTenant } from '../../model/layers/resolve.ts';
import { checkTenant } from '../../model/rules/rules.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { NetworkSettings } from '../../crds/network.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { collectFindings } from './given.ts';

const already = (kind: string, name: string, by: string) =>
  `must have a name of its own, got ${kind} '${name}', which ${by} already gives`;
const refused = (tenant: TenantSpec) => collectFindings({ tenant });

const scoped = (name: string) => ({ name, scopes: ['Terminating' as const], hard: { pods: 1 } });

test('the quota of a namespace and each scoped quota have different names', () => {
  expect(refused({ quota: { name: 'a', scoped: [scoped('b'), scoped('c')] } })).toEqual([]);
  expect(refused({ quota: { name: 'a', scoped: [scoped('a')] } })).toEqual([
    `spec.quota.scoped ${already('ResourceQuota', 'a', 'quota')}`,
  ]);
});

test('a quota without bounds is not rendered, and its name stays free', () => {
  const quota = { preset: 'none', name: 'a', scoped: [scoped('a')] };
  expect(refused({ quota })).toEqual([]);
  expect(refused({ quota: { ...quota, hard: { pods: 1 } } })).toHaveLength(1);
});

test('a suspended namespace always has a quota, which lets no pod start', () => {
  const quota = { preset: 'none', name: 'a', scoped: [scoped('a')] };
  expect(refused({ quota, lifecycle: 'Suspended' })).toEqual([
    `spec.quota.scoped ${already('ResourceQuota', 'a', 'quota')}`,
  ]);
});

const rule = (name: string) => ({ name, podLabels: { a: 'b' } });
const raw = (name: string) => ({ name, spec: {} });

test.each<[string, NetworkSettings, string]>([
  ['isolation', {}, 'tenant-isolation'],
  ['ingressControllers', {}, 'allow-ingress-controllers'],
  ['monitoring', {}, 'allow-monitoring'],
  ['egress', { egress: 'Closed' }, 'tenant-egress'],
])('the policy of network.%s has a unique name', (field, settings, name) => {
  expect(refused({ network: { ...settings, policies: [raw(name)] } })).toEqual([
    `spec.network.policies ${already('NetworkPolicy', name, `network.${field}`)}`,
  ]);
  const renamed = { policyNames: { [field]: 'other' } };
  expect(refused({ network: { ...settings, ...renamed, policies: [raw(name)] } })).toEqual([]);
  expect(refused({ network: { ...settings, ...renamed, policies: [raw('other')] } })).toHaveLength(
    1,
  );
});

test.each<[string, NetworkSettings]>([
  ['tenant-isolation', { isolation: 'Open' }],
  ['allow-ingress-controllers', { isolation: 'Open' }],
  ['allow-ingress-controllers', { ingressControllers: 'Deny' }],
  ['allow-monitoring', { isolation: 'Open' }],
  ['allow-monitoring', { monitoring: 'Deny' }],
  ['tenant-egress', { egress: 'Open' }],
])('%s is free where that policy is not rendered: %j', (name, settings) => {
  expect(refused({ network: { ...settings, policies: [raw(name)] } })).toEqual([]);
});

test('policies of different fields cannot have the same name', () => {
  const network: NetworkSettings = {
    egress: 'Closed',
    allowFrom: [rule('x'), rule('y')],
    allowTo: [rule('y'), rule('z')],
    policies: [raw('x'), raw('z')],
  };
  expect(refused({ network })).toEqual([
    `spec.network.allowTo ${already('NetworkPolicy', 'y', 'network.allowFrom')}`,
    `spec.network.policies ${already('NetworkPolicy', 'x', 'network.allowFrom')}`,
    `spec.network.policies ${already('NetworkPolicy', 'z', 'network.allowTo')}`,
  ]);
});

const map = (name: string, namespace?: string) => ({
  manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } } as never,
});

test('two further objects of the same kind and name in a namespace are refused', () => {
  const namespaces = [{ name: 'a' }, { name: 'b' }];
  const at = (i: number) => `spec.resources[${i}].manifest`;
  const words = already('ConfigMap', 'x', 'another entry of resources');
  expect(refused({ namespaces, resources: [map('x'), map('y'), map('x')] })).toEqual([
    `${at(2)} ${words}`,
  ]);
  expect(refused({ namespaces, resources: [map('x', 'a'), map('x', 'b')] })).toEqual([]);
  expect(refused({ namespaces, resources: [map('x', 'a'), map('x')] })).toEqual([
    `${at(1)} ${words}`,
  ]);
});

test('a value that is not an object takes no name, and is reported as such', () => {
  const resources = [{ manifest: null as never }, { manifest: undefined as never }];
  const acme = { name: 'acme', spec: { resources } };
  const klass = { name: 'standard', spec: {} };
  const findings = checkTenant(resolveTenant(acme, klass, resolvePlatform({})));
  expect(new Set(findings.map(({ rule }) => rule))).toContain('resource-object');
});

test('kinds of different groups may have the same name', () => {
  const widget = (group: string) => ({
    manifest: { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'x' } } as never,
  });
  const kinds = ['a.example.com', 'b.example.com'].map((group) => ({
    group,
    kind: 'Widget',
    scope: 'Namespaced' as const,
  }));
  const resources = kinds.map(({ group }) => widget(group));
  expect(collectFindings({ platform: { kinds }, tenant: { resources } })).toEqual([]);
  const twice = [widget('a.example.com'), widget('a.example.com')];
  expect(collectFindings({ platform: { kinds }, tenant: { resources: twice } })).toEqual([
    `spec.resources[1].manifest ${already('Widget.a.example.com', 'x', 'another entry of resources')}`,
  ]);
});
