import { expect, test } from '@jest/globals';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { crdManifest } from '@tenantry/crd/definition';
import { validateDefinition } from '@tenantry/crd/validation/validate';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { valuesOf } from '@tenantry/crd/test/schema/language/given';
import { validate } from '@tenantry/crd/schema/validate';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { measureCpuTime } from '../cpu-time.ts';

type Node = JSONSchemaProps;

const crds = [tenant, tenantClass].map(crdManifest);
const versionOf = (crd: CustomResourceDefinitionManifest) => crd.spec.versions[0]!;
const schemaOf = (crd: CustomResourceDefinitionManifest): Node =>
  versionOf(crd).schema!.openAPIV3Schema!;

/** Returns every node below the spec, with its path. */
function nodesOf(node: Node, path = 'spec'): [string, Node][] {
  return [
    [path, node],
    ...Object.entries(node.properties ?? {}).flatMap(([name, one]) =>
      nodesOf(one, `${path}.${name}`),
    ),
    ...(node.items ? nodesOf(node.items, `${path}[]`) : []),
    ...(valuesOf(node) ? nodesOf(valuesOf(node)!, `${path}.*`) : []),
  ];
}

const nodes = crds.flatMap((crd) =>
  nodesOf(schemaOf(crd).properties!['spec']!, `${crd.metadata.name} spec`),
);
const without = (wanted: (node: Node) => boolean, key: keyof Node): string[] =>
  nodes.filter(([, node]) => wanted(node) && node[key] === undefined).map(([path]) => path);

test('the CRD of a Tenant has its names, its scope and its status', () => {
  expect(crdManifest(tenant)).toMatchObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tenants.tenantry.dev' },
    spec: {
      group: 'tenantry.dev',
      scope: 'Cluster',
      names: {
        kind: 'Tenant',
        listKind: 'TenantList',
        plural: 'tenants',
        singular: 'tenant',
        shortNames: ['tn'],
        categories: ['tenantry'],
      },
      versions: [{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } }],
    },
  });
});

test('a TenantClass has no status', () => {
  expect(versionOf(crds[1]!)).not.toHaveProperty('subresources');
  expect(schemaOf(crds[1]!).properties).not.toHaveProperty('status');
});

test('kubectl get shows whether a Tenant is as declared, and more with -o wide', () => {
  const columns = versionOf(crds[0]!).additionalPrinterColumns!;
  const names = (wide: boolean) =>
    columns.filter(({ priority = 0 }) => priority > 0 === wide).map(({ name }) => name);
  expect(names(false)).toEqual([
    'Class',
    'Lifecycle',
    'Ready',
    'Drifted',
    'Undeclared',
    'Reason',
    'Age',
  ]);
  expect(names(true)).toEqual(['Policy', 'Message']);
});

test('no field has a default in the CRD, because a stored default would override the class', () => {
  expect(nodes.length).toBeGreaterThan(500);
  expect(nodes.filter(([, node]) => 'default' in node).map(([path]) => path)).toEqual([]);
  // The fields named `default` (LimitRange) are not the keyword.
  expect(nodes.some(([path]) => path.endsWith('.items[].default'))).toBe(true);
});

test('the API server accepts our own kinds, including the cost of their CEL rules', () => {
  for (const crd of crds) {
    expect(validateDefinition(crd)).toMatchObject({ errors: [], warnings: [], notChecked: [] });
  }
});

test('every list, string and map is bounded, because CEL costs are estimated from the bounds', () => {
  expect(without(({ type }) => type === 'array', 'maxItems')).toEqual([]);
  expect(without((node) => node.additionalProperties !== undefined, 'maxProperties')).toEqual([]);
  // The format of a date bounds it.
  const isText = ({ type, format, ...node }: JSONSchemaProps) =>
    type === 'string' && format !== 'date' && !node['enum'];
  expect(without(isText, 'maxLength')).toEqual([]);
  expect(without((node) => node['x-kubernetes-int-or-string'] === true, 'maxLength')).toEqual([]);
  expect(without(({ type }) => type === 'integer', 'maximum')).toEqual([]);
});

test('every list has a list type, and every field has a description', () => {
  expect(without(({ type }) => type === 'array', 'x-kubernetes-list-type')).toEqual([]);
  expect(without(() => true, 'description')).toEqual([]);
});

test('every node has a type, which makes the schema structural', () => {
  expect(without((node) => node['x-kubernetes-int-or-string'] !== true, 'type')).toEqual([]);
});

test('no field accepts anything but objects, their presets and the values for those', () => {
  const open = nodes.filter(([, node]) => node['x-kubernetes-preserve-unknown-fields']);
  const layers = ['spec', 'spec.namespaces[]', 'spec.defaults', 'spec.environments[]'];
  const ofPresets = ['parameters', 'manifests[]'].map((one) => `spec.presets.resources[].${one}`);
  const ofLayers = layers.flatMap((layer) =>
    ['manifest', 'values'].map((one) => `${layer}.resources[].${one}`),
  );
  expect(open.map(([path]) => path.replace(/^\S+ /, '')).toSorted()).toEqual(
    [...ofPresets, ...ofLayers].toSorted(),
  );
});

test('only keywords of the API server are in the schema', () => {
  const keywords = new Set(nodes.flatMap(([, node]) => Object.keys(node)));
  for (const ours of ['must', 'absent', 'rules']) {
    expect(keywords).not.toContain(ours);
  }
});

test('every rule of a CRD is CEL with a message about what the value must be', () => {
  const rules = nodes.flatMap(([, node]) => node['x-kubernetes-validations'] ?? []);
  expect(rules.length).toBeGreaterThan(5);
  for (const rule of rules) {
    expect(Object.keys(rule).toSorted()).toEqual(['message', 'rule']);
    expect(rule.message).toMatch(/^must /);
  }
});

test('every pattern works in both readers: anchored, without lookaround and back references', () => {
  const patterns = new Set(nodes.flatMap(([, { pattern }]) => pattern ?? []));
  expect(patterns.size).toBeGreaterThan(10);
  for (const pattern of patterns) {
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
    expect(pattern).toMatch(/^\^.*\$$/);
    expect(pattern).not.toMatch(/\(\?|\\[1-9]|\\[wWdDsSbB]/);
  }
});

test('no allowed text makes a pattern slow (CVE-2026-65834)', () => {
  const spec = {
    className: `${'a'.repeat(1_000_000)}!`,
    namespaces: [{ name: '-'.repeat(1_000_000) }],
  };
  const taken = measureCpuTime(() => expect(validate(tenant.spec, spec)).toHaveLength(2));
  // A backtracking pattern would take hours for this text.
  expect(taken).toBeLessThan(20_000);
});
