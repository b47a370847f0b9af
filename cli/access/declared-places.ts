import type { AccessSubject, PolicyBinding } from '@tenantry/kube/authorization';
import { isMapping } from '@tenantry/kube/mapping';
import { FleetLookup, type FoundTenant } from '../../apps/fleet-lookup.ts';
import type { FleetInput } from '../../apps/fleet-input.ts';
import { explainTenant, type ExplainedTenant } from '../../model/explain/explain-tenant.ts';
import type { Origin } from '../../model/origins.ts';
import type { ExplainedValue } from '../../model/explain/explained-value.ts';
import type { AccessPlace } from './access-source.ts';

/** The number of tenants that are explained if nothing ends in them: each one is resolved again. */
const MAX_TENANTS = 20;

/** Where a subject is declared, and the last day of its access; undefined if it does not end. */
export interface DeclaredSubject {
  readonly place: AccessPlace | undefined;
  readonly until: string | undefined;
}

/** Finds where a tenant declares the subject of a binding. It reads the declarations on the first search. */
export class DeclaredPlaces {
  readonly #input: FleetInput | undefined;
  #lookup: FleetLookup | undefined;
  readonly #tenants = new Map<
    string,
    { readonly found: FoundTenant; readonly explained: ExplainedTenant } | undefined
  >();

  /** @param input absent where the answer does not come from declarations */
  constructor(input: FleetInput | undefined) {
    this.#input = input;
  }

  /** Returns the declaration of a subject that keeps it in a binding the longest; undefined if none is known. */
  find(
    tenant: string | undefined,
    cluster: string,
    { namespace, role }: PolicyBinding,
    subject: AccessSubject,
  ): DeclaredSubject | undefined {
    const known = tenant ? this.#explain(tenant) : undefined;
    const values = known?.explained.namespaces.find(
      (one) => one.name === namespace && one.cluster === cluster,
    )?.values;
    if (!known || !values) return undefined;
    const [last] = values
      .filter((value) => isSubject(value, subject, namespace) && isOfRole(value, role, values))
      .map(({ origin }) => ({ origin, until: findEnd(origin, values) }))
      .toSorted((a, b) => ((a.until ?? NEVER) < (b.until ?? NEVER) ? 1 : -1));
    if (!last) return undefined;
    const { file, line } = known.found.locate(last.origin);
    const place = file === undefined || line === undefined ? undefined : { file, line };
    return { place, until: last.until };
  }

  #explain(name: string) {
    if (!this.#input) return undefined;
    if (this.#tenants.has(name)) return this.#tenants.get(name);
    this.#lookup ??= new FleetLookup(this.#input);
    // Without an end date, access would look as if it lasted.
    if (this.#tenants.size >= MAX_TENANTS && !this.#lookup.hasEndings(name)) return undefined;
    const { platform } = this.#lookup.fleet;
    const found = this.#lookup.find(name);
    const known = found && {
      found,
      explained: explainTenant(found.tenant, found.klass, platform, found.declaredClass),
    };
    this.#tenants.set(name, known);
    return known;
  }
}

/** Is after every date. */
const NEVER = '~';

/** Returns the last day of the entry that declares a subject: its end date is beside the lists of subjects. */
function findEnd(origin: Origin, values: readonly ExplainedValue[]): string | undefined {
  const place = JSON.stringify([...origin.slice(0, -2), 'until']);
  const end = values.find((value) => JSON.stringify(value.origin) === place)?.value;
  return typeof end === 'string' ? end : undefined;
}

const listOf = { User: 'users', Group: 'groups', ServiceAccount: 'serviceAccounts' } as const;

function isSubject(
  { path, value }: ExplainedValue,
  subject: AccessSubject,
  namespace: string,
): boolean {
  if (path[0] !== 'access' || path.at(-2) !== listOf[subject.kind]) return false;
  if (!isMapping(value)) return value === subject.name;
  const own = value['namespace'] ?? namespace;
  return value['name'] === subject.name && own === subject.namespace;
}

/** Whether a list of subjects (`access.admins`, `access.roles.deployer`) is of the role that is bound. */
function isOfRole(
  { path: [, list, name] }: ExplainedValue,
  role: PolicyBinding['role'],
  values: readonly ExplainedValue[],
): boolean {
  if (list === 'roles' || list === 'clusterRoles') return name === role.name;
  const ofLevel = values.find(
    ({ path }) => path[0] === 'access' && path[1] === list && path[2] === 'clusterRole',
  );
  return ofLevel?.value === role.name;
}
