import type { ObjectReference } from '../../testing/controlplane/objects.ts';

/** Something in `resources` of a tenant that keeps a sync of Argo CD from ending well. */
export interface Fault {
  /** What is in Git before, as YAML documents without a namespace. */
  readonly before: readonly object[];
  /** What is in Git from then on. */
  readonly after: readonly object[];
}

const container = { name: 'a', image: 'registry.example.com/a' };
/** No node has the label, so the pods wait for ever. */
const unscheduled = { nodeSelector: { disk: 'golden' }, containers: [container] };
const configMap = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

/** The names are those of what goes wrong. */
export const faults = {
  /** The API server takes no Ingress without a backend. */
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
      // A hook alone is no difference to Argo CD, and begins no sync.
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
      configMap('asks', { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm' } }),
    ],
    after: [],
  },
  finalizer: {
    before: [configMap('stays', { finalizers: ['example.com/never'] })],
    after: [],
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

/** All pairs, and each alone. */
export function faultPairs(): readonly (readonly FaultName[])[] {
  const all = Object.keys(faults) as FaultName[];
  return all.flatMap((one, i) => [[one], ...all.slice(i + 1).map((other) => [one, other])]);
}

/** Where in the repository the documents of a tenant lie besides what is rendered. */
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
