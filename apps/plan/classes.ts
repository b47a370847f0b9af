import { ALLOW_LISTS } from '../../model/allow-lists/lists.ts';
import { formatList, formatPath } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import { TERMINATION_SECONDS, TOKEN_SECONDS } from '../../crds/self-service.ts';
import { definePlanRules, type ReportChange } from './change.ts';
import { readBounds, type Bound } from './class-bounds.ts';
import { TENANT_GROUP, filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('isolation', {
  opened: [
    'class-opened',
    'high',
    'a class lets its tenants weaken their isolation, or gain rights: Pod Security, network, roles, hardening, self-service, what they may refer to',
  ],
  raised: [
    'class-raised',
    'medium',
    'a class lets its tenants have more, or more tenants choose it',
  ],
  changed: [
    'class-changed',
    'medium',
    'a bound of a class changes in a way that is neither more nor less',
  ],
  lowered: [
    'class-lowered',
    'low',
    'a class lets its tenants have less: tenants above it are errors',
  ],
  added: ['class-added', 'medium', 'a class is new: tenants may choose it'],
});

export const classRules = Object.values(rules);

/** Reports what changed classes let their tenants have, with the number of these. */
export function judgeClasses(change: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of filterByKind(change.pairs, TENANT_GROUP, 'TenantClass')) {
    if (!after) continue;
    const { name } = after.object.metadata;
    const subject = `TenantClass ${name}`;
    if (!before) {
      report(rules.added, subject, 'is new: tenants may choose it', where);
      continue;
    }
    const count = change.tenantsOfClass(name);
    const whom = count === 1 ? '1 tenant has this class' : `${count} tenants have this class`;
    const [old, now] = [readBounds(before.object), readBounds(after.object)];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      for (const { effect, message } of compareBounds(old.get(key), now.get(key))) {
        report(rules[effect], subject, `${message}: ${whom}`, where);
      }
    }
  }
}

interface BoundChange {
  readonly effect: 'opened' | 'raised' | 'changed' | 'lowered';
  /** `ceilings.quota.pods 10 -> 100`. */
  readonly message: string;
}

function compareBounds(was: Bound | undefined, is: Bound | undefined): BoundChange[] {
  const { path, whom } = (is ?? was)!;
  const setting = formatPath(path);
  const context: BoundContext = {
    setting,
    isException: whom !== undefined,
    what: whom === undefined ? setting : `${setting} of ${whom}`,
    more: isAmount(setting) ? 'raised' : 'opened',
  };
  const [before, after] = [was?.value, is?.value];
  const isList = typeof before === 'object' || typeof after === 'object';
  if (!isList) return compareValues(before, after, context);
  const [old, now] = [before, after].map((value) =>
    typeof value === 'string' ? new Set([value]) : value,
  );
  return compareLists(old, now, context);
}

interface BoundContext {
  /** `allow.clusters`. */
  readonly setting: string;
  readonly isException: boolean;
  /** The setting, and for an exception the tenant. */
  readonly what: string;
  /** The effect of more. */
  readonly more: 'opened' | 'raised';
}

/** Settings of which more costs resources or concerns more tenants, and weakens no isolation. */
const AMOUNTS =
  /^(allowedTenants|ceilings\.(namespaces|quota|tenantQuota|limits|resourceBytes|terminationSeconds))($|\.|\[)/;

const isAmount = (setting: string): boolean => AMOUNTS.test(setting);

/** Lists that bound nothing if they are absent. */
const UNBOUNDED_IF_ABSENT =
  /^(allow\.clusters|allowedTenants\.(names|selector\.matchExpressions)|ceilings\.network\.\w+\.cidrs|selfService\.services\.(types|loadBalancerClasses))$/;
const UNBOUNDED_LISTS = new Set(ALLOW_LISTS.map(({ field }) => `allow.${field}`));

/** Lists that replace a default, which may allow more or less. */
const REPLACES_DEFAULT =
  /^(allow\.(labels|annotations|resources|priorityClasses)|ceilings\.roles|selfService\.network\..*)$/;

type Entries = ReadonlySet<string>;

function compareLists(
  was: Entries | undefined,
  is: Entries | undefined,
  { setting, isException, what, more }: BoundContext,
): BoundChange[] {
  const isUnbounded =
    !isException && (UNBOUNDED_IF_ABSENT.test(setting) || UNBOUNDED_LISTS.has(setting));
  const isReplaced = !isException && REPLACES_DEFAULT.test(setting);
  if ((!was || !is) && (isUnbounded || isReplaced)) {
    const none = isUnbounded ? 'no bound' : 'the default';
    const [before, after] = [was, is].map((entries) => (entries ? formatEntries(entries) : none));
    const effect = isUnbounded && is ? 'lowered' : more;
    return [{ effect, message: `${what} ${before} -> ${after}` }];
  }
  const [old, now] = [was ?? new Set<string>(), is ?? new Set<string>()];
  const changes = [
    ...[...now]
      .filter((entry) => !old.has(entry))
      .map((entry) => ({ effect: more, message: `${what} has ${entry}` })),
    ...[...old]
      .filter((entry) => !now.has(entry))
      .map((entry) => ({
        effect: 'lowered' as const,
        message: `${what} no longer has ${entry}`,
      })),
  ];
  // An empty list is the same as none here.
  const isSpelling = changes.length === 0 && (was === undefined || is === undefined);
  return isSpelling ? [{ effect: 'changed', message: `${what} has no entry` }] : changes;
}

const formatEntries = (entries: Entries): string =>
  entries.size === 0 ? 'none' : formatList([...entries]);

/** Words from the strictest to the most open. */
const orders: readonly (readonly string[])[] = [
  ['restricted', 'baseline', 'privileged'],
  ['Closed', 'SameNamespace', 'SameTenant', 'Open'],
  ['Deny', 'Allow'],
  ['Enforced', 'Disabled'],
];

/** The defaults of settings that bound even if they are absent. */
const defaults: readonly (readonly [setting: RegExp, value: string])[] = [
  [/^allow\./, 'Deny'],
  [/^selfService\..*\.policy$/, 'Enforced'],
  [/^selfService\.tokens\.maxSeconds$/, String(TOKEN_SECONDS)],
  [/^ceilings\.terminationSeconds$/, String(TERMINATION_SECONDS)],
  [/^ceilings\.resourceBytes$/, '65536'],
];

function compareValues(
  was: string | undefined,
  is: string | undefined,
  { setting, isException, what, more }: BoundContext,
): BoundChange[] {
  if (was === is) return [];
  const preset = isException ? undefined : defaults.find(([own]) => own.test(setting))?.[1];
  const none = preset === undefined ? 'no bound' : 'the default';
  const message = `${what} ${was ?? none} -> ${is ?? none}`;
  const [before, after] = [was ?? preset, is ?? preset];
  if (before === undefined) return [{ effect: isException ? more : 'lowered', message }];
  if (after === undefined) return [{ effect: isException ? 'lowered' : more, message }];
  return [{ effect: classify(before, after, more), message }];
}

function classify(was: string, is: string, more: BoundContext['more']): BoundChange['effect'] {
  if (was === is) return 'lowered';
  const order = orders.find((words) => words.includes(was) && words.includes(is));
  if (order) return order.indexOf(is) > order.indexOf(was) ? more : 'lowered';
  if (is === 'unlimited') return more;
  const [old, now] = [parseQuantity(was), parseQuantity(is)];
  if (old === undefined || now === undefined) return 'changed';
  return now > old ? more : 'lowered';
}
