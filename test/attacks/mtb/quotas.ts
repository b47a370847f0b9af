import { all, attempt, type Check, type Verdict } from './check.ts';
import type { World } from './world.ts';

/** Returns whether the quotas of the namespace, as the user reads them, limit all of these. */
async function bounded({ alice, tenant }: World, keys: string): Promise<Verdict> {
  const quotas = { apiVersion: 'v1', kind: 'ResourceQuota', namespace: tenant.namespace };
  const { items = [] } = (await alice.list(quotas)).body;
  const hard = new Set(items.flatMap(({ spec }) => Object.keys(spec!['hard'] as object)));
  return keys.split(' ').every((key) => hard.has(key)) ? 'passes' : 'open';
}

const service =
  (type: string) =>
  ({ tenant }: World) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: type.toLowerCase(), namespace: tenant.namespace },
    spec: { type, ports: [{ port: 80 }], selector: { app: 'shop' } },
  });

/** Checks that ResourceQuotas enforce. */
export const quotaChecks: readonly Check[] = [
  {
    name: 'MTB-PL1-CC-FNS-1 Configure namespace resource quotas',
    ask: (world) =>
      bounded(world, 'requests.cpu requests.memory limits.memory requests.ephemeral-storage'),
  },
  {
    name: 'MTB-PL1-CC-FNS-2 Configure namespace object limits',
    ask: (world) =>
      bounded(
        world,
        'pods services replicationcontrollers resourcequotas secrets configmaps ' +
          'persistentvolumeclaims services.nodeports services.loadbalancers',
      ),
  },
  {
    // A load balancer has node ports, too.
    name: 'MTB-PL1-BC-HI-1 Block use of NodePort services',
    ask: (world) =>
      all(
        ['NodePort', 'LoadBalancer'].map((type) =>
          attempt(world, service(type)(world), 'exceeded quota'),
        ),
      ),
  },
];
