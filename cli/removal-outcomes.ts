import { names } from '../constructs/argocd/platform/names.ts';
import { layout } from '../constructs/layout.ts';
import { pruneOutcome } from '../constructs/tenant/prune-outcome.ts';
import { isDnsLabel } from '../kube/names.ts';
import type { KubeObject } from '../kube/object.ts';
import { readDocuments } from '../kube/yaml/read.ts';
import { validateObject } from '../synth/manifests/text.ts';
import type { Base } from './base.ts';
import type { FoundHolder } from './base-holders.ts';

/** Namespaces of a tenant that leave Git on one cluster, and what becomes of them there. */
export interface NamespaceRemoval {
  readonly cluster: string;
  readonly tenant: string;
  readonly namespaces: readonly string[];
  /**
   * `Stays`: until a person deletes them. `Asks`: their Application is to be deleted, and waits for a person's word.
   * `Deleted`: Argo CD deletes them, with everything in them, and asks nobody.
   */
  readonly fate: 'Stays' | 'Asks' | 'Deleted';
  /** By which a person deletes them; absent where nobody is asked. */
  readonly command?: string;
}

const fates = { left: 'Stays', asked: 'Asks', deleted: 'Deleted' } as const;

/**
 * What becomes of namespaces that leave Git, by what the base says of them: what is in Git no more, Argo CD asks of the
 * live object, which is as it was synced last.
 *
 * @param leaving Namespaces; those of no tenant, or with names that no cluster takes, are left out
 * @param isThere whether the tenant is still on the cluster, and with it the Application of its folder
 */
export function findRemovals(
  base: Base,
  leaving: readonly FoundHolder[],
  isThere: (cluster: string, tenant: string) => boolean,
): NamespaceRemoval[] {
  const groups = Map.groupBy(leaving.filter(hasNames), (one) => {
    const what = isThere(one.cluster, one.tenant) ? 'Prune' : 'Delete';
    return `${one.cluster}/${one.tenant}/${fates[pruneOutcome(what, one.object)]}`;
  });
  const found = [...groups].map(([key, ones]) => {
    const [cluster, tenant, outcome] = key.split('/') as [string, string, NamespaceRemoval['fate']];
    const namespaces = [...new Set(ones.map(({ name }) => name))].toSorted();
    return { cluster, tenant, namespaces, fate: outcome };
  });
  const asked = found.filter(({ fate }) => fate === 'Asks').map(({ cluster }) => cluster);
  const argocd = argocdNamespaces(base, asked);
  return found.map((one) => {
    if (one.fate === 'Deleted') return one;
    const command =
      one.fate === 'Stays'
        ? `kubectl delete namespace ${one.namespaces.join(' ')}`
        : approval(one, argocd.get(one.cluster));
    return { ...one, command };
  });
}

/** Names become words of a command, for a person to run. */
function hasNames({ cluster, tenant, name }: FoundHolder): boolean {
  return [tenant, name, ...(cluster === '' ? [] : [cluster])].every(isDnsLabel);
}

/** Where the Applications of tenants are, by cluster, as far as they are ours. */
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

/** Where the Applications are not ours, nobody here knows what they are called. */
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
  fate,
  command,
}: NamespaceRemoval): string {
  const isOne = namespaces.length === 1;
  const what = `namespace${isOne ? '' : 's'} ${namespaces.join(', ')} of tenant ${tenant}${cluster === '' ? '' : ` on ${cluster}`}`;
  const [it, them] = isOne ? ['it', 'it'] : ['they', 'them'];
  const words = {
    Stays: `${it} ${isOne ? 'stays' : 'stay'} without the access that Git granted. A person must delete ${them} with everything in ${them}:`,
    Asks: `${it} ${isOne ? 'stays' : 'stay'} until a person approves the deletion of the tenant's Application, with everything in ${them}:`,
    Deleted: `Argo CD deletes ${them} with everything in ${them}, and asks nobody.`,
  }[fate];
  const lines = [`Leaves Git: ${what}; ${words}`];
  return [...lines, ...(command === undefined ? [] : [`  ${command}`])].join('\n');
}
