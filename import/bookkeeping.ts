import type { KubeObject } from '@tenantry/kube/object';
import { COMPARE_OPTIONS, MANAGED_BY_LABEL, SYNC_OPTIONS, SYNC_WAVE } from '../model/ownership.ts';
import type { ObjectManager } from './object-managers.ts';

/** A label or an annotation in which a tool keeps notes for itself. */
interface BookkeepingKey {
  readonly tool: string;
  readonly part: 'labels' | 'annotations';
  /** Whole keys. */
  readonly keys: readonly string[];
}

/**
 * Keys that a tool writes for itself and reads again. Nobody declares them: they name the former manager of the object.
 * Keys with which people instruct a tool, such as sync options, are not included.
 */
const bookkeeping: readonly BookkeepingKey[] = [
  {
    tool: 'kubectl',
    part: 'annotations',
    keys: ['kubectl.kubernetes.io/last-applied-configuration'],
  },
  { tool: 'kubectl', part: 'labels', keys: ['applyset.kubernetes.io/part-of'] },
  {
    tool: 'Argo CD',
    part: 'annotations',
    keys: ['argocd.argoproj.io/tracking-id', 'argocd.argoproj.io/installation-id'],
  },
  { tool: 'Argo CD', part: 'labels', keys: ['argocd.argoproj.io/instance'] },
  {
    tool: 'Helm',
    part: 'annotations',
    keys: ['meta.helm.sh/release-name', 'meta.helm.sh/release-namespace'],
  },
  {
    tool: 'Flux',
    part: 'labels',
    keys: [
      'kustomize.toolkit.fluxcd.io/name',
      'kustomize.toolkit.fluxcd.io/namespace',
      'helm.toolkit.fluxcd.io/name',
      'helm.toolkit.fluxcd.io/namespace',
    ],
  },
  {
    tool: 'Rancher',
    part: 'annotations',
    keys: [
      'objectset.rio.cattle.io/applied',
      'objectset.rio.cattle.io/id',
      'objectset.rio.cattle.io/owner-gvk',
      'objectset.rio.cattle.io/owner-name',
      'objectset.rio.cattle.io/owner-namespace',
    ],
  },
  { tool: 'Rancher', part: 'labels', keys: ['objectset.rio.cattle.io/hash'] },
  {
    tool: 'kapp',
    part: 'annotations',
    keys: [
      'kapp.k14s.io/identity',
      'kapp.k14s.io/original',
      'kapp.k14s.io/original-diff',
      'kapp.k14s.io/original-diff-md5',
    ],
  },
  { tool: 'kapp', part: 'labels', keys: ['kapp.k14s.io/app', 'kapp.k14s.io/association'] },
  { tool: 'kpt', part: 'annotations', keys: ['config.k8s.io/owning-inventory'] },
  {
    tool: "Kubernetes' controllers",
    part: 'annotations',
    keys: [
      'deployment.kubernetes.io/revision',
      'deprecated.daemonset.template.generation',
      'pv.kubernetes.io/bind-completed',
      'pv.kubernetes.io/bound-by-controller',
      'volume.beta.kubernetes.io/storage-provisioner',
      'volume.kubernetes.io/selected-node',
      'volume.kubernetes.io/storage-provisioner',
    ],
  },
];

const toolsByKey: ReadonlyMap<string, string> = new Map(
  bookkeeping.flatMap(({ tool, part, keys }) =>
    keys.map((key): [string, string] => [`${part}/${key}`, tool]),
  ),
);

/**
 * Returns the tool that keeps a label or an annotation of an object for itself; undefined for all others. Two common
 * labels are bookkeeping only on the objects of the tool that reads them.
 */
export function findBookkeeper(
  part: 'labels' | 'annotations',
  key: string,
  { metadata: { labels = {}, annotations = {} } }: Pick<KubeObject, 'metadata'>,
  manager: ObjectManager | undefined,
): string | undefined {
  if (part === 'labels' && key === 'app.kubernetes.io/managed-by') {
    const isHelm = labels[key] === 'Helm' && annotations['meta.helm.sh/release-name'] !== undefined;
    return isHelm ? 'Helm' : undefined;
  }
  if (part === 'labels' && key === 'app.kubernetes.io/instance') {
    return manager?.id === `argocd:${labels[key]}` ? 'Argo CD' : undefined;
  }
  return toolsByKey.get(`${part}/${key}`);
}

/** Keys that Tenantry sets itself on what fields of a Tenant declare, so that those of a former manager are replaced. */
const replaced: ReadonlySet<string> = new Set([
  `labels/${MANAGED_BY_LABEL}`,
  ...[COMPARE_OPTIONS, SYNC_OPTIONS, SYNC_WAVE].map((key) => `annotations/${key}`),
]);

/** Whether Tenantry replaces a label or an annotation on what fields of a Tenant declare. */
export function isReplacedKey(part: 'labels' | 'annotations', key: string): boolean {
  return replaced.has(`${part}/${key}`);
}
