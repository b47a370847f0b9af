import type { Settings } from '../../crds/tenantry/settings.ts';
import type { TenantClassDeclaration } from './declaration.ts';

/** What holds where no layer says otherwise: closed enough to be safe, open enough to work. */
export const builtinSettings: Settings = {
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
  protection: { deletion: 'Confirm' },
};

/** The class of tenants that name none, where the platform declares no class of that name. */
export const builtinClass: TenantClassDeclaration = {
  name: 'default',
  spec: {
    description: 'Built in: for tenants that choose no class',
    presets: {
      quotas: [
        { name: 'small', hard: { pods: 20, 'requests.cpu': '2', 'requests.memory': '4Gi' } },
        { name: 'medium', hard: { pods: 100, 'requests.cpu': '16', 'requests.memory': '64Gi' } },
        { name: 'large', hard: { pods: 500, 'requests.cpu': '64', 'requests.memory': '256Gi' } },
      ],
    },
    ceilings: { namespaces: 10, podSecurity: 'baseline' },
  },
};
