import { formatCanonicalJson } from '@tenantry/kube/json';
import { listAt, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { texts } from '@tenantry/kube/rights/rights';
import { accessLevels } from '../../../crds/access.ts';
import type { Settings } from '../../../crds/settings.ts';
import type { TenantSpec } from '../../../crds/tenant.ts';
import type { TemporaryHolders, TenantQuota } from '../../../crds/types.ts';
import { isAbove } from '../../../model/approval.ts';
import { validateTenantSpec } from '../../../model/declared-objects.ts';
import { listTenantEndings } from '../../../model/endings.ts';

/**
 * Whether something that ends in a Tenant ends later than before, or may no longer end: also in another form that allows
 * the same. Other objects do not show that until the end.
 */
export function extendsEnding(before: KubeObject, after: KubeObject): boolean {
  const [was, is] = [readSpec(before), readSpec(after)];
  if (!was || !is) return true;
  return (
    extendsGrant(listGrants(was), listGrants(is)) ||
    extendsRule(listRules(was), listRules(is)) ||
    extendsQuota(listAmounts(was), listAmounts(is))
  );
}

/** Whether something in a Tenant ends that did not end before, or ends earlier. */
export function endsEarlier(before: KubeObject | undefined, after: KubeObject): boolean {
  const [was, is] = [before && readSpec(before), readSpec(after)];
  const known = was ? listTenantEndings({ spec: was }) : [];
  const endings = is ? listTenantEndings({ spec: is }) : [];
  return endings.some(
    ({ what, until }) => !known.some((one) => one.what === what && one.until <= until),
  );
}

/**
 * Returns the groups of a Tenant or a class that administer namespaces only until a day. A group that also administers one
 * without an end is not among them.
 */
export function listEndingAdmins({ kind, spec = {} }: KubeObject): readonly string[] {
  const layers =
    kind === 'Tenant'
      ? [spec, ...listAt(spec, ['namespaces'])]
      : [valueAt(spec, ['defaults']), ...listAt(spec, ['environments'])];
  const admins = layers.map((layer) => valueAt(layer, ['access', 'admins']));
  const lasting = new Set(admins.flatMap((one) => texts(valueAt(one, ['groups']))));
  return admins
    .flatMap((one) => listAt(one, ['temporary']))
    .flatMap((one) => texts(valueAt(one, ['groups'])))
    .filter((group) => !lasting.has(group));
}

/** Returns the spec of a rendered Tenant; undefined if it does not match its schema. */
function readSpec({ metadata, spec = {} }: KubeObject): TenantSpec | undefined {
  const declared = spec as TenantSpec;
  const faults = validateTenantSpec({ name: metadata.name, spec: declared });
  return faults.length > 0 ? undefined : declared;
}

/** After every date. */
const NEVER = '9999-12-32';

/** Something that a Tenant declares for one of its namespaces, or for all of them (''), until its last day. */
interface Declared {
  readonly namespace: string;
  readonly until: string;
}

const isFor = ({ namespace }: Declared, other: Declared): boolean =>
  namespace === '' || namespace === other.namespace;

/** Whether one of some entries for the same namespaces ends before another entry, and none allows the other as long. */
function isExtension<T extends Declared>(
  entry: T,
  known: readonly T[],
  covers: (known: T) => boolean,
): boolean {
  const ends = known.some(
    (one) => (isFor(one, entry) || isFor(entry, one)) && one.until < entry.until,
  );
  return ends && !known.some((one) => isFor(one, entry) && one.until >= entry.until && covers(one));
}

function listLayers(spec: TenantSpec): (readonly [namespace: string, settings: Settings])[] {
  return [['', spec], ...(spec.namespaces ?? []).map((one) => [one.name, one] as const)];
}

interface DeclaredGrant extends Declared {
  readonly role: string;
  readonly holder: string;
}

function listGrants(spec: TenantSpec): DeclaredGrant[] {
  return listLayers(spec).flatMap(([namespace, { access = {} }]) => {
    const grants = (role: string, holders: AccessHolders, until = NEVER): DeclaredGrant[] =>
      listHolders(holders).map((holder) => ({ namespace, role, holder, until }));
    return [
      ...accessLevels.flatMap((level) => [
        ...grants(level, access[level] ?? {}),
        ...(access[level]?.temporary ?? []).flatMap((one) => grants(level, one, one.until)),
      ]),
      ...[...(access.clusterRoles ?? []), ...(access.roles ?? [])].flatMap((one) => {
        const { users: _u, groups: _g, serviceAccounts: _s, until, ...role } = one;
        return grants(formatCanonicalJson(role), one, until);
      }),
      ...(access.breakGlass ?? []).flatMap(({ clusterRole, until, ...requesters }) =>
        grants(`requests for ${clusterRole}`, requesters, until),
      ),
    ];
  });
}

type AccessHolders = Omit<TemporaryHolders, 'until'>;

const listHolders = ({
  users = [],
  groups = [],
  serviceAccounts = [],
}: AccessHolders): string[] => [
  ...users.map((name) => `User ${name}`),
  ...groups.map((name) => `Group ${name}`),
  ...serviceAccounts.map(({ namespace, name }) => `ServiceAccount ${namespace}/${name}`),
];

/** Whether somebody whose access ends gets access of any kind for longer. */
function extendsGrant(was: readonly DeclaredGrant[], is: readonly DeclaredGrant[]): boolean {
  const levels: readonly string[] = accessLevels;
  const isWithin = (role: string, other: string): boolean =>
    role === other || (levels.includes(other) && levels.indexOf(role) >= levels.indexOf(other));
  return is.some((grant) => {
    const known = was.filter(({ holder }) => holder === grant.holder);
    return isExtension(grant, known, ({ role }) => isWithin(grant.role, role));
  });
}

interface DeclaredRule extends Declared {
  readonly content: string;
}

function listRules(
  spec: TenantSpec,
): readonly [allowFrom: DeclaredRule[], allowTo: DeclaredRule[]] {
  const list = (field: 'allowFrom' | 'allowTo'): DeclaredRule[] =>
    listLayers(spec).flatMap(([namespace, { network = {} }]) => [
      ...(network[field] ?? []).map(({ name: _name, until = NEVER, ...rule }) => {
        return { namespace, until, content: formatCanonicalJson(rule) };
      }),
      ...(network.policies ?? []).map((policy) => {
        return { namespace, until: NEVER, content: formatCanonicalJson(policy) };
      }),
    ]);
  return [list('allowFrom'), list('allowTo')];
}

/** Whether there is a further rule that ends later, while one ends in the same direction: it may allow the same. */
function extendsRule(was: ReturnType<typeof listRules>, is: ReturnType<typeof listRules>): boolean {
  return is.some((rules, i) =>
    rules.some((rule) => isExtension(rule, was[i]!, ({ content }) => content === rule.content)),
  );
}

interface DeclaredAmount extends Declared {
  readonly key: string;
  /** Absent for what the class has. */
  readonly amount?: string;
}

/** Lists the amounts of quotas. One that only ends is above that of the class, which has no end. */
function listAmounts(spec: TenantSpec): DeclaredAmount[] {
  return listLayers(spec).flatMap(([namespace, { quota }]) => {
    const amounts = (of: Amounts, until: string): DeclaredAmount[] =>
      (['hard', 'total'] as const).flatMap((field) =>
        Object.entries(of[field] ?? {}).map(([key, amount]) => {
          return { namespace, until, key: `${field} ${key}`, amount: String(amount) };
        }),
      );
    const { temporary = [], ...lasting }: TenantQuota = quota ?? {};
    const raised = temporary.flatMap((one) => amounts(one, one.until));
    const own = amounts(lasting, NEVER);
    const others = raised.flatMap(({ key }) =>
      own.some((one) => one.key === key) ? [] : [{ namespace, until: NEVER, key }],
    );
    return [...own, ...raised, ...others];
  });
}

type Amounts = Pick<TenantQuota, 'total'> & { readonly hard?: TenantQuota['total'] };

/** Whether an amount that is raised until a day is raised for longer. */
function extendsQuota(was: readonly DeclaredAmount[], is: readonly DeclaredAmount[]): boolean {
  return is.some((one) => {
    const known = was.filter(({ key }) => key === one.key);
    return isExtension(one, known, ({ amount }) =>
      amount === undefined || one.amount === undefined
        ? amount === one.amount
        : !isAbove(one.amount, amount),
    );
  });
}
