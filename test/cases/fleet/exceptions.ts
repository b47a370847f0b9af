import type { TenantClassDeclaration } from '../../../model/declaration.ts';
import type { ClassException } from '../../../crds/types.ts';
import type { TenantSpec } from '../../../crds/tenant.ts';
import { allows } from '@tenantry/kube/cluster-roles';
import { parseQuantity } from '@tenantry/kube/quantity';
import { buildRoles } from './access.ts';
import { allowOf, limitsOf } from './classes.ts';
import { same } from './counting.ts';
import type { Original } from './originals.ts';

/** A namespace of a tenant, and the rules by which a class refuses it. */
export interface Refused {
  readonly one: Original;
  /** The namespace declared as a separate Tenant. */
  readonly spec: TenantSpec;
  readonly tenant: string;
  /** Whether the tenant has other namespaces. */
  readonly isOneOfSeveral: boolean;
  readonly rules: ReadonlySet<string>;
}

type Part = Pick<ClassException, 'ceilings' | 'allow'>;
type PartOf = (refused: Refused, klass: TenantClassDeclaration) => Part;

/** The minimum that a class must allow a namespace so that a rule passes. */
const parts: Readonly<Record<string, PartOf>> = {
  'ceiling-limits': ({ one }, { spec }) => ({
    ceilings: { limits: limitsBeyond(one, spec.ceilings?.limits ?? {}) },
  }),
  'ceiling-network': () => ({ ceilings: { network: { isolation: 'Open' } } }),
  'ceiling-roles': ({ one }, { spec }) => ({
    ceilings: { roles: rulesBeyondAdmin(one, spec.presets?.roles ?? []) },
  }),
  'foreign-service-account': ({ one }, { spec }) => ({
    allow: {
      serviceAccounts: more(allowOf([one], 1).serviceAccounts, spec.allow?.serviceAccounts),
    },
  }),
  'metadata-key': ({ spec: own }, { spec }) => ({
    allow: { ...keys('labels', own, spec.allow), ...keys('annotations', own, spec.allow) },
  }),
  'resource-kind': ({ one }, { spec }) => ({
    allow: { resources: more(allowOf([one], 1).resources, spec.allow?.resources) },
  }),
};

/** Returns the exception of a class for a namespace that it would refuse. */
export function exceptionFor(refused: Refused, klass: TenantClassDeclaration): ClassException {
  const { one, tenant, isOneOfSeveral, rules } = refused;
  const found = [...rules].map((rule): Part => {
    const part = parts[rule];
    if (!part) throw new Error(`no exception is known for the rule ${rule} (${one.namespace})`);
    return part(refused, klass);
  });
  const ceilings = Object.assign({}, ...found.map((part) => part.ceilings)) as object;
  const allow = Object.assign({}, ...found.map((part) => part.allow)) as object;
  return {
    tenants: [tenant],
    ...(isOneOfSeveral && { namespaces: [one.namespace] }),
    reason: 'Their team wrote it before there were classes',
    ...(Object.keys(ceilings).length > 0 && { ceilings }),
    ...(Object.keys(allow).length > 0 && { allow }),
  };
}

function limitsBeyond(one: Original, ceilings: Readonly<Record<string, string | number>>) {
  const largest = new Map<string, string | number>();
  const items = limitsOf(one).flatMap(({ spec }) => spec.limits);
  const amounts = items.flatMap((item) =>
    [item.min, item.defaultRequest, item.default, item.max].flatMap((all) =>
      Object.entries(all ?? {}),
    ),
  );
  for (const [key, value] of amounts) {
    const bound = largest.get(key) ?? ceilings[key];
    if (bound === undefined || parseQuantity(value)! <= parseQuantity(bound)!) continue;
    largest.set(key, value);
  }
  return Object.fromEntries(largest);
}

/** Returns the rules beyond Kubernetes' `admin` in roles that are no presets. */
function rulesBeyondAdmin(one: Original, presets: readonly { readonly name: string }[]) {
  return buildRoles(one)
    .filter(({ metadata }) => presets.every(({ name }) => name !== metadata.name))
    .flatMap(({ rules }) => rules)
    .filter(({ apiGroups, resources, verbs }) =>
      apiGroups.some((group) =>
        resources.some((each) => verbs.some((verb) => !allows('admin', group, each, verb))),
      ),
    );
}

function more<T>(own: readonly T[] = [], below: readonly T[] = []): T[] {
  return own.filter((one) => !below.some((other) => same(one, other)));
}

type Allowed = NonNullable<TenantClassDeclaration['spec']['allow']>;

function keys(part: 'labels' | 'annotations', own: TenantSpec, allow: Allowed = {}): Allowed {
  const open = new Set((allow[part] ?? []).map(({ key }) => key));
  const closed = Object.keys(own[part] ?? {}).filter((key) => !open.has(key));
  return closed.length > 0 ? { [part]: closed.map((key) => ({ key })) } : {};
}
