import type { ResolvedNamespace } from '../layers/resolved.ts';
import { COMPARE_OPTIONS, QUIET, SYNC_OPTIONS } from '../../argocd-keys.ts';

type Annotations = Readonly<Record<string, string>>;

/** What Argo CD is told of the objects of one namespace, for the time when they are no longer in Git. */
export interface Staying {
  /** On the Namespace. */
  readonly namespace: Annotations;
  /** On what lies in it, but for access. */
  readonly content: Annotations;
  /** On Roles and RoleBindings. */
  readonly access: Annotations;
}

const nothing: Annotations = {};

/** Extraneous objects are then no difference: else each sync would try again, and real drift wait for its turn. */
const unsynced = { [COMPARE_OPTIONS]: QUIET };
const kept = options('Prune=false', 'Delete=false');
const prunedOnly: Annotations = { [SYNC_OPTIONS]: 'Delete=false' };
/** The Namespace of a tenant with nobody left in it on the cluster: its Application may wait for a person. */
const confirmed = options('Prune=false', 'Delete=confirm');

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
export function stayingOf(
  { settings, lifecycle }: ResolvedNamespace,
  siblings: readonly ResolvedNamespace[],
): Staying {
  if (settings.deletion === 'None') {
    return { namespace: nothing, content: nothing, access: nothing };
  }
  if (lifecycle !== 'Retired') return { namespace: kept, content: prunedOnly, access: nothing };
  const isLast = siblings.every((one) => one.lifecycle === 'Retired');
  return { namespace: isLast ? confirmed : kept, content: kept, access: kept };
}

function options(...sync: readonly string[]): Annotations {
  return { ...unsynced, [SYNC_OPTIONS]: sync.join(',') };
}
