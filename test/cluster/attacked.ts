import { CONCERNS } from '../../model/ownership.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { type LiveTenant, person, deliver, powerful, reads } from './tenant.ts';

/** A tenant with one object of every kind, and its two attackers. */
export interface Attacked {
  readonly tenant: LiveTenant;
  /** Administrator of the tenant. */
  readonly alice: Client;
  /** A user whom RBAC never refuses. */
  readonly mallory: Client;
  readonly names: { readonly alice: string; readonly mallory: string };
}

let standing: Promise<Attacked> | undefined;

/** Returns the one tenant that all attacks of a test file share. No attack may change it. */
export function attackedTenant(cluster: ClusterAccess): Promise<Attacked> {
  standing ??= makeAttackedTenant(cluster);
  return standing;
}

const disabled = { policy: 'Disabled' } as const;

async function makeAttackedTenant(cluster: ClusterAccess): Promise<Attacked> {
  const names = { alice: person('alice'), mallory: person('mallory') };
  const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }];
  const settings = { name: 'settings', annotations: { 'example.com/owner': 'platform' } };
  const spec: TenantSpec = {
    access: {
      admins: { users: [names.alice] },
      roles: [{ name: 'deployer', rules, users: ['dan'] }],
    },
    serviceAccounts: [{ name: 'ci' }],
    network: { egress: 'SameTenant' },
    disruptionBudgets: [
      { name: 'shop', selector: { matchLabels: { app: 'shop' } }, minAvailable: 1 },
    ],
    resources: [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: settings } }],
  };
  // Enables only the guard: with several policies, it is undefined which refusal the API server reports.
  const klass = { selfService: Object.fromEntries(CONCERNS.map((one) => [one, disabled])) };
  const tenant = await deliver(cluster, uniqueName('attacked'), spec, { klass });
  const alice = cluster.user(names.alice);
  await reads(alice, tenant.namespace);
  const status = async (kind: string) => {
    const object = tenant.objects.find((one) => one.kind === kind)!;
    return (await cluster.admin.get(toReference(object))).body.status as Record<string, unknown>;
  };
  await until('the controllers have made all their changes', async () => {
    const budget = (await status('PodDisruptionBudget'))['observedGeneration'];
    return (await status('ResourceQuota'))['used'] !== undefined && budget !== undefined;
  });
  return { tenant, alice, mallory: await powerful(cluster, names.mallory), names };
}

/** Returns every object of the tenant in the cluster, with its resource version. */
export function stateOf(cluster: ClusterAccess, { tenant }: Attacked): Promise<Body[]> {
  return Promise.all(
    tenant.objects.map(async (object) => {
      const { body } = await cluster.admin.get(toReference(object));
      return object.kind === 'ResourceQuota' ? withoutUse(body) : body;
    }),
  );
}

/** Returns a quota without its usage. An object that is refused after the quota check is counted for a while. */
function withoutUse({ status: _use, ...quota }: Body): Body {
  const {
    managedFields: _fields,
    resourceVersion: _version,
    ...metadata
  } = quota.metadata as {
    managedFields?: unknown;
    resourceVersion?: string;
    name: string;
  };
  return { ...quota, metadata } as Body;
}

export const withLabels = (live: Body, labels: Record<string, string>): Body => ({
  ...live,
  metadata: { ...live.metadata, labels },
});

/** Builds an apply configuration with the identity of an object and this metadata. */
export const applied = ({ apiVersion, kind, metadata }: Body, more: object): Body =>
  ({
    apiVersion,
    kind,
    metadata: { name: metadata!.name, namespace: metadata!.namespace, ...more },
  }) as Body;

export const force = { fieldManager: 'attack', force: true } as const;
