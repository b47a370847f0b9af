import { allows } from '@tenantry/kube/cluster-roles';
import { omitUndefined } from '@tenantry/kube/mapping';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { Allowed, Ceilings, NamespaceEntry, PolicyRule, RoleCeiling } from '../crds/types.ts';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { selectRoles } from './access.ts';
import { selectLimitRanges, selectQuotas } from './bounds.ts';
import { isEqual, nonEmpty } from './counting.ts';
import type { FoundNamespace } from './namespaces.ts';
import { deriveAllowed } from './tenant-class.ts';

/** The reason of the exceptions for what few namespaces need. */
export const REASON = 'It was so before the import; review it';

/** What an exception allows. */
export interface ExceptionParts {
  readonly ceilings?: Ceilings;
  readonly allow?: Allowed;
}

/** A namespace, and the entry that declares it. */
interface Refused {
  readonly found: FoundNamespace;
  readonly entry: NamespaceEntry;
  readonly klass: TenantClassSpec;
}

/** The least that a class must allow a namespace so that a rule accepts it, by rule. */
const parts: Readonly<Record<string, (refused: Refused) => ExceptionParts>> = {
  'ceiling-limits': ({ found, klass }) => ({
    ceilings: { limits: listLimitsBeyond(found, klass.ceilings?.limits) as never },
  }),
  'ceiling-quota': ({ found, klass }) => ({
    ceilings: { quota: listQuotaBeyond(found, klass.ceilings?.quota) as never },
  }),
  'ceiling-pod-security': ({ entry }) => ({
    ceilings: { podSecurity: resolveLowestLevel(entry) },
  }),
  'ceiling-network': ({ entry }) => ({ ceilings: { network: openNetwork(entry) } }),
  'network-open': ({ entry }) => ({ ceilings: { network: openNetwork(entry) } }),
  'ceiling-roles': ({ found, klass }) => ({
    ceilings: { roles: listRulesBeyondAdmin(found, klass) },
  }),
  'cluster-role': (refused) => pickAllowed(refused, 'clusterRoles'),
  'foreign-service-account': (refused) => pickAllowed(refused, 'serviceAccounts'),
  'resource-kind': (refused) => pickAllowed(refused, 'resources'),
  'metadata-key': ({ entry, klass }) => ({
    allow: omitUndefined<Allowed>({
      labels: nonEmpty(listClosedKeys(entry.labels, klass.allow?.labels)),
      annotations: nonEmpty(
        listClosedKeys(entry.annotations, klass.allow?.annotations).map(({ key }) => ({ key })),
      ),
    }),
  }),
};

/** Returns the part of an exception with which a class accepts a namespace; undefined if a rule has no exceptions. */
export function buildException(rule: string, refused: Refused): ExceptionParts | undefined {
  const built = Object.hasOwn(parts, rule) ? parts[rule]!(refused) : undefined;
  const values = [built?.ceilings, built?.allow].flatMap((one) => Object.values(one ?? {}));
  return values.some((value) => Object.keys((value as object | undefined) ?? {}).length > 0)
    ? built
    : undefined;
}

/** Joins parts of one exception. */
export function joinExceptions(all: readonly ExceptionParts[]): ExceptionParts {
  const ceilings = Object.assign({}, ...all.map((one) => one.ceilings)) as Ceilings;
  const allow = Object.assign({}, ...all.map((one) => one.allow)) as Allowed;
  return omitUndefined<ExceptionParts>({ ceilings: nonEmpty(ceilings), allow: nonEmpty(allow) });
}

type Amounts = Readonly<Record<string, string | number>>;

function listLimitsBeyond(found: FoundNamespace, ceilings: object | undefined): Amounts {
  const items = selectLimitRanges(found.objects).flatMap(({ object }) => object.spec.limits);
  const amounts = items.flatMap((item) =>
    [item.min, item.defaultRequest, item.default, item.max].map((one) => (one ?? {}) as Amounts),
  );
  return listBeyond(amounts, (ceilings ?? {}) as Amounts);
}

function listQuotaBeyond(found: FoundNamespace, ceilings: object | undefined): Amounts {
  const hard = selectQuotas(found.objects).map(({ object }) => object.spec.hard);
  const beyond = listBeyond(hard, (ceilings ?? {}) as Amounts);
  // A key that the quota does not bound is unlimited.
  const missing = Object.keys(ceilings ?? {}).filter((key) => hard.every((one) => !(key in one)));
  return { ...beyond, ...Object.fromEntries(missing.map((key) => [key, 'unlimited'])) };
}

function listBeyond(maps: readonly Amounts[], ceilings: Amounts): Amounts {
  const largest: Record<string, string | number> = {};
  for (const [key, value] of maps.flatMap(Object.entries<string | number>)) {
    const bound = largest[key] ?? ceilings[key];
    if (bound === undefined) continue;
    const [amount, most] = [parseQuantity(value), parseQuantity(bound)];
    if (amount !== undefined && most !== undefined && amount > most) largest[key] = value;
  }
  return largest;
}

function resolveLowestLevel({ podSecurity }: NamespaceEntry): NonNullable<Ceilings['podSecurity']> {
  const level = podSecurity?.enforce;
  return level === 'baseline' || level === 'restricted' ? level : 'privileged';
}

function openNetwork({ network }: NamespaceEntry): NonNullable<Ceilings['network']> {
  const isOpen = network?.isolation === 'Open';
  const reach = { anywhere: 'Allow' as const, otherNamespaces: 'Allow' as const };
  return isOpen ? { isolation: 'Open' } : { ingressFrom: reach, egressTo: reach };
}

/** Returns the rules beyond Kubernetes' `admin` in roles that are no presets. */
function listRulesBeyondAdmin(
  { objects }: FoundNamespace,
  { presets }: TenantClassSpec,
): NonNullable<Ceilings['roles']> {
  const isPreset = (name: string): boolean =>
    (presets?.roles ?? []).some((preset) => preset.name === name);
  return selectRoles(objects)
    .filter(({ object }) => !isPreset(object.metadata.name))
    .flatMap(({ object }): readonly Partial<PolicyRule>[] =>
      Array.isArray(object.rules) ? (object.rules as readonly Partial<PolicyRule>[]) : [],
    )
    .filter(({ apiGroups, resources, verbs }) =>
      (apiGroups ?? []).some((group) =>
        (resources ?? []).some((each) =>
          (verbs ?? []).some((verb) => !allows('admin', group, each, verb)),
        ),
      ),
    )
    .map(({ apiGroups, resources, verbs }) =>
      omitUndefined<RoleCeiling>({ apiGroups, resources, verbs }),
    );
}

function pickAllowed({ found, klass }: Refused, field: keyof Allowed): ExceptionParts {
  const own = (deriveAllowed([found], 1)[field] ?? []) as readonly unknown[];
  const below = (klass.allow?.[field] ?? []) as readonly unknown[];
  const more = own.filter((one) => !below.some((other) => isEqual(one, other)));
  return { allow: { [field]: more } };
}

function listClosedKeys(
  own: Readonly<Record<string, string>> | undefined,
  open: Allowed['labels'] = [],
): NonNullable<Allowed['labels']> {
  const keys = new Set(open.map(({ key }) => key));
  return Object.entries(own ?? {})
    .filter(([key]) => !keys.has(key))
    .map(([key, value]) => ({ key, values: [value] }));
}
