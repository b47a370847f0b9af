import { buildChangeSet } from '../../apps/plan/plan.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { CLOSED, object, RBAC } from './planned.ts';

export type ApprovalSpec = NonNullable<NonNullable<PlatformSpec['delegation']>['approval']>;

const platform: PlatformSpec = {
  clusters: [{ name: 'eu1' }],
  ingressControllers: [{ namespaceSelector: { matchLabels: { component: 'ingress' } } }],
  metadataKeys: { channel: 'example.com/channel' },
};

export const decisive: ApprovalSpec = {
  alone: [{ risk: 'high' }],
  operationsGroups: ['ops'],
  quota: { pods: 100 },
  limits: { default: { memory: '3Gi' } },
  domains: ['apps.example.com'],
  annotations: ['example.com/*'],
};

/** A namespace with a tenant, its administrators and its bounds. */
export const space = (
  name: string,
  tenant: string,
  admins: string[],
  more: object = {},
): object[] => [
  object('Namespace', name, {
    metadata: {
      labels: {
        'tenantry.dev/tenant': tenant,
        'pod-security.kubernetes.io/enforce': 'restricted',
        ...more,
      },
    },
  }),
  bound(name, 'admin', 'admin', ...admins.map((group) => ({ kind: 'Group', name: group }))),
  within(name, 'ResourceQuota', 'quota', { spec: { hard: { pods: 50 } } }),
  within(
    name,
    'NetworkPolicy',
    'walls',
    { spec: { podSelector: {}, ...CLOSED } },
    'networking.k8s.io/v1',
  ),
];

export const within = (
  namespace: string,
  kind: string,
  name: string,
  rest: object,
  apiVersion = 'v1',
) => object(kind, name, { metadata: { namespace }, ...rest }, apiVersion);

export const bound = (namespace: string, name: string, role: string, ...subjects: object[]) =>
  within(
    namespace,
    'RoleBinding',
    name,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects,
    },
    RBAC,
  );

export const group = (name: string) => ({ kind: 'Group', name });
export const account = (namespace: string, name = 'ci') => ({
  kind: 'ServiceAccount',
  namespace,
  name,
});

export const fleet = [
  ...space('shop', 'shop', ['shop-admins', 'ops']),
  ...space('web', 'web', ['web-admins']),
];

/** Returns the strictest verdicts of what is added to, or taken from, the fleet. */
export function judge(
  added: readonly object[],
  {
    without = [],
    approval = decisive,
    before = fleet,
  }: {
    readonly without?: readonly object[];
    readonly approval?: ApprovalSpec;
    readonly before?: readonly object[];
  } = {},
): string[] {
  const keyOf = (one: object) => {
    const { kind, metadata } = one as {
      kind: string;
      metadata: { name: string; namespace?: string };
    };
    return `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;
  };
  const gone = new Set([...without, ...added].map(keyOf));
  const after = [...before.filter((one) => !gone.has(keyOf(one))), ...added];
  const text = (objects: readonly object[]) =>
    [
      [
        'clusters/eu1/tenants/all/all.yaml',
        objects.map((one) => JSON.stringify(one)).join('\n---\n'),
      ],
    ] as const;
  const policy = resolvePlatform({ ...platform, delegation: { owners: ['@p'], approval } });
  const { changes } = buildChangeSet(text(before), text(after), policy);
  const of = (wanted: string) =>
    changes.filter(({ verdict }) => verdict.agreement === wanted).map(({ verdict }) => verdict);
  for (const agreement of ['platform', 'other-owners', 'owners']) {
    const found = of(agreement);
    if (found.length === 0) continue;
    return [
      ...new Set(found.map(({ rule, tenants = [] }) => [agreement, rule, ...tenants].join(' '))),
    ];
  }
  return ['nobody'];
}
