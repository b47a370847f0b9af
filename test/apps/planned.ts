import { buildChangeSet } from '../../apps/plan/plan.ts';

type Files = Readonly<Record<string, unknown>>;

export const TENANT = 'clusters/eu1/tenants/shop';
export const SHOP = `${TENANT}/namespace-shop.yaml`;

/** Files of objects, as JSON, which is YAML. */
const texts = (files: Files) =>
  Object.entries(files).map(([path, objects]): [string, string] => {
    const all = Array.isArray(objects) ? objects : [objects];
    const parts = all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    return [path, parts.join('\n---\n')];
  });

export const plan = (before: Files, after: Files) => buildChangeSet(texts(before), texts(after));

/** `high namespace-deleted Namespace shop is deleted ...`. */
export const describeChanges = (before: Files, after: Files): string[] =>
  plan(before, after).changes.map(
    ({ risk, rule, subject, message }) => `${risk} ${rule} ${subject} ${message}`,
  );

export const object = (kind: string, name: string, rest: object = {}, apiVersion = 'v1') => {
  const { metadata = {}, ...fields } = rest as { metadata?: object };
  return { apiVersion, kind, metadata: { name, ...metadata }, ...fields };
};

export const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

export const namespace = (
  name = 'shop',
  options?: string,
  labels: object = RESTRICTED,
  facts: object = {},
) =>
  object('Namespace', name, {
    metadata: {
      labels: { 'tenantry.dev/tenant': 'shop', ...labels },
      annotations: { ...(options && { 'argocd.argoproj.io/sync-options': options }), ...facts },
    },
  });

export const inShop = (kind: string, name: string, rest: object = {}, apiVersion = 'v1') => {
  const { metadata = {}, ...fields } = rest as { metadata?: object };
  return object(
    kind,
    name,
    { metadata: { namespace: 'shop', ...metadata }, ...fields },
    apiVersion,
  );
};

export const RBAC = 'rbac.authorization.k8s.io/v1';
export const role = (...rules: object[]) => inShop('Role', 'work', { rules }, RBAC);
export const bound = (kind: string, name: string, ...groups: string[]) =>
  inShop(
    'RoleBinding',
    `to-${name}`,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: groups.map((group) => ({ kind: 'Group', name: group })),
    },
    RBAC,
  );
export const rule = (verbs: string[], ...resources: string[]) => ({
  apiGroups: [''],
  resources,
  verbs,
});

export const quota = (hard: object) => inShop('ResourceQuota', 'quota', { spec: { hard } });
export const policy = (spec: object) =>
  inShop('NetworkPolicy', 'walls', { spec: { podSelector: {}, ...spec } }, 'networking.k8s.io/v1');
export const CLOSED = { policyTypes: ['Ingress', 'Egress'] };
export const from = (peer: object, port = 8080) => ({
  ...CLOSED,
  ingress: [{ from: [peer], ports: [{ port, protocol: 'TCP' }] }],
});

export const tenant = (spec: object = {}) =>
  object('Tenant', 'shop', { spec }, 'tenantry.dev/v1alpha1');
