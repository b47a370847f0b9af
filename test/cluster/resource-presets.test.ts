import { expect } from '@jest/globals';
import { toTenantClassObject, toTenantObject } from '../../model/declared-objects.ts';
import { Fleet } from '../../model/fleet.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenant as tenantKind } from '../../crds/tenant.ts';
import { tenantClass as classKind } from '../../crds/tenant-class.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import {
  newTenantNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

const host = { type: 'string', maxLength: 253 };

/** A site in the form that cert-manager and an ingress controller read. */
const site = {
  name: 'site',
  parameters: {
    type: 'object',
    required: ['host', 'port'],
    properties: {
      host,
      port: { type: 'integer', minimum: 1, maximum: 65535 },
      aliases: { type: 'array', items: host, maxItems: 9, default: [] },
      className: { type: 'string', maxLength: 63 },
    },
    'x-kubernetes-validations': [
      { rule: '!(self.host in self.aliases)', message: 'must have aliases besides the host' },
    ],
  },
  manifests: [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: '{host}', annotations: { 'example.com/of': '{tenant} on {cluster}' } },
      spec: {
        ingressClassName: '{className}',
        tls: [{ hosts: '{aliases}', secretName: '{host}-tls' }],
        rules: [
          {
            host: '{host}',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { number: '{port}' } } },
                },
              ],
            },
          },
        ],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: '{host}', creationTimestamp: null },
      data: { '{host}': 'port={port}\n', dashboard: '{{host}} ${port} \\{host}' },
    },
  ],
};

test('a class with presets, a Tenant that uses them, and the resulting objects are stored unchanged', async () => {
  const { admin } = given.cluster;
  const namespace = await newTenantNamespace(given.cluster, 'site');
  const klass = { name: uniqueName('web'), spec: { presets: { resources: [site] } } };
  const values = { host: 'shop.example.com', port: 8080, aliases: ['www.shop.example.com'] };
  const declaration = {
    name: namespace,
    spec: { className: klass.name, resources: [{ preset: 'site', values }] },
  };
  const fleet = new Fleet();
  expect(fleet.classes.add(klass).filter(({ severity }) => severity === 'error')).toEqual([]);
  const { namespaces, findings } = fleet.add(declaration, 'a.yaml');
  expect(findings).toEqual([]);
  const kinds = new Set(['Ingress', 'ConfigMap']);
  const made = namespaces.flatMap(({ objects }) => objects.filter(({ kind }) => kinds.has(kind)));
  expect(made).toHaveLength(2);
  for (const kind of [classKind, tenantKind]) await serve(admin, crdManifest(kind));
  const declared: readonly KubeObject[] = [toTenantClassObject(klass), toTenantObject(declaration)];
  for (const object of [...declared, ...made] as unknown as Body[]) {
    const { status, body } = await admin.apply(object, { fieldManager: 'argocd-controller' });
    expect({ of: object.kind, status, message: body.message }).toMatchObject({
      message: undefined,
    });
    expect(body).toMatchObject(object);
  }
  for (const object of declared) await admin.delete(toReference(object as unknown as Body));
});

test('an entry of resources is a manifest or a preset, and values require a preset', async () => {
  const { admin } = given.cluster;
  await serve(admin, crdManifest(tenantKind));
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const ask = async (entry: object) => {
    const object = toTenantObject({ name: uniqueName('entry'), spec: { resources: [entry] } });
    return (await admin.create(object as unknown as Body, { dryRun: true })).status;
  };
  expect(await ask({ manifest })).toBe(201);
  expect(await ask({ preset: 'a' })).toBe(201);
  expect(await ask({ preset: 'a', values: { b: { c: [1, null] } } })).toBe(201);
  for (const wrong of [{}, { manifest, preset: 'a' }, { manifest, values: {} }, { preset: 'A' }]) {
    expect(await ask(wrong)).toBe(422);
  }
});
