import { formatCanonicalJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatPath, type Path } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { ClassException } from '../../crds/types.ts';
import { listExceptionParts } from '../../model/classes/exceptions.ts';
import { definePlanRules, type ReportChange } from './change.ts';
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

/** The fields of a class that bound its tenants. What is in the others shows in the objects of the tenants. */
export const BOUNDING: ReadonlySet<string> = new Set([
  'ceilings',
  'allow',
  'hardening',
  'selfService',
  'allowedTenants',
  'exceptions',
]);

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
      const [was, is] = [old.get(key), now.get(key)];
      if (was?.value === is?.value) continue;
      const bound = (is ?? was)!;
      const rule = rules[classify(bound, was?.value, is?.value)];
      report(rule, subject, `${formatChange(bound, was?.value, is?.value)}: ${whom}`, where);
    }
  }
}

/** A bound of a class: a value, or one entry of a list. */
interface Bound {
  readonly path: Path;
  /** As text; for an entry of a list it is part of the key too. */
  readonly value: string;
  readonly isEntry: boolean;
  /** The tenants that an exception is for. */
  readonly whom?: string;
}

function readBounds(object: KubeObject): ReadonlyMap<string, Bound> {
  const bounds = new Map<string, Bound>();
  const add = (bound: Bound): void => {
    const entry = bound.isEntry ? bound.value : '';
    bounds.set(formatCanonicalJson([bound.whom ?? '', bound.path, entry]), bound);
  };
  const spec = isMapping(object['spec']) ? object['spec'] : {};
  for (const [field, value] of Object.entries(spec)) {
    if (!BOUNDING.has(field) || field === 'exceptions') continue;
    for (const bound of flatten(value, [field])) add(bound);
  }
  const exceptions = Array.isArray(spec['exceptions']) ? spec['exceptions'].filter(isMapping) : [];
  for (const exception of exceptions as unknown as ClassException[]) {
    const { tenants = [], namespaces } = exception;
    for (const tenant of tenants) {
      const whom = namespaces ? `${tenant} in ${namespaces.join(', ')}` : tenant;
      for (const { path, value } of listExceptionParts(exception)) {
        const isEntry = typeof path.at(-1) === 'number';
        add({ path: isEntry ? path.slice(0, -1) : path, value: formatValue(value), isEntry, whom });
      }
    }
  }
  return bounds;
}

function flatten(value: unknown, path: Path): Bound[] {
  if (Array.isArray(value)) {
    return value.map((item) => ({ path, value: formatValue(item), isEntry: true }));
  }
  if (isMapping(value)) {
    return Object.entries(value).flatMap(([key, inner]) => flatten(inner, [...path, key]));
  }
  return [{ path, value: formatValue(value), isEntry: false }];
}

const formatValue = (value: unknown): string =>
  typeof value === 'object' ? formatCanonicalJson(value) : String(value);

/** Words from the strictest to the most open. */
const orders: readonly (readonly string[])[] = [
  ['restricted', 'baseline', 'privileged'],
  ['Closed', 'SameNamespace', 'SameTenant', 'Open'],
  ['Deny', 'Allow'],
  ['Enforced', 'Disabled'],
];

/** The numbers of ceilings: more of them costs resources, and weakens no isolation. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'namespaces',
  'quota',
  'tenantQuota',
  'limits',
  'resourceBytes',
  'terminationSeconds',
]);

function classify(
  { path, isEntry, whom }: Bound,
  was: string | undefined,
  is: string | undefined,
): 'opened' | 'raised' | 'changed' | 'lowered' {
  const [area, field] = path.map(String);
  const isAmount = area === 'allowedTenants' || (area === 'ceilings' && AMOUNTS.has(field!));
  const more = isAmount ? 'raised' : 'opened';
  // A hardening that is set restricts. A ceiling that is not set is none, or that of the built-in class.
  const isBoundIfSet = !isEntry && !whom && (area === 'hardening' || area === 'ceilings');
  if (was === undefined) return isBoundIfSet ? 'lowered' : more;
  if (is === undefined) return isBoundIfSet ? more : 'lowered';
  const order = orders.find((words) => words.includes(was) && words.includes(is));
  if (order) return order.indexOf(is) > order.indexOf(was) ? more : 'lowered';
  if (is === 'unlimited') return more;
  const [old, now] = [parseQuantity(was), parseQuantity(is)];
  if (old === undefined || now === undefined) return 'changed';
  return now > old ? more : 'lowered';
}

function formatChange(
  { path, isEntry, whom, value }: Bound,
  was: string | undefined,
  is: string | undefined,
): string {
  const what = whom === undefined ? formatPath(path) : `${formatPath(path)} of ${whom}`;
  if (isEntry) return `${what} ${is === undefined ? 'no longer has' : 'has'} ${value}`;
  return `${what} ${was ?? 'no bound'} -> ${is ?? 'no bound'}`;
}
