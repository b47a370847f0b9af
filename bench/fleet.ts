import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@tenantry/kube/object';
import type { PlatformSpec } from '../crds/platform.ts';
import type { TenantSpec } from '../crds/tenant.ts';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { emitYaml } from '@tenantry/kube/yaml/write';

/** The number of objects of every tenant: the Tenant, and 11 in its namespace. */
export const OBJECTS = 12;

/** The values that differ between the tenants of the fleet. */
export interface Member {
  readonly name: string;
  readonly pods: number;
  /** In cores and in Gi. */
  readonly cpu: string;
  readonly memory: string;
}

/** Returns the same members for the same size, on every machine. */
export function members(size: number): Member[] {
  return Array.from({ length: size }, (_, i) => ({
    name: `team-${String(i).padStart(5, '0')}`,
    pods: 20 + (i % 9) * 10,
    cpu: String(2 + (i % 7)),
    memory: String(8 + (i % 5) * 8),
  }));
}

/** Returns the declaration of a member: about 25 lines of YAML. */
export function specOf({ name, pods, cpu, memory }: Member): TenantSpec {
  return {
    className: 'product',
    description: `What ${name} runs for its customers`,
    contact: { team: name, channel: `#${name}`, owner: `${name}@example.com` },
    quota: {
      hard: {
        pods,
        'requests.cpu': cpu,
        'requests.memory': `${memory}Gi`,
        'limits.memory': `${memory}Gi`,
      },
    },
    access: {
      editors: { groups: [`${name}-developers`] },
      viewers: { groups: [`${name}-support`] },
      roles: [{ preset: 'deployer', serviceAccounts: [{ name: 'deployer', namespace: name }] }],
    },
  };
}

/** The class of all members, with the settings that they do not have. */
export const productClass: TenantClassSpec = {
  description: 'Teams that run services of their own',
  // Peers do not render these quotas.
  allow: {
    priorityClasses: ['*', 'system-cluster-critical', 'system-node-critical'],
    crossNamespaceAffinity: 'Allow',
    uncountedObjects: 'Allow',
  },
  presets: {
    roles: [
      {
        name: 'deployer',
        rules: [
          {
            apiGroups: ['apps'],
            resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
            verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
          },
          {
            apiGroups: [''],
            resources: ['configmaps', 'persistentvolumeclaims', 'secrets', 'services'],
            verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
          },
          {
            apiGroups: ['batch'],
            resources: ['cronjobs', 'jobs'],
            verbs: ['get', 'list', 'watch'],
          },
          {
            apiGroups: ['autoscaling'],
            resources: ['horizontalpodautoscalers'],
            verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
          },
          {
            apiGroups: ['policy'],
            resources: ['poddisruptionbudgets'],
            verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
          },
          {
            apiGroups: ['discovery.k8s.io'],
            resources: ['endpointslices'],
            verbs: ['get', 'list', 'watch'],
          },
          {
            apiGroups: ['networking.k8s.io'],
            resources: ['ingresses', 'networkpolicies'],
            verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
          },
          {
            apiGroups: [''],
            resources: ['events', 'pods', 'pods/log'],
            verbs: ['get', 'list', 'watch'],
          },
        ],
      },
    ],
  },
  defaults: {
    labels: { 'example.com/cost-center': 'products', 'example.com/tier': 'standard' },
    annotations: { 'example.com/handbook': 'https://handbook.example.com/teams/products' },
    podSecurity: { warn: 'restricted', audit: 'restricted' },
    serviceAccounts: [{ name: 'deployer' }],
    limits: {
      items: [
        {
          type: 'Container',
          default: { cpu: '500m', memory: '512Mi' },
          defaultRequest: { cpu: '50m', memory: '128Mi' },
          max: { cpu: '4', memory: '8Gi' },
          min: { cpu: '10m', memory: '16Mi' },
        },
        { type: 'PersistentVolumeClaim', max: { storage: '100Gi' }, min: { storage: '1Gi' } },
      ],
    },
  },
};

const pods = (namespace: string, app: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  podSelector: { matchLabels: { 'app.kubernetes.io/name': app } },
});

export const platform: PlatformSpec = {
  ingressControllers: [
    pods('ingress-nginx', 'ingress-nginx'),
    pods('gateway', 'envoy'),
    pods('gateway', 'probe'),
  ],
  monitoring: [
    pods('monitoring', 'prometheus'),
    pods('monitoring', 'blackbox-exporter'),
    pods('logging', 'collector'),
  ],
};

const apiVersion = 'tenantry.dev/v1alpha1';

/** Writes the declarations of a fleet: `tenants/`, a file for each tenant, and `tenantry.yaml`. */
export function writeDeclarations(folder: string, fleet: readonly Member[]): void {
  writePlatform(folder);
  for (const member of fleet) writeMember(folder, member);
}

/** Writes `tenantry.yaml`, and `tenants/` with only the class. */
export function writePlatform(folder: string): void {
  mkdirSync(join(folder, 'tenants', 'classes'), { recursive: true });
  const classObject = declared('TenantClass', 'product', productClass);
  writeFileSync(join(folder, 'tenantry.yaml'), declared('Platform', 'bench', platform));
  writeFileSync(join(folder, 'tenants', 'classes', 'product.yaml'), classObject);
}

export function writeMember(folder: string, member: Member): void {
  const text = declared('Tenant', member.name, specOf(member));
  writeFileSync(join(folder, 'tenants', `${member.name}.yaml`), text);
}

function declared(kind: string, name: string, spec: object): string {
  const object = { apiVersion, kind, metadata: { name }, spec };
  return emitYaml([object satisfies KubeObject]);
}
