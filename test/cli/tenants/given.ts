import type { TenantStatus } from '../../../crds/tenant-status.ts';
import type { LiveTenant } from '../../../cli/tenants/tenant-summary.ts';

export const now = new Date('2026-11-22T10:00:00Z');

/** Minutes before now, as the API server writes times. */
export const ago = (minutes: number): string =>
  new Date(now.getTime() - minutes * 60_000).toISOString().replace('.000Z', 'Z');

type Condition = NonNullable<TenantStatus['conditions']>[number];

const types = ['Ready', 'Drifted', 'Progressing', 'Degraded'] as const;

/** Conditions in the order Ready, Drifted, Progressing, Degraded: T, F or U for each. */
export function conditions(letters: string, reason: string, message = ''): readonly Condition[] {
  const words = { T: 'True', F: 'False', U: 'Unknown' } as const;
  return types.map((type, at) => ({
    type,
    status: words[letters[at] as keyof typeof words],
    reason,
    message: type === 'Ready' ? message : '',
    lastTransitionTime: ago(12),
  }));
}

export function tenant(
  name: string,
  status?: TenantStatus,
  { generation = 1, ...spec }: { readonly generation?: number; readonly className?: string } = {},
): LiveTenant {
  return {
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      generation,
      creationTimestamp: ago(600),
    },
    spec: { namespaces: [{ name: `${name}-dev` }, { name: `${name}-prod` }], ...spec },
    ...(status && { status }),
  };
}

const counts = {
  namespaces: 2,
  objects: 19,
  driftedObjects: 0,
  driftedFields: 0,
  undeclared: 0,
};

export const fine: TenantStatus = {
  observedGeneration: 1,
  conditions: conditions('TFFF', 'AsDeclared'),
  driftPolicy: 'Observe',
  counts,
};

export const drifted: TenantStatus = {
  observedGeneration: 1,
  conditions: conditions(
    'FTFF',
    'Drifted',
    '2 differences in ResourceQuota pay-prod/quota, RoleBinding pay-prod/edit',
  ),
  driftPolicy: 'Observe',
  counts: { ...counts, driftedObjects: 2, driftedFields: 2, undeclared: 1 },
  drift: [
    {
      type: 'Changed',
      kind: 'ResourceQuota',
      namespace: 'pay-prod',
      name: 'quota',
      field: 'spec.hard.pods',
      desired: '"40"',
      live: '"400"',
      manager: 'kubectl-edit',
      operation: 'Update',
      changed: ago(13),
      since: ago(12),
    },
    {
      type: 'Missing',
      kind: 'RoleBinding',
      group: 'rbac.authorization.k8s.io',
      namespace: 'pay-prod',
      name: 'edit',
      since: ago(5),
    },
  ],
  undeclared: [
    {
      kind: 'NetworkPolicy',
      group: 'networking.k8s.io',
      namespace: 'pay-prod',
      name: 'open',
      manager: 'kubectl-create',
      operation: 'Update',
      changed: ago(180),
      since: ago(180),
    },
  ],
  quotaPressure: [{ namespace: 'pay-dev', quota: 'quota', resource: 'pods', hard: '40' }],
};

export const besides: TenantStatus = { ...fine, counts: { ...counts, undeclared: 3 } };
export const rolling: TenantStatus = { ...fine, conditions: conditions('FFTF', 'RollingOut') };
export const cordoned: TenantStatus = {
  observedGeneration: 1,
  conditions: conditions('UUUU', 'Cordoned', 'The operator leaves it alone.'),
};
export const refused: TenantStatus = {
  observedGeneration: 1,
  conditions: conditions('FUFT', 'Refused', 'spec.className must be a class, got gold'),
};

export const plain = (_: unknown, text: string): string => text;

/** Colours as they can be read. */
export const marked = (style: unknown, text: string): string => `<${String(style)}:${text}>`;
