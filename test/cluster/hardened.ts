import { afterAll, expect } from '@jest/globals';
import { buildHardeningLabels } from '../../model/hardening/policy.ts';
import type { Hardening } from '../../crds/hardening.ts';
import { harden } from '../attacks/mtb/world.ts';
import {
  startCluster,
  type ClusterAccess,
  type Cluster,
  type ClusterOptions,
} from '@tenantry/testing/controlplane/cluster';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import type { Binaries } from '@tenantry/testing/controlplane/programs';
import { uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { apply } from './tenant.ts';

/**
 * Returns the cluster that the tests of a file share, each in namespaces of its own. It has a StorageClass for each
 * policy, and the guard of the clusters of that minor version. It starts on first use.
 */
export function hardenedCluster(
  given: { readonly binaries: Binaries },
  minor: string,
  more: ClusterOptions = {},
): () => Promise<Cluster> {
  let cluster: Promise<Cluster> | undefined;
  afterAll(async () => (await cluster)?.stop());
  return () => (cluster ??= started(minor, { binaries: given.binaries, ...more }));
}

async function started(minor: string, options: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  const kind = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' };
  const provisioner = 'example.com/none';
  const storage = ['Retain', 'Delete'].map((reclaimPolicy) => ({
    ...kind,
    metadata: { name: reclaimPolicy.toLowerCase() },
    provisioner,
    reclaimPolicy,
  }));
  await apply(cluster, storage);
  await harden(cluster, minor);
  return cluster;
}

/** Creates a namespace in which these guarantees hold, ready for pods. */
export async function namespaceWith(cluster: ClusterAccess, hardening: Hardening, more = {}) {
  const name = uniqueName('hardened');
  const labels = { ...buildHardeningLabels(hardening), ...more };
  const account = { name: 'default', namespace: name };
  await apply(cluster, [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
  ]);
  return name;
}

export const pod = (namespace: string, container: object = {}, spec: object = {}): Body => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'shop', namespace },
  spec: { containers: [{ name: 'shop', image: 'example.com/shop:1', ...container }], ...spec },
});

export const claim = (namespace: string, spec: object, name = 'data'): Body => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

/**
 * Repeats a request until the API server, which learns of policies and their parameters with a delay, enforces them.
 */
export const inForce = (ask: () => Promise<Reply>) =>
  until('the policy is in force', async () => (await ask()).status === 403);

export const refused = (message: string) => ({
  status: 403,
  body: { reason: 'Forbidden', message: expect.stringContaining(message) },
});
export const dryRun = { dryRun: true };
