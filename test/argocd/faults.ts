import type { ObjectReference } from '@tenantry/testing/controlplane/objects';

/** A fault in the `resources` of a tenant that prevents a successful sync of Argo CD. */
export interface Fault {
  /** The documents in Git before the fault, in YAML and without a namespace. */
  readonly before: readonly object[];
  /** The documents in Git from the fault on. */
  readonly after: readonly object[];
}

const container = { name: 'a', image: 'registry.example.com/a' };
/** No node has the label, so the pods wait forever. */
const unscheduled = { nodeSelector: { disk: 'golden' }, containers: [container] };
const configMap = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

/** The faults by name. */
export const faults = {
  /** The API server rejects an Ingress without a backend. */
  refused: {
    before: [],
    after: [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'empty' },
        spec: { defaultBackend: {} },
      },
    ],
  },
  unhealthy: {
    before: [],
    after: [
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'waits' },
        spec: {
          serviceName: 'waits',
          selector: { matchLabels: { app: 'waits' } },
          template: { metadata: { labels: { app: 'waits' } }, spec: unscheduled },
        },
      },
    ],
  },
  hangingHook: {
    before: [],
    after: [
      // A hook alone is no difference to Argo CD and starts no sync.
      configMap('beside'),
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'hangs', annotations: { 'argocd.argoproj.io/hook': 'PreSync' } },
        spec: { template: { spec: { ...unscheduled, restartPolicy: 'Never' } } },
      },
    ],
  },
  missingKind: {
    before: [],
    after: [
      {
        apiVersion: 'generators.example.com/v1alpha1',
        kind: 'Password',
        metadata: { name: 'unknown' },
        spec: { length: 12 },
      },
    ],
  },
  pendingPrune: {
    before: [
      configMap('confirms', {
        annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm' },
      }),
    ],
    after: [],
  },
  finalizer: {
    before: [configMap('stays', { finalizers: ['example.com/never'] })],
    after: [],
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

/** Returns each fault alone and all pairs of faults. */
export function faultPairs(): readonly (readonly FaultName[])[] {
  const all = Object.keys(faults) as FaultName[];
  return all.flatMap((one, i) => [[one], ...all.slice(i + 1).map((other) => [one, other])]);
}

/** Returns the file in the repository that has the additional documents of a tenant. */
export const faultsFile = (tenant: string): string =>
  `dist/clusters/eu1/tenants/${tenant}/resources/faults.yaml`;

export function documents(objects: readonly object[], namespace: string): string {
  const placed = objects.map((object) => {
    const { metadata } = object as { readonly metadata: object };
    return { ...object, metadata: { ...metadata, namespace } };
  });
  return placed.map((one) => `---\n${JSON.stringify(one)}\n`).join('');
}

export const finalized = (namespace: string): ObjectReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace,
  name: 'stays',
});
