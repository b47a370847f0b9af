import type { TenantClassSpec } from '../../crds/tenant-class.ts';

interface Tier {
  readonly name: string;
  readonly pods: number;
  /** The sum of CPU requests; limits may add up to twice as much. */
  readonly cpu: number;
  readonly memory: string;
  readonly storage: string;
  readonly claims: number;
}

/** Builds every quota key that the benchmarks require. The ceiling has the same keys, so that no tenant drops one. */
function buildQuotaBounds({ pods, cpu, memory, storage, claims }: Omit<Tier, 'name'>) {
  return {
    pods,
    'requests.cpu': cpu,
    'limits.cpu': cpu * 2,
    'requests.memory': memory,
    'limits.memory': memory,
    'requests.ephemeral-storage': memory,
    'limits.ephemeral-storage': memory,
    'requests.storage': storage,
    persistentvolumeclaims: claims,
    configmaps: pods * 2,
    secrets: pods * 2,
    services: pods,
    'services.loadbalancers': 0,
    'services.nodeports': 0,
    replicationcontrollers: pods,
    resourcequotas: 5,
    'count/deployments.apps': pods,
    'count/statefulsets.apps': pods,
    'count/jobs.batch': pods * 2,
    'count/cronjobs.batch': pods,
  };
}

function buildTier({ name, ...more }: Tier) {
  return { name, hard: buildQuotaBounds(more) };
}

/**
 * A class whose tenants pass every check of the Kubernetes multi-tenancy benchmarks (kubectl-mtb), the planned checks
 * included: `new TenantClass(scope, 'hardened', hardenedClass)`. docs/multi-tenancy.md has it as YAML.
 *
 * A container without resources gets limits for all three of them. There is no `min` and no ratio, because the
 * benchmarks create pods whose requests are zero.
 *
 * @example
 * ```ts
 * import { App, hardenedClass, Tenant, TenantClass } from 'tenantry';
 *
 * const app = new App();
 * new TenantClass(app, 'hardened', hardenedClass);
 * new Tenant(app, 'payments', { className: 'hardened' });
 * app.synth();
 * ```
 */
export const hardenedClass: TenantClassSpec = {
  description: 'Passes every check of the Kubernetes multi-tenancy benchmarks',
  presets: {
    quotas: [
      buildTier({ name: 'small', pods: 30, cpu: 8, memory: '32Gi', storage: '100Gi', claims: 10 }),
      buildTier({
        name: 'medium',
        pods: 100,
        cpu: 32,
        memory: '128Gi',
        storage: '500Gi',
        claims: 30,
      }),
      buildTier({ name: 'large', pods: 300, cpu: 96, memory: '384Gi', storage: '2Ti', claims: 60 }),
    ],
  },
  defaults: {
    quota: { preset: 'small' },
    limits: {
      items: [
        {
          type: 'Container',
          default: { cpu: '500m', memory: '512Mi', 'ephemeral-storage': '1Gi' },
          defaultRequest: { cpu: '50m', memory: '128Mi', 'ephemeral-storage': '128Mi' },
        },
      ],
    },
    network: { isolation: 'SameTenant', egress: 'SameTenant' },
    podSecurity: { enforce: 'restricted' },
    serviceAccounts: [{ name: 'default', automountServiceAccountToken: false }],
    protection: { deletion: 'Confirm' },
  },
  ceilings: {
    namespaces: 10,
    quota: buildQuotaBounds({ pods: 300, cpu: 96, memory: '384Gi', storage: '2Ti', claims: 60 }),
    podSecurity: 'restricted',
    network: {
      isolation: 'SameTenant',
      egress: 'SameTenant',
      ingressFrom: { otherNamespaces: 'Deny', anywhere: 'Deny', cidrs: [] },
      egressTo: { otherNamespaces: 'Deny', anywhere: 'Deny' },
    },
  },
  hardening: { imagePullPolicy: 'Always', storage: 'Claims', podDefaults: 'Restricted' },
};
