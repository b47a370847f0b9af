import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Testing } from 'cdk8s';
import { builtinClass } from '../../../model/layers/builtin.ts';
import { hardenedClass } from '../../../model/hardening/class.ts';
import { TenantHardening } from '../../../constructs/tenant/admission-policies.ts';
import type { TenantClassSpec } from '../../../crds/tenant-class.ts';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { clusterMinor } from '../../cluster/minor.ts';
import { apply, deliver, person, reads, type LiveTenant } from '../../cluster/tenant.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { root } from '../../structure/tracked.ts';

/** The built-in class, those of this repository, and the one of the package. */
export const classes = ['default', 'standard', 'regulated', 'hardened'] as const;
export type ClassName = (typeof classes)[number];

/** Two tenants of one class, and the administrator of each. */
export interface World {
  readonly cluster: ClusterAccess;
  readonly tenant: LiveTenant;
  readonly other: LiveTenant;
  /** A user with Kubernetes' `admin` in the tenant's namespace, and with nothing else. */
  readonly alice: Client;
  /** The same in the other tenant's namespace. */
  readonly bob: Client;
  /** StorageClasses of the cluster, by their reclaim policy. */
  readonly storage: { readonly Retain: string; readonly Delete: string };
}

function classSpec(name: ClassName): TenantClassSpec {
  if (name === 'default') return builtinClass.spec;
  if (name === 'hardened') return hardenedClass;
  const file = join(root, 'dist', 'clusters', 'fra1', 'tenantclasses', `${name}.yaml`);
  const { spec } = readDocuments(readFileSync(file, 'utf8')).documents[0]!.value as {
    spec: TenantClassSpec;
  };
  // Roles of the company, further kinds and tenant names are not available here.
  const { roles: _roles, allowedTenants: _tenants, ...rest } = spec;
  return { ...rest, defaults: { ...rest.defaults, resources: [] } };
}

const worlds = new Map<ClassName, Promise<World>>();

/** Returns the world of a class; the checks leave nothing behind in it. */
export function worldOf(cluster: ClusterAccess, name: ClassName): Promise<World> {
  const world = worlds.get(name) ?? build(cluster, name);
  worlds.set(name, world);
  return world;
}

async function build(cluster: ClusterAccess, name: ClassName): Promise<World> {
  const klass = classSpec(name);
  const storage = {
    Retain: await storageClass(cluster, 'Retain'),
    Delete: await storageClass(cluster, 'Delete'),
  };
  await harden(cluster, clusterMinor);
  const [user, otherUser] = [person('alice'), person('bob')] as const;
  const admins = (who: string) => ({ access: { admins: { users: [who] } } });
  const tenant = await deliver(cluster, uniqueName(name), admins(user), { klass });
  const other = await deliver(cluster, uniqueName('other'), admins(otherUser), { klass });
  const [alice, bob] = [cluster.user(user), cluster.user(otherUser)] as const;
  await reads(alice, tenant.namespace);
  await reads(bob, other.namespace);
  const quota = tenant.objects.find(({ kind }) => kind === 'ResourceQuota')!;
  await until('the quota is counted', async () => {
    const { status } = (await cluster.admin.get(toReference(quota))).body;
    return (status as { used?: object } | undefined)?.used !== undefined;
  });
  if (name === 'hardened') await untilHardened(alice, tenant.namespace, storage);
  return { cluster, tenant, other, alice, bob, storage };
}

/** Applies the hardening policies to a cluster, in the variant for that minor version. */
export function harden(cluster: ClusterAccess, kubernetesVersion: string): Promise<void> {
  const chart = Testing.chart();
  new TenantHardening(chart, 'hardening', { kubernetesVersion });
  return apply(cluster, Testing.synth(chart) as Body[]);
}

async function storageClass(cluster: ClusterAccess, reclaimPolicy: string): Promise<string> {
  const name = uniqueName(reclaimPolicy.toLowerCase());
  const kind = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' };
  const provisioner = 'example.com/none';
  await apply(cluster, [{ ...kind, metadata: { name }, provisioner, reclaimPolicy }]);
  return name;
}

/**
 * Waits until the API server enforces the policies, which it observes with a delay, as it does StorageClasses. Each
 * claim violates only one rule, because the API server may report either of two.
 */
async function untilHardened(by: Client, namespace: string, storage: World['storage']) {
  const metadata = { name: 'probe', namespace };
  const resources = { requests: { storage: '1Gi' } };
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata };
  const spec = { accessModes: ['ReadWriteOnce'], resources };
  for (const [more, message] of [
    [{ storageClassName: storage.Retain }, 'with reclaimPolicy Delete'],
    [{ storageClassName: storage.Delete, volumeName: 'theirs' }, 'gets a new volume'],
  ] as const) {
    const object = { ...claim, spec: { ...spec, ...more } };
    await until(`the API server rejects with '${message}'`, async () =>
      (await by.create(object, { dryRun: true })).body.message?.includes(message),
    );
  }
}
