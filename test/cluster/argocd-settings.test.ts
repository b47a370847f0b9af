import { expect } from '@jest/globals';
import { buildCustomizations } from '../../model/argocd/customizations/customizations.ts';
import { buildSettingsConfigMap } from '../../model/argocd/customizations/settings.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';

const given = await sharedCluster();
const { test } = given;

test('the Argo CD settings share argocd-cm with the settings of others, and survive their next apply', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'gitops');
  const ours = buildSettingsConfigMap(namespace, {
    customizations: buildCustomizations(resolvePlatform()),
  });
  const metadata = { name: 'argocd-cm', namespace };
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  const theirs = (data: object): Body => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, labels },
    data,
  });
  const apply = async (object: object, fieldManager: string) => {
    const { status, body } = await admin.apply(object as Body, { fieldManager });
    return status <= 201 ? '' : (body.message ?? 'refused');
  };
  expect(await apply(theirs({ url: 'https://argocd.example.com' }), 'install')).toBe('');
  expect(await apply(ours, 'tenantry')).toBe('');
  expect(await apply(theirs({ url: 'https://cd.example.com' }), 'install')).toBe('');
  const { body } = await admin.get({ apiVersion: 'v1', kind: 'ConfigMap', ...metadata });
  expect(body['data']).toEqual({ ...(ours['data'] as object), url: 'https://cd.example.com' });
  expect(body.metadata?.labels).toEqual(labels);

  // An existing health check of another manager causes a conflict instead of being overwritten silently.
  const [key = ''] = Object.keys(ours['data'] as object);
  const other = await apply(theirs({ [key]: 'return {}' }), 'install');
  expect(other).toMatch(/conflict with "tenantry"/);

  // When two applies share one manager, the second removes the fields of the first.
  expect(await apply(theirs({}), 'tenantry')).toBe('');
  const { body: after } = await admin.get({ apiVersion: 'v1', kind: 'ConfigMap', ...metadata });
  expect(Object.keys(after['data'] as object)).toEqual(['url']);
});
