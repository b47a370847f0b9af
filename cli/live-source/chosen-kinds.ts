import {
  formatKindName,
  systemKinds,
  tenancyKinds,
  type KindName,
} from '../../import/live-kinds.ts';
import { isDerivedKind } from '../../import/made-objects.ts';
import { show } from '@tenantry/kube/problem';
import { resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';
import { UsageError } from '../usage-error.ts';

/** The kinds of a cluster that are read, and those that are not. */
export interface ChosenKinds {
  readonly read: readonly Kind[];
  /** Namespaced kinds with objects of people that are not read. */
  readonly notRead: readonly Kind[];
}

const isSecret = ({ group, kind }: KindName): boolean => group === '' && kind === 'Secret';

/**
 * Chooses the kinds to read: those of tenancy, those of other tenancy systems, and those that the user names. Secrets are
 * never read. `*` names all kinds but those that only controllers write.
 * @param names of `--kinds`: `Deployment.apps`, `deployments.apps`, `ConfigMap`
 * @throws {UsageError} with every name that is no kind to be read
 */
export function chooseKinds(served: readonly Kind[], names: readonly string[]): ChosenKinds {
  const lacking = tenancyKinds.filter((one) => !served.some((kind) => isSameKind(kind, one)));
  if (lacking.length > 0) {
    const list = lacking.map(formatKindName).join(', ');
    throw new UsageError(`the cluster must serve the kinds of tenancy, and serves no ${list}`);
  }
  const usual = [...tenancyKinds, ...systemKinds];
  const wanted = names.filter((name) => name !== '*').map((name) => findNamedKind(name, served));
  const faults = wanted.filter((one) => typeof one === 'string');
  if (faults.length > 0)
    throw new UsageError(`--kinds must name kinds to read: ${faults.join('; ')}`);
  const isAll = names.includes('*');
  const isRead = (kind: Kind): boolean =>
    usual.some((one) => isSameKind(kind, one)) ||
    wanted.includes(kind) ||
    (isAll && isImportable(kind));
  return {
    read: served.filter(isRead),
    notRead: served.filter(
      (kind) => kind.scope === 'Namespaced' && isOfPeople(kind) && !isRead(kind),
    ),
  };
}

const isSameKind = (a: KindName, b: KindName): boolean => a.group === b.group && a.kind === b.kind;

const isOfPeople = ({ kind }: Kind): boolean => !isDerivedKind(kind);

const isImportable = (kind: Kind): boolean =>
  kind.scope === 'Namespaced' && isOfPeople(kind) && !isSecret(kind);

/** Returns the kind of a name, or why there is none to be read. */
function findNamedKind(name: string, served: readonly Kind[]): Kind | string {
  const wanted = name.toLowerCase();
  const found = served.filter((kind) => {
    const { group, kind: own, plural } = kind;
    const names = [formatKindName({ group, kind: own }), resourceOf(kind), own, plural];
    return names.some((one) => one.toLowerCase() === wanted);
  });
  const [kind] = found;
  if (!kind) return `the cluster serves no ${show(name)} that can be listed`;
  if (found.length > 1) return `${show(name)} is one of ${found.map(formatKindName).join(', ')}`;
  if (isSecret(kind)) return 'Secrets are never read';
  if (kind.scope === 'Cluster')
    return `${kind.kind} is cluster-scoped, and belongs to the platform`;
  return isOfPeople(kind) ? kind : `only controllers write ${kind.kind} objects`;
}
