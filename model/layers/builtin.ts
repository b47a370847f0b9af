import type { TenantClassDeclaration } from '../declaration.ts';
import type { MergedSettings } from './resolved.ts';

/** The settings that apply unless a layer overrides them: closed enough to be safe, open enough to work. */
export const builtinSettings: Pick<
  MergedSettings,
  'quota' | 'limits' | 'network' | 'podSecurity' | 'deletion'
> = {
  quota: {
    name: 'tenant-quota',
    hard: {
      pods: 50,
      'requests.cpu': '4',
      'requests.memory': '16Gi',
      'limits.memory': '32Gi',
      'requests.storage': '200Gi',
      persistentvolumeclaims: 10,
      'services.loadbalancers': 0,
      'services.nodeports': 0,
    },
    scoped: [],
    unlimited: [],
  },
  limits: {
    name: 'tenant-limits',
    items: [
      {
        type: 'Container',
        default: { memory: '512Mi' },
        defaultRequest: { cpu: '50m', memory: '128Mi' },
      },
    ],
  },
  network: {
    isolation: 'SameTenant',
    ingressControllers: 'Allow',
    monitoring: 'Allow',
    egress: 'Open',
    policyNames: {
      isolation: 'tenant-isolation',
      ingressControllers: 'allow-ingress-controllers',
      monitoring: 'allow-monitoring',
      egress: 'tenant-egress',
    },
  },
  podSecurity: { enforce: 'baseline' },
  deletion: 'Confirm',
};

interface Tier {
  readonly pods: number;
  readonly cpu: string;
  readonly memory: string;
  readonly storage: string;
  readonly volumes: number;
}

/** Builds a tier that bounds everything that the built-in quota bounds, because a preset replaces all of it. */
function buildTier(name: string, { pods, cpu, memory, storage, volumes }: Tier) {
  return {
    name,
    hard: {
      pods,
      'requests.cpu': cpu,
      'requests.memory': memory,
      'limits.memory': memory,
      'requests.storage': storage,
      persistentvolumeclaims: volumes,
      'services.loadbalancers': 0,
      'services.nodeports': 0,
    },
  };
}

/** The class of tenants that name none, if the platform declares no class of that name. */
export const builtinClass: TenantClassDeclaration = {
  name: 'default',
  spec: {
    description: 'Built in: for tenants that choose no class',
    presets: {
      quotas: [
        buildTier('small', { pods: 20, cpu: '2', memory: '4Gi', storage: '50Gi', volumes: 5 }),
        buildTier('medium', {
          pods: 100,
          cpu: '16',
          memory: '64Gi',
          storage: '500Gi',
          volumes: 25,
        }),
        buildTier('large', { pods: 500, cpu: '64', memory: '256Gi', storage: '2Ti', volumes: 100 }),
      ],
    },
    ceilings: { namespaces: 10, podSecurity: 'baseline' },
  },
};
