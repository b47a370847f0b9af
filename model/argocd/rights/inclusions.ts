import { escapeServerPattern } from '../../argocd-names.ts';
import type { AppliedKind } from './applied-kinds.ts';
import type { PolicyRule } from '@tenantry/kube/access';
import { appProject, application, applicationSet } from '../api/definitions.ts';

/** An item of `resource.inclusions` in argocd-cm: Argo CD watches these kinds of a cluster, and no others. */
export interface ResourceInclusion {
  readonly apiGroups: readonly [string];
  readonly kinds: readonly string[];
  readonly clusters: readonly string[];
}

/** The addresses of a cluster in Argo CD. */
interface IncludedCluster {
  /** The address in Applications. */
  readonly server: string;
  /**
   * The API server's address as pods in the cluster see it, if Argo CD runs there. This address decides what Argo CD
   * reads; `server` decides what it applies.
   * @default - it runs elsewhere
   */
  readonly ownAddress?: string;
}

/**
 * Builds the kinds of a cluster whose objects Argo CD reads, by group. These are the kinds that it may read, so that it
 * requests no others and no Secrets. An object of another kind in Git is skipped with a warning on the Application. On
 * its own cluster it reads its own kinds too.
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#resource-exclusioninclusion
 */
export function buildInclusions(
  { server, ownAddress }: IncludedCluster,
  kinds: readonly Pick<AppliedKind, 'group' | 'kind'>[],
): ResourceInclusion[] {
  const isOwn = ownAddress !== undefined;
  const groups = Map.groupBy([...kinds, ...(isOwn ? ownKinds : [])], ({ group }) => group);
  const clusters = [server, ...(isOwn ? [ownAddress] : [])].map(escapeServerPattern);
  return [...groups].map(([group, of]) => ({
    apiGroups: [group],
    kinds: of.map(({ kind }) => kind),
    clusters,
  }));
}

/** Argo CD's own kinds, which Applications that keep others apply. */
const ownKinds = [application, applicationSet, appProject];

/**
 * Builds the access to read its own kinds in all namespaces of the cluster where Argo CD runs. Its installation
 * contains a Role to write them in its own namespace.
 */
export function buildOwnAccess(runsHere: boolean): PolicyRule[] {
  if (!runsHere) return [];
  return [
    {
      apiGroups: [application.group],
      resources: ownKinds.map(({ plural }) => plural),
      verbs: ['get', 'list', 'watch'],
    },
  ];
}
