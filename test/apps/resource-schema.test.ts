import { expect, test } from '@jest/globals';
import { isMapping } from '@tenantry/kube/mapping';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { ofOneVersion } from '../cluster/crds.ts';
import { inFleet, platform, tenant, tenantClass } from './fleet.ts';

const crd = (fields: Record<string, JSONSchemaProps>, more: object = {}): string => {
  const kind = { apiVersion: 'example.com/v1', kind: 'Feed', plural: 'feeds' };
  const spec = { type: 'object', properties: fields };
  const whole = { type: 'object', properties: { spec } };
  return JSON.stringify({ ...ofOneVersion(kind, whole, 'Namespaced'), ...more });
};

const region = { region: { type: 'string', maxLength: 9 } };
const feed = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Feed',
  metadata: { name: 'x' },
  spec,
});
const platformFile = platform({ crdFiles: ['crds'] });

test(
  'an object is validated against the definition that the platform names, and no other',
  inFleet(
    {
      'tenantry.yaml': platformFile,
      'crds/feed.yaml': crd(region),
      'tenants/a.yaml': tenant('a', { resources: [{ manifest: feed({ regon: 'eu' }) }] }),
    },
    (fleet) => {
      expect(fleet.render().problems).toEqual([
        expect.stringMatching(
          /^tenants\/a\.yaml:4:\d+ spec\.resources\[0\]\.manifest\.spec\.regon must be a known field, got 'regon'; did you mean 'region'\?$/,
        ),
      ]);
      const kinds = [{ group: 'example.com', kind: 'Feed', scope: 'Namespaced' }];
      fleet.write({ 'tenantry.yaml': platform({ kinds }) });
      expect(fleet.render().problems).toEqual([]);
    },
  ),
);

test(
  'the cache of a tenant is discarded when a definition changes',
  inFleet(
    {
      'tenantry.yaml': platformFile,
      'crds/feed.yaml': crd(region),
      'tenants/a.yaml': tenant('a', { resources: [{ manifest: feed({ region: 'eu' }) }] }),
    },
    (fleet) => {
      const render = () => fleet.render({ memory: 'memory' }).problems;
      expect(render()).toEqual([]);
      expect(render()).toEqual([]);
      fleet.write({ 'crds/feed.yaml': crd({ zone: { type: 'string' } }) });
      expect(render()).toEqual([expect.stringContaining("got 'region'; known: zone")]);
      fleet.write({ 'tenantry.yaml': platform({ crdFiles: ['crds'], resourceSchemas: 'Warn' }) });
      const { problems, warnings } = fleet.render({ memory: 'memory' });
      expect(problems).toEqual([]);
      expect(warnings).toEqual([expect.stringContaining("got 'region'; known: zone")]);
      expect(fleet.render({ memory: 'memory' }).warnings).toEqual(warnings);
    },
  ),
);

test(
  'a definition with an unusable schema validates no object, and a warning explains it',
  inFleet(
    {
      'tenantry.yaml': platformFile,
      'crds/feed.yaml': crd(region, { apiVersion: 'apiextensions.k8s.io/v1beta1' }),
      'tenants/a.yaml': tenant('a', { resources: [{ manifest: feed({ regon: 'eu' }) }] }),
    },
    (fleet) => {
      const { problems, summary } = fleet.render();
      expect(problems).toEqual([]);
      expect(summary?.warnings).toMatchObject([
        {
          file: expect.stringMatching(/tenants\/a\.yaml$/),
          path: 'spec.resources[0].manifest.kind',
          rule: 'resource-schema',
          message: expect.stringMatching(
            /^must be a kind whose definition can be used, to be validated against its schema, got 'Feed': apiVersion must be 'apiextensions\.k8s\.io\/v1', got /,
          ),
        },
      ]);
    },
  ),
);

test(
  'a cluster-scoped definition is ignored, since tenants have no objects of it',
  inFleet(
    {
      'tenantry.yaml': platformFile,
      'crds/feed.yaml': crd(region, {
        spec: { group: 'example.com', scope: 'Cluster', names: { kind: 'Feed' } },
      }),
    },
    (fleet) => expect(fleet.render()).toMatchObject({ problems: [], warnings: [] }),
  ),
);

const shared = {
  'tenants/resources/maps.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ok}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndta:\n  a: b\n',
};

test(
  'a mistake in an included file is reported once, in that file, however many tenants include it',
  inFleet(
    {
      ...shared,
      'tenants/a/a.yaml': tenant('a', { resources: [{ file: '../resources/maps.yaml' }] }),
      'tenants/b/b.yaml': tenant('b', { resources: [{ file: '../resources/maps.yaml' }] }),
    },
    (fleet) => {
      expect(fleet.render().problems).toEqual([
        expect.stringMatching(
          /^tenants\/resources\/maps\.yaml:8:1 dta must be a known field, got 'dta'; did you mean 'data'\? \(included by \S*tenants\/a\/a\.yaml, \S*tenants\/b\/b\.yaml\)$/,
        ),
      ]);
      fleet.write({ 'tenantry.yaml': platform({ resourceSchemas: 'Warn' }) });
      for (let run = 0; run < 2; run += 1) {
        const { problems, warnings } = fleet.render({ memory: 'memory' });
        expect(problems).toEqual([]);
        expect(warnings).toEqual([expect.stringContaining('maps.yaml:8:1 dta must be')]);
      }
    },
  ),
);

test(
  'problems in a List have the places of its items, in a file and in a declaration',
  inFleet(
    {
      'tenants/a/resources/list.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: yy}\n  dta: {}\n',
      'tenants/a/a.yaml': `apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata: {name: a}
spec:
  resources:
    - file: resources/list.yaml
    - manifest:
        apiVersion: v1
        kind: List
        items:
          - {apiVersion: v1, kind: ConfigMap, metadata: {name: z}}
          - apiVersion: v1
            kind: ConfigMap
            metadata: {name: zz}
            data:
              a: 1
`,
    },
    (fleet) =>
      expect(fleet.render().problems).toEqual([
        'tenants/a/a.yaml:16:18 spec.resources[1].manifest.items[1].data.a must be a string, got 1',
        expect.stringMatching(
          /^tenants\/a\/resources\/list\.yaml:8:3 items\[1\]\.dta must be a known field, .* \(included by \S*a\.yaml\)$/,
        ),
      ]),
  ),
);

test(
  'while the platform file is broken no object is validated against schemas, which it may name',
  inFleet(
    {
      'tenantry.yaml': platform({ clusters: 7 }),
      'tenants/classes/web.yaml': tenantClass('web', {
        presets: {
          resources: [
            {
              name: 'map',
              manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, dta: 1 }],
            },
          ],
        },
      }),
    },
    (fleet) =>
      expect(fleet.render().problems).toEqual([expect.stringContaining('spec.clusters must be')]),
  ),
);

const stop: JSONSchemaProps = {
  type: 'object',
  properties: { at: { type: 'string' }, minutes: { type: 'integer', default: 1 } },
};

/** Fields that `kubectl get crd -o yaml` adds. */
const asStored = {
  metadata: {
    name: 'feeds.example.com',
    uid: '2f6d7c3e-52f4-4f4e-9d8a-0d6f0a4b6f11',
    resourceVersion: '812',
    generation: 1,
    creationTimestamp: '2026-01-31T12:00:00Z',
    managedFields: [{ manager: 'kubectl', operation: 'Apply', apiVersion: 'v1', fieldsV1: {} }],
  },
  status: {
    acceptedNames: { kind: 'Feed', listKind: 'FeedList', plural: 'feeds', singular: 'feed' },
    conditions: [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted' }],
    storedVersions: ['v1'],
  },
};

test(
  'lists of an object are rendered as they will be stored, and all else as declared',
  inFleet(
    {
      'tenantry.yaml': platformFile,
      'crds/feed.yaml': crd(
        {
          ...region,
          speed: { type: 'integer', default: 3 },
          stops: { type: 'array', items: stop },
        },
        asStored,
      ),
      'tenants/a.yaml': tenant('a', {
        resources: [{ manifest: feed({ stops: [{ at: 'Malmö' }, { at: 'Lund', minutes: 4 }] }) }],
      }),
    },
    (fleet) => {
      const objects = Object.values(fleet.rendered())
        .flatMap((text) => readDocuments(text).documents)
        .flatMap(({ value }) => (isMapping(value) ? [value] : []));
      const rendered = objects.find(({ kind }) => kind === 'Feed');
      expect(rendered!['spec']).toEqual({
        stops: [
          { at: 'Malmö', minutes: 1 },
          { at: 'Lund', minutes: 4 },
        ],
      });
    },
  ),
);
