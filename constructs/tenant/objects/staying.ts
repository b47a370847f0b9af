import type { ResolvedNamespace } from '../layers/resolved.ts';
import { COMPARE_OPTIONS, QUIET, SYNC_OPTIONS } from '../../argocd-keys.ts';

type Annotations = Readonly<Record<string, string>>;

/** What Argo CD is told of the objects of one namespace, for the time when they are no longer in Git. */
export interface RetentionAnnotations {
  /** On the Namespace. */
  readonly namespace: Annotations;
  /** On what lies in it, but for access. */
  readonly content: Annotations;
  /** On Roles and RoleBindings. */
  readonly access: Annotations;
}

const emptyAnnotations: Annotations = {};

/** Extraneous objects are then no difference: else each sync would try again, and real drift wait for its turn. */
const ignoreExtraneous = { [COMPARE_OPTIONS]: QUIET };
const neverDeleted = buildSyncOptions('Prune=false', 'Delete=false');
const prunedNotDeleted: Annotations = { [SYNC_OPTIONS]: 'Delete=false' };
/** The Namespace of a tenant with nobody left in it on the cluster: its Application may wait for a person. */
const confirmed = buildSyncOptions('Prune=false', 'Delete=confirm');

/**
 * When a declaration goes, access goes with the next sync, and everything else stays as it is until a person has said
 * that it may go. Argo CD decides object by object, by what the live one says, so it is said ahead: no sync ever waits
 * (`Prune=confirm` holds back all that the Application has to do), and an Application that is deleted takes access
 * along and leaves the rest. Where a namespace is Retired, all that is left in it stays until the namespace goes; where all
 * of the tenant's on the cluster are, deleting the Application of the namespaces asks a person, for then it keeps nobody
 * waiting.
 *
 * See docs/adr/0078-access-goes-the-namespace-stays.md.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 *
 * @param siblings all namespaces of the tenant on the cluster
 */
export function buildRetentionAnnotations(
  { settings, lifecycle }: ResolvedNamespace,
  siblings: readonly ResolvedNamespace[],
): RetentionAnnotations {
  if (settings.deletion === 'None') {
    return { namespace: emptyAnnotations, content: emptyAnnotations, access: emptyAnnotations };
  }
  if (lifecycle !== 'Retired')
    return { namespace: neverDeleted, content: prunedNotDeleted, access: emptyAnnotations };
  const isLast = siblings.every((one) => one.lifecycle === 'Retired');
  return {
    namespace: isLast ? confirmed : neverDeleted,
    content: neverDeleted,
    access: neverDeleted,
  };
}

function buildSyncOptions(...sync: readonly string[]): Annotations {
  return { ...ignoreExtraneous, [SYNC_OPTIONS]: sync.join(',') };
}
