import { tenant, tenantClass, platform, withFleet } from '../../apps/fleet.ts';
import type { Texts } from '../../synth/output/folders.ts';
import type { World } from '../judge.ts';

const hard = {
  pods: 20,
  'requests.cpu': '4',
  'requests.memory': '8Gi',
  'limits.memory': '16Gi',
  'services.loadbalancers': 0,
};
const base = { presets: { quotas: [{ name: 'small', hard }] }, defaults: { quota: { hard } } };
const deployer = {
  name: 'deployer',
  rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch', 'update'] }],
};

/** Keys that tenants may set on their namespaces: those of the company, and two common ones. */
const keys = {
  labels: [
    { key: 'example.com/*' },
    { key: 'team' },
    { key: 'istio-injection', values: ['enabled'] },
  ],
  annotations: [{ key: 'example.com/*' }, { key: 'description' }],
};

/** Classes with ceilings of every kind; an empty tenant renders in each of them. */
export const classes: Readonly<Record<string, object>> = {
  /** No ceiling at all; built-in keys. */
  open: {},
  /** Bounds for product teams: address blocks are listed. */
  standard: {
    ...base,
    defaults: {
      ...base.defaults,
      labels: { 'example.com/criticality': 'normal' },
      access: { viewers: { groups: ['example:support'] } },
      serviceAccounts: [{ name: 'default', automountServiceAccountToken: false }],
    },
    environments: [{ name: 'prod', labels: { 'example.com/criticality': 'high' } }],
    presets: { ...base.presets, roles: [deployer] },
    ceilings: {
      namespaces: 4,
      quota: { pods: 50, 'requests.cpu': '16', 'services.loadbalancers': 2 },
      tenantQuota: { 'requests.cpu': '40' },
      limits: { cpu: '8', memory: '16Gi' },
      podSecurity: 'baseline',
      network: {
        isolation: 'SameTenant',
        ingressFrom: { anywhere: 'Deny', cidrs: ['10.40.0.0/14'] },
      },
    },
    allow: {
      ...keys,
      clusterRoles: ['cert-manager-view'],
      serviceAccounts: [{ namespace: 'ci-release', name: 'release-bot' }],
      sourceRepos: ['https://git.example.com/{tenant}/*'],
      namespaceResourceWhitelist: [{ group: 'cert-manager.io', kind: 'Certificate' }],
    },
  },
  /** Other tenants may be named, but not the whole Internet. */
  neighbourly: {
    ...base,
    defaults: { ...base.defaults, network: { egress: 'SameTenant' } },
    ceilings: {
      network: { isolation: 'SameTenant', egress: 'SameTenant' },
      roles: [
        { clusterRole: 'view' },
        { apiGroups: ['apps', 'example.com'], resources: ['*'], verbs: ['*'] },
        { apiGroups: ['*'], resources: ['*/scale'], verbs: ['get', 'patch'] },
        { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] },
      ],
      terminationSeconds: 600,
    },
    allow: {
      ...keys,
      serviceAccounts: [{ namespace: 'ci-release', name: '*' }],
      resources: [{ group: '*', kind: '*' }],
      tolerations: [{ key: 'example.com/gpu', values: ['shared'] }, { key: 'example.com/spot' }],
    },
    selfService: {
      roleBindings: { users: ['*@example.com', 'oncall'], groups: ['github:*'] },
      networkPolicies: {
        ingressFrom: { namespaces: ['metrics', 'shared-*'], cidrs: ['10.40.0.0/14'] },
        egressTo: { anywhere: 'Allow' },
      },
      services: {
        externalIPs: ['192.0.2.0/28'],
        types: ['ClusterIP', 'LoadBalancer', 'ExternalName'],
        externalNames: ['*', '*.example.com', 'web.victim.svc'],
        loadBalancerClasses: ['', 'example.com/internal*'],
      },
      tokens: { maxSeconds: 604_800 },
      pods: { policy: 'Disabled' },
      disruptionBudgets: { policy: 'Disabled' },
    },
  },
  /** No traffic from or to other tenants. */
  walled: {
    ...base,
    defaults: { ...base.defaults, network: { egress: 'SameTenant' } },
    ceilings: {
      quota: { pods: 50 },
      podSecurity: 'baseline',
      network: {
        isolation: 'SameTenant',
        egress: 'SameTenant',
        ingressFrom: { otherNamespaces: 'Deny', anywhere: 'Deny' },
        egressTo: {
          otherNamespaces: 'Deny',
          anywhere: 'Deny',
          cidrs: ['10.90.0.0/16', 'fd00:9::/32'],
        },
      },
    },
    allow: keys,
    hardening: { imagePullPolicy: 'Always', storage: 'Claims' },
  },
  /** Everything is bounded, and kinds are listed. */
  regulated: {
    ...base,
    defaults: {
      ...base.defaults,
      network: { isolation: 'SameNamespace', egress: 'SameNamespace' },
      podSecurity: { enforce: 'restricted' },
    },
    ceilings: {
      namespaces: 3,
      quota: { pods: 50, 'limits.memory': '64Gi', 'services.loadbalancers': 0 },
      tenantQuota: { 'requests.cpu': '20' },
      limits: { cpu: '8', memory: '16Gi', storage: '100Gi' },
      podSecurity: 'restricted',
      network: {
        isolation: 'SameNamespace',
        egress: 'SameNamespace',
        ingressFrom: { otherNamespaces: 'Allow', anywhere: 'Deny', cidrs: ['10.44.0.0/16'] },
        egressTo: { otherNamespaces: 'Deny', anywhere: 'Deny', cidrs: ['10.90.0.0/16'] },
      },
      roles: [
        { apiGroups: ['', 'apps', 'batch'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['patch', 'update'] },
      ],
    },
    roles: { admins: 'example:tenant-admin' },
    allow: {
      ...keys,
      clusters: ['eu1'],
      clusterRoles: [],
      resources: [
        { group: '', kind: 'ConfigMap' },
        { group: 'cert-manager.io', kind: 'Certificate' },
      ],
    },
  },
  /** Kubernetes' `edit` is the limit. */
  edited: {
    ...base,
    defaults: {
      ...base.defaults,
      argocd: { sourceRepos: ['https://git.example.com/{tenant}/deploy.git'] },
    },
    roles: { admins: 'example:tenant-admin' },
    argocd: {
      roles: { viewers: ['get'], editors: ['get', 'logs', 'action/apps/Deployment/restart'] },
    },
    allow: { ...keys, applicationSets: 'Allow', sourceNamespaces: 'Allow' },
  },
  /** For some tenants only. */
  reserved: {
    allowedTenants: { names: ['platform-*'], selector: { matchLabels: { tier: 'gold' } } },
  },
};

/** The files that exist before the attack. */
const others: Texts = {
  ...Object.fromEntries(
    Object.entries(classes).map(([name, spec]) => [
      `tenants/classes/${name}.yaml`,
      tenantClass(name, spec),
    ]),
  ),
  'tenants/victim.yaml': tenant('victim', {
    namespaces: [
      { name: 'victim-dev', environment: 'dev' },
      { name: 'victim-prod', environment: 'prod' },
    ],
    labels: { 'example.com/app': 'shop' },
    access: { admins: { users: ['vera@example.com'] } },
  }),
  'tenants/bystander.yaml': tenant('bystander', { className: 'open' }),
};

/** The owners of folders and what they may declare. */
const delegation = {
  folders: [
    { folder: '.', tenants: ['victim', 'bystander'] },
    {
      folder: 'teams/*',
      tenants: ['mallory*', 'second'],
      namespaces: ['mallory*', 'second'],
      labels: [{ key: 'tier', values: ['silver'] }],
    },
  ],
};

const argocd = { impersonation: 'Enabled' };
const eu1 = { name: 'eu1', server: 'https://kubernetes.default.svc' };

const platforms: Readonly<Record<string, object>> = {
  /** The smallest platform file. */
  small: { clusters: [eu1], defaultClass: 'standard', argocd },
  /** Folders belong to teams. */
  delegated: { clusters: [eu1], defaultClass: 'walled', delegation, argocd },
  /** All trust settings of a platform file. */
  large: {
    clusters: [
      { ...eu1, kubernetesVersion: '1.36' },
      {
        name: 'eu2',
        server: 'https://eu2.example.com',
        monitoring: [{ namespaceSelector: { matchLabels: { 'example.com/monitoring': 'yes' } } }],
      },
    ],
    argocd: { ...argocd, source: { repoURL: 'https://git.example.com/platform/tenants.git' } },
    defaultClusters: ['eu1'],
    defaultClass: 'standard',
    environments: ['dev', 'prod'],
    ingressControllers: [
      { namespaceSelector: { matchLabels: { component: 'ingress-controllers' } } },
      { ipBlock: { cidr: '10.16.0.0/24', except: ['10.16.0.128/25'] } },
    ],
    monitoring: [
      {
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['metrics'] },
          ],
        },
      },
    ],
    protectedNamespaces: ['cert-manager', 'openshift-*'],
    trustedLabels: ['example.com/backup-tier'],
    metadataKeys: { team: 'example.com/team', channel: 'example.com/channel' },
    kinds: [
      { group: 'cert-manager.io', kind: 'Certificate', scope: 'Namespaced' },
      { group: 'cert-manager.io', kind: 'ClusterIssuer', scope: 'Cluster' },
      { group: 'projectcalico.org', kind: 'NetworkPolicy', scope: 'Namespaced' },
      { group: 'argoproj.io', kind: 'Application', scope: 'Namespaced' },
      { group: 'example.com', kind: 'Widget', scope: 'Namespaced' },
    ],
  },
};

/** Returns the folder of an attacker in a world, below the folder of tenants. */
export const folderOf = (world: string): string => (world === 'delegated' ? 'teams/red/' : '');

export const worldNames = Object.keys(platforms);

const rendered = new Map<string, World>();

/** Returns a world with its rendered files, and renders it only once. */
export function worldOf(name: string): World {
  const known = rendered.get(name);
  if (known) return known;
  const text = platform(platforms[name]);
  const before = withFleet({ 'tenantry.yaml': text, ...others }, (fleet) => fleet.rendered());
  const world = { name, platform: text, others, before };
  rendered.set(name, world);
  return world;
}
