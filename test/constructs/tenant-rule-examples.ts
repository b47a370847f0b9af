import type { TenantSpec } from '../../crds/tenant.ts';
import type { TenantRuleId } from '../../model/findings/tenant-rules.ts';
import { platform, tenant } from '../apps/fleet.ts';
import { deploying } from './argocd/deploying.ts';
import {
  accessUntil,
  awayFrom,
  configMap,
  deployment,
  hookTo,
  inEnvironment,
  letsIn,
  manifest,
  ofAllowFrom,
  ofClass,
  ofExceptions,
  ofFiles,
  ofFleet,
  ofGiven,
  ofLimits,
  ofPlatform,
  ofPreset,
  ofQuota,
  ofResources,
  ofRole,
  ofTenant,
  ofUncheckedTenant,
  preset,
  role,
  type Example,
} from './tenant-rule-inputs.ts';

const twoNamespaces: TenantSpec = { namespaces: [{ name: 'a' }, { name: 'b' }] };
const source = { repoURL: 'https://git.example.com/platform.git' };
const budget = { name: 'a', selector: { matchLabels: { app: 'a' } } };
const bigText = 'a'.repeat(60_000);

/** An input for each rule. A rule without one does not compile. */
export const examples: Record<TenantRuleId, Example> = {
  // Platform
  'argocd-source': ofPlatform({
    argocd: { source: { repoURL: 'https://user@git.example.com/a.git' } },
  }),
  'cluster-server': ofPlatform({ clusters: [{ name: 'eu1' }], argocd: { source } }),
  hook: ofPlatform({ operator: { hooks: [hookTo('http://hooks.example.com')] } }),
  'compared-kind': ofPlatform({ operator: { comparedKinds: [{ kind: 'Secret' }] } }),
  'server-side-diff': ofPlatform({
    kinds: [{ group: 'example.com', kind: 'Database', scope: 'Namespaced' }],
    argocd: { source },
  }),
  delegation: ofPlatform({ delegation: { folders: [{ folder: 'a/*' }, { folder: '*/b' }] } }),

  // Names
  'duplicate-tenant': ofFleet({ tenants: [{}, {}] }),
  'duplicate-class': ofFleet({ classes: { standard: {} }, again: 'standard' }),
  'duplicate-namespace': ofFleet({
    tenants: [{ namespaces: [{ name: 'a' }] }, { name: 'other', namespaces: [{ name: 'a' }] }],
  }),
  'duplicate-object': ofResources(configMap({}), configMap({})),
  'namespace-name': ofGiven({ name: 'a'.repeat(64) }),
  'protected-namespace': ofTenant({ namespaces: [{ name: 'kube-system' }] }),
  environment: ofGiven({ platform: { environments: ['dev'] }, tenant: inEnvironment('prod') }),
  cluster: ofTenant({ namespaces: [{ name: 'a', clusters: ['nowhere'] }] }),
  'cluster-allowed': ofGiven({
    platform: { clusters: [{ name: 'eu1' }, { name: 'us1' }] },
    klass: { allow: { clusters: ['eu1'] } },
    tenant: { clusters: ['us1'] },
  }),
  class: ofFleet({ tenants: [{ className: 'unknown' }] }),
  'name-missing': ofFiles({
    'tenantry.yaml': platform({ environments: ['dev'] }),
    'tenants/a.yaml': tenant('a', { environment: 'staging' }),
    'tenants/b.yaml': tenant('b', { environment: 'staging' }),
  }),
  'name-unused': ofFiles({
    'tenantry.yaml': platform({ environments: ['stagin'] }),
    'tenants/a.yaml': tenant('a', { environment: 'staging' }),
    'tenants/b.yaml': tenant('b', { environment: 'staging' }),
  }),
  'class-allowed': ofGiven({ klass: { allowedTenants: { names: ['other'] } } }),
  preset: ofTenant({ quota: { preset: 'unknown' } }),
  'object-name': ofGiven({
    name: 'a'.repeat(60),
    tenant: { network: { policyNames: { isolation: '{tenant}'.repeat(5) } } },
  }),
  'environment-spelling': ofGiven({
    klass: { environments: [{ name: 'Prod' }] },
    tenant: inEnvironment('prod'),
  }),
  extends: ofFleet({ classes: { small: { extends: 'unknown' } } }),
  'exception-conflict': ofExceptions(
    { tenants: ['acme'], ceilings: { namespaces: 2 } },
    { tenants: ['acme'], ceilings: { namespaces: 3 } },
  ),
  'exception-tenant': ofExceptions({ tenants: ['unknown'], ceilings: { namespaces: 2 } }),
  'exception-namespace': ofExceptions({
    tenants: ['acme'],
    namespaces: ['unknown'],
    ceilings: { limits: { cpu: 2 } },
  }),
  'exception-unused': ofExceptions({ tenants: ['acme'], ceilings: { namespaces: 2 } }),

  // Quotas and limits
  'quota-key': ofQuota({ 'count/nothing': 1 }),
  'quota-whole': ofQuota({ pods: '1.5' }),
  'quota-room': ofQuota({ configmaps: 0 }),
  quantity: ofQuota({ 'requests.memory': '512m' }),
  'byte-unit': ofQuota({ 'requests.memory': 16 }),
  'quota-scope': ofTenant({
    quota: { scoped: [{ name: 'a', hard: { services: 1 }, scopes: ['BestEffort'] }] },
  }),
  'quota-unusable': ofQuota({ 'requests.cpu': 4, 'limits.cpu': 2 }),
  total: ofTenant({
    quota: { total: { pods: 10 } },
    namespaces: [{ name: 'a', quota: { hard: { pods: 20 } } }, { name: 'b' }],
  }),
  'total-share': ofTenant({
    quota: { total: { pods: 1 } },
    namespaces: [{ name: 'a' }, { name: 'b' }],
  }),
  'limit-order': ofLimits({ type: 'Container', min: { cpu: 2 }, max: { cpu: 1 } }),
  'limit-resource': ofLimits({
    type: 'PersistentVolumeClaim',
    max: { cpu: 1, storage: '1Gi' },
  }),
  'limit-shape': ofLimits({ type: 'Pod', default: { cpu: 1 } }),
  'quota-refuses-defaults': ofTenant({
    quota: { preset: 'none', hard: { 'limits.cpu': '100m' } },
    limits: { preset: 'none', items: [{ type: 'Container', default: { cpu: 1 } }] },
  }),
  'quota-admits-none': ofTenant({
    quota: { preset: 'none', hard: { 'requests.cpu': '100m' } },
    limits: { preset: 'none', items: [{ type: 'Container', min: { cpu: 1 } }] },
  }),
  'quota-workloads': ofTenant({
    quota: { preset: 'none', hard: { pods: 5 } },
    limits: { preset: 'none' },
    resources: [deployment({ name: 'a' }), deployment({ name: 'b' })],
  }),
  'workload-refused': ofTenant({
    limits: { preset: 'none', items: [{ type: 'Container', max: { cpu: 1 } }] },
    resources: [deployment({ container: { resources: { limits: { cpu: 2 } } } })],
  }),
  'limits-refuse-defaults': ofLimits(
    { type: 'Container', default: { cpu: 1 } },
    { type: 'Pod', max: { cpu: '500m' } },
  ),
  'limits-admit-none': ofLimits(
    { type: 'Container', min: { cpu: 2 } },
    { type: 'Pod', max: { cpu: 1 } },
  ),

  // Ceilings
  'ceiling-namespaces': ofGiven({ klass: { ceilings: { namespaces: 1 } }, tenant: twoNamespaces }),
  'ceiling-quota': ofGiven({ klass: { ceilings: { quota: { pods: 1 } } } }),
  'ceiling-tenant-quota': ofGiven({ klass: { ceilings: { tenantQuota: { pods: 1 } } } }),
  'ceiling-limits': ofGiven({
    klass: { ceilings: { limits: { cpu: 1 } } },
    tenant: { limits: { items: [{ type: 'Container', max: { cpu: 2 } }] } },
  }),
  'ceiling-pod-security': ofGiven({
    klass: { ceilings: { podSecurity: 'restricted' } },
    tenant: { podSecurity: { enforce: 'baseline' } },
  }),
  'ceiling-network': ofGiven({
    klass: { ceilings: { network: { isolation: 'SameTenant' } } },
    tenant: { network: { isolation: 'Open' } },
  }),
  'ceiling-roles': ofRole({ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }),

  // Access
  'system-subject': ofTenant({ access: { admins: { groups: ['system:masters'] } } }),
  'subject-name': ofUncheckedTenant({ access: { viewers: { users: ['alice\u200b'] } } }),
  'foreign-service-account': ofTenant({
    access: { admins: { serviceAccounts: [{ name: 'a', namespace: 'other' }] } },
  }),
  'cluster-role': ofTenant({
    access: { clusterRoles: [{ name: 'cluster-admin', users: ['a'] }] },
  }),
  'break-glass-absent': ofTenant({
    access: { breakGlass: [{ clusterRole: 'admin', users: ['alice'] }] },
  }),
  escalation: ofRole({
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles'],
    verbs: ['escalate'],
  }),
  'unknown-resource': ofRole(
    { apiGroups: ['apps'], resources: ['pods'], verbs: ['get'] },
    { ceilings: { roles: [{ apiGroups: ['apps'], resources: ['pods'], verbs: ['get'] }] } },
  ),
  'resource-names': ofRole({
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: ['create'],
    resourceNames: ['a'],
  }),
  'role-conflict': ofTenant({
    access: { roles: [role({ apiGroups: [''], resources: ['pods'], verbs: ['get'] })] },
    namespaces: [
      {
        name: 'a',
        access: { roles: [role({ apiGroups: [''], resources: ['pods'], verbs: ['list'] })] },
      },
    ],
  }),
  'binding-conflict': ofTenant({
    access: {
      clusterRoles: [
        { name: 'view', users: ['a'], bindingName: 'same' },
        { name: 'edit', users: ['a'], bindingName: 'same' },
      ],
    },
  }),

  'raise-unused': ofGiven({
    tenant: {
      quota: { hard: { pods: 9 }, temporary: [{ hard: { pods: 9 }, until: '2027-01-31' }] },
    },
    date: '2026-01-01',
  }),
  'ends-soon': ofGiven({ tenant: accessUntil('2027-01-31'), date: '2027-01-31' }),
  ended: ofGiven({ tenant: accessUntil('2027-01-31'), date: '2027-02-01' }),
  'end-unknown': ofTenant(accessUntil('2027-01-31')),
  'ending-name': ofGiven({
    klass: { defaults: { network: { allowFrom: [{ name: 'in', namespaces: ['a'] }] } } },
    tenant: { network: { allowFrom: [{ name: 'in', namespaces: ['b'], until: '2027-01-31' }] } },
    date: '2027-01-01',
  }),

  // Network
  'metadata-service': ofTenant({
    network: {
      egress: 'Closed',
      allowTo: [{ name: 'out', cidrs: ['169.254.0.0/16'], ports: [{ port: 80 }] }],
    },
  }),
  'network-policy': ofAllowFrom({ cidrs: ['10.0.0.0/8'], except: ['192.168.0.0/16'] }),
  cidr: ofClass({ ceilings: { network: { ingressFrom: { cidrs: ['10.0.0.1/8'] } } } }),
  'network-open': ofTenant({
    network: { isolation: 'Open', allowFrom: [{ name: 'in', namespaces: ['other'] }] },
  }),
  'unknown-peer': ofFiles({ 'tenants/acme.yaml': tenant('acme', letsIn('unknown')) }),
  'absent-peer': ofFiles({
    'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }, { name: 'us1' }] }),
    'tenants/acme.yaml': tenant('acme', { ...letsIn('other'), clusters: ['eu1'] }),
    'tenants/other.yaml': tenant('other', { clusters: ['us1'] }),
  }),
  'one-sided-peer': ofFiles({
    'tenants/acme.yaml': tenant('acme', letsIn('other')),
    'tenants/other.yaml': tenant('other', { network: { egress: 'Closed' } }),
  }),

  // Argo CD
  'argocd-impersonation': ofTenant({ argocd: { sourceRepos: ['https://example.com/a'] } }),
  'argocd-destination': ofGiven(deploying({ platform: { clusters: [{ name: 'eu1' }] } })),
  'argocd-repository': ofTenant({ argocd: { sourceRepos: ['https://example.com/a'] } }),
  'argocd-kind': ofGiven(
    deploying({ argocd: { namespaceResourceWhitelist: [{ group: '', kind: 'Namespace' }] } }),
  ),
  'argocd-application': ofGiven(deploying({ argocd: { sourceNamespaces: ['acme'] } })),
  'argocd-sync-window': ofGiven(
    deploying({
      argocd: { syncWindows: [{ kind: 'deny', schedule: '0 0 * * *', duration: '0h' }] },
    }),
  ),
  'argocd-role': ofClass({ argocd: { roles: { admins: ['sync'] } } }),
  'argocd-group': ofGiven({
    klass: {
      argocd: { roles: { admins: ['get'] } },
      defaults: { access: { admins: { groups: ['role:admin'] } } },
    },
  }),

  // Metadata and workloads
  'reserved-key': ofTenant({ labels: { 'kubernetes.io/metadata.name': 'a' } }),
  'metadata-key': ofTenant({ labels: { 'kubernetes.io/other': 'a' } }),
  key: ofTenant({ labels: { 'a b': 'c' } }),
  'annotations-size': ofGiven({ annotations: { 'example.com/a': 'a'.repeat(262_144) } }),
  'contact-key': ofTenant({ contact: { pager: 'a' } }),
  selector: ofTenant({
    disruptionBudgets: [
      {
        name: 'a',
        selector: { matchExpressions: [{ key: 'app', operator: 'In' }] },
        maxUnavailable: 1,
      },
    ],
  }),
  'disruption-budget': ofGiven({
    klass: { defaults: { disruptionBudgets: [{ ...budget, minAvailable: 1 }] } },
    tenant: { disruptionBudgets: [{ ...budget, maxUnavailable: 1 }] },
  }),
  'disruption-budget-blocks': ofTenant({
    disruptionBudgets: [{ ...budget, minAvailable: 150_000 }],
  }),
  'pod-priority': ofResources(deployment({ pod: { priorityClassName: 'system-node-critical' } })),
  'pod-affinity': ofResources(
    deployment({ pod: { affinity: { podAntiAffinity: awayFrom('other') } } }),
  ),
  'allow-list': ofGiven({
    klass: { allow: { runtimeClasses: ['gvisor'] } },
    tenant: { resources: [deployment({ pod: { runtimeClassName: 'kata' } })] },
  }),
  'image-version': ofGiven({
    klass: { hardening: { imageVersion: 'Digest' } },
    tenant: { resources: [deployment({ container: { image: 'example.com/web:1' } })] },
  }),
  'pod-security': ofResources(deployment({ pod: { hostNetwork: true } })),
  'pull-secrets': ofTenant({ imagePullSecrets: ['registry'] }),

  // Resources
  'steering-text': ofResources(manifest({ data: { a: '+argocd:skip-file-rendering' } })),
  placeholder: ofTenant({ labels: { 'example.com/environment': '{environment}' } }),
  'placeholder-misspelt': ofTenant({ annotations: { 'example.com/a': '{namespce}' } }),
  parameters: ofPreset({ a: '{a}' }, ['a']),
  'class-preset': ofPreset({ a: '{unknown}' }),
  'unused-parameter': ofClass({ presets: { resources: [preset({ a: 'b' }, ['a'])] } }),
  leftover: ofResources(manifest({ status: {} })),
  'literal-placeholder': ofResources(manifest({ data: { a: '{namespace}' } })),
  'resource-object': ofResources(manifest({ kind: 'List', items: [] })),
  'resource-scope': ofResources(
    manifest({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }),
  ),
  'competing-writer': ofResources(
    deployment({ name: 'a' }),
    manifest({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      },
    }),
  ),
  'resource-kind': ofResources(manifest({ kind: 'ResourceQuota' })),
  'self-service': ofResources(
    manifest({ kind: 'Service', spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] } }),
  ),
  'resource-schema': ofResources(manifest({ unknown: 'a' })),
  'resource-secret': ofResources(manifest({ kind: 'Secret', stringData: { a: 'b' } })),
  'resource-namespace': ofResources(configMap({ namespace: 'other' })),
  'resource-name': ofResources(configMap({ name: 'A_b' })),
  'resource-metadata': ofResources(configMap({ finalizers: ['x/y'] })),
  'resource-size': ofGiven({
    klass: { ceilings: { resourceBytes: 1024 } },
    tenant: { resources: [manifest({ data: { a: 'a'.repeat(1024) } })] },
  }),
  'object-size': ofTenant({
    resources: Array.from({ length: 7 }, (_, i) =>
      manifest({ metadata: { name: `a${i}` }, data: { a: bigText } }),
    ),
  }),
  'removed-api': ofResources(manifest({ apiVersion: 'batch/v1beta1', kind: 'CronJob' })),
};
