import { names } from '../../model/argocd/platform/objects.ts';
import { layout } from '../../model/layout.ts';
import { pruneOutcome } from '../../model/objects/retention.ts';
import { isDnsLabel } from '@tenantry/kube/names';
import type { KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { validateObject } from '../../synth/manifests/manifests.ts';
import type { Base, FoundHolder } from '../git/base.ts';

/** Namespaces of a tenant that leave Git on one cluster, and what happens to them there. */
export interface NamespaceRemoval {
  readonly cluster: string;
  readonly tenant: string;
  readonly namespaces: readonly string[];
  /**
   * The prune outcome. `Stays`: they exist until a person deletes them. `AwaitsApproval`: their Application
   * is deleted after a person confirms it. `Deleted`: Argo CD deletes them and their content
   * without confirmation.
   */
  readonly outcome: 'Stays' | 'AwaitsApproval' | 'Deleted';
  /** The command with which a person deletes them; absent if Argo CD deletes them by itself. */
  readonly command?: string;
}

const outcomes = { left: 'Stays', asked: 'AwaitsApproval', deleted: 'Deleted' } as const;

/**
 * Returns the prune outcomes of namespaces that leave Git, according to the base. For an object
 * that is no longer in Git, Argo CD reads the live object, which is as it was last synced.
 *
 * @param leaving Namespaces; those without a tenant or with invalid names are skipped
 * @param isThere whether the tenant is still on the cluster, and with it the Application of its
 * folder
 */
export function findRemovals(
  base: Base,
  leaving: readonly FoundHolder[],
  isThere: (cluster: string, tenant: string) => boolean,
): NamespaceRemoval[] {
  const groups = Map.groupBy(leaving.filter(hasNames), (one) => {
    const what = isThere(one.cluster, one.tenant) ? 'Prune' : 'Delete';
    return `${one.cluster}/${one.tenant}/${outcomes[pruneOutcome(what, one.object)]}`;
  });
  const found = [...groups].map(([key, ones]) => {
    const [cluster, tenant, outcome] = key.split('/') as [
      string,
      string,
      NamespaceRemoval['outcome'],
    ];
    const namespaces = [...new Set(ones.map(({ name }) => name))].toSorted();
    return { cluster, tenant, namespaces, outcome };
  });
  const asked = found
    .filter(({ outcome }) => outcome === 'AwaitsApproval')
    .map(({ cluster }) => cluster);
  const argocd = argocdNamespaces(base, asked);
  return found.map((one) => {
    if (one.outcome === 'Deleted') return one;
    const command =
      one.outcome === 'Stays'
        ? `kubectl delete namespace ${one.namespaces.join(' ')}`
        : approval(one, argocd.get(one.cluster));
    return { ...one, command };
  });
}

/** Whether all names are valid, since they become words of a command that a person runs. */
function hasNames({ cluster, tenant, name }: FoundHolder): boolean {
  return [tenant, name, ...(cluster === '' ? [] : [cluster])].every(isDnsLabel);
}

/** Returns the namespace of the tenants' Applications by cluster, if Tenantry renders them. */
function argocdNamespaces(base: Base, clusters: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map(clusters.map((name) => [layout.argocd.clusterFile(name, 'tenants'), name]));
  const paths = base.files.filter((path) => files.has(path));
  const found = [...base.read(paths)].flatMap(([path, text]) => {
    const value = readDocuments(text).documents[0]?.value;
    if (validateObject(value) !== undefined) return [];
    const { namespace } = (value as KubeObject).metadata;
    return namespace === undefined ? [] : [[files.get(path)!, namespace] as const];
  });
  return new Map(found);
}

/**
 * Returns the command that approves the deletion. It has placeholders if Tenantry renders no
 * Applications.
 */
function approval(
  { cluster, tenant }: Pick<NamespaceRemoval, 'cluster' | 'tenant'>,
  argocd: string | undefined,
): string {
  const [namespace, name] =
    argocd === undefined
      ? [
          '<namespace of Argo CD>',
          `<Application of ${layout.folder(cluster, 'tenants')}/${tenant}>`,
        ]
      : [argocd, names.tenant('namespaces', cluster, tenant)];
  const when = '"$(date -u +%Y-%m-%dT%H:%M:%SZ)"';
  return `kubectl -n ${namespace} annotate application ${name} argocd.argoproj.io/deletion-approved=${when}`;
}

/** `Leaves Git: namespace shop-dev of tenant shop on eu1. It stays, ...` */
export function formatRemoval({
  cluster,
  tenant,
  namespaces,
  outcome,
  command,
}: NamespaceRemoval): string {
  const isOne = namespaces.length === 1;
  const what = `namespace${isOne ? '' : 's'} ${namespaces.join(', ')} of tenant ${tenant}${cluster === '' ? '' : ` on ${cluster}`}`;
  const [it, them] = isOne ? ['it', 'it'] : ['they', 'them'];
  const words = {
    Stays: `${it} ${isOne ? 'stays' : 'stay'} without the access that Git granted. A person must delete ${them} with everything in ${them}:`,
    AwaitsApproval: `${it} ${isOne ? 'stays' : 'stay'} until a person approves the deletion of the tenant's Application, with everything in ${them}:`,
    Deleted: `Argo CD deletes ${them} with everything in ${them}, without confirmation.`,
  }[outcome];
  const lines = [`Leaves Git: ${what}; ${words}`];
  return [...lines, ...(command === undefined ? [] : [`  ${command}`])].join('\n');
}
