import { expect, test } from '@jest/globals';
import { readManifests } from '../../import/manifests.ts';
import { sortByNamespace } from '../../import/namespaces.ts';
import { groupNamespaces, type Grouping } from '../../import/tenant-names.ts';

interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Groups namespaces, and returns their names by tenant. */
function group(
  namespaces: Readonly<Record<string, Metadata>>,
  pinned: Readonly<Record<string, string>> = {},
  wanted?: Grouping,
): Record<string, string[]> {
  const files = Object.entries(namespaces).map(([name, metadata]) => ({
    file: `${name}.yaml`,
    text: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } }),
  }));
  const found = sortByNamespace(readManifests(files).objects, {
    isProtected: () => undefined,
  }).namespaces;
  const { groups } = groupNamespaces(found, new Map(Object.entries(pinned)), wanted);
  return Object.fromEntries(
    groups.map(({ name, namespaces: members }) => [name, members.map((one) => one.name)]),
  );
}

test('environments at either end of a name are those of one tenant', () => {
  expect(
    group({ 'shop-dev': {}, 'shop-prod': {}, 'dev-web': {}, 'prod-web': {}, live: {} }),
  ).toEqual({
    shop: ['shop-dev', 'shop-prod'],
    web: ['dev-web', 'prod-web'],
    live: ['live'],
  });
});

test('an annotation that joins more namespaces of like names is better than their names', () => {
  const app = (name: string): Metadata => ({ annotations: { 'example.com/app': name } });
  expect(group({ 'shop-web-dev': app('s'), 'shop-api-dev': app('s'), billing: app('b') })).toEqual({
    shop: ['shop-api-dev', 'shop-web-dev'],
    billing: ['billing'],
  });
});

test('a key with the same value everywhere joins nothing', () => {
  const all: Metadata = { labels: { 'example.com/managed': 'yes' } };
  expect(group({ shop: all, billing: all, web: all })).toEqual({
    billing: ['billing'],
    shop: ['shop'],
    web: ['web'],
  });
});

test('the label of another tenancy system names the tenants, whatever the names of namespaces', () => {
  const of = (name: string): Metadata => ({ labels: { 'capsule.clastix.io/tenant': name } });
  expect(group({ alpha: of('oil'), beta: of('oil'), gamma: of('gas') })).toEqual({
    gas: ['gamma'],
    oil: ['alpha', 'beta'],
  });
});

test('pinned namespaces belong to their tenant, and no other tenant gets its name', () => {
  const namespaces = { shop: {}, 'shop-dev': {}, checkout: {} };
  expect(group(namespaces, { checkout: 'shop' }, { by: 'none' })).toEqual({
    shop: ['checkout'],
    'shop-2': ['shop'],
    'shop-dev': ['shop-dev'],
  });
});
