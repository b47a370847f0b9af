import { expect } from '@jest/globals';
import type { Platform, TenantDeclaration } from '../../model/declaration.ts';
import type { DesiredTenant } from '../../model/desired.ts';
import { Fleet } from '../../model/fleet.ts';
import type { TenantStatus } from '../../crds/tenant-status.ts';
import type { TenantClassSpec } from '../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { Tenant, TenantClass, wholeKinds } from '../../operator/cluster/kinds.ts';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { apiVersionOf, type Kind, type Live } from '@tenantry/runtime/kinds/kind';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { refusal } from '../constructs/policy-request.ts';
import type { ClusterView } from '@tenantry/testing/simulation/cluster-view';

/** The content of a status that an independent judge can derive. */
interface Verdict {
  /** `True AsDeclared` */
  readonly ready: string;
  /** `Missing ResourceQuota acme/tenant-quota`, `Changed RoleBinding acme/edit`; one line per object. */
  readonly drift: readonly string[];
  /** The number of those objects. */
  readonly objects: number;
  readonly undeclared: readonly string[];
  readonly pressure: readonly string[];
}

const nothing = { drift: [], objects: 0, undeclared: [], pressure: [] };
const label = 'tenantry.dev/tenant';

/** Reads the verdict from a status. */
function parseVerdict(status: TenantStatus | undefined): Verdict {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const drift = (status?.drift ?? []).map(({ type, field, ...one }) => {
    const how = type === 'Extra' && field === undefined ? 'Extra' : 'Changed';
    return `${type === 'Missing' && field === undefined ? type : how} ${textOf(one)}`;
  });
  return {
    ready: `${ready?.status} ${ready?.reason}`,
    drift: [...new Set(drift)].toSorted(),
    objects: status?.counts?.driftedObjects ?? 0,
    undeclared: (status?.undeclared ?? [])
      .map((one) => `${textOf(one)} ${one.field ?? ''}`.trim())
      .toSorted(),
    pressure: (status?.quotaPressure ?? [])
      .map(({ namespace, quota, resource }) => `${namespace}/${quota} ${resource}`)
      .toSorted(),
  };
}

const textOf = (one: {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}) => `${one.kind} ${one.namespace ?? ''}/${one.name}`;

/**
 * Derives the expected verdict of a tenant on the cluster `cluster` in the simplest way: it examines all objects, one
 * by one. It expects objects in the form in which they were declared, and no rollout in progress.
 */
export function verdictOf(
  tenant: Live<typeof Tenant>,
  view: Pick<ClusterView, 'list'>,
  platform: Platform,
  cluster: string,
): Verdict {
  const declaration = declarationIn(tenant);
  const { name, spec } = declaration;
  if (spec.cordoned === true) return { ...nothing, ready: 'Unknown Cordoned' };
  const wanted = fleetIn(view, platform).desired(declaration);
  if (wanted.findings.some(({ severity }) => severity === 'error')) {
    return { ...nothing, ready: 'False Refused' };
  }
  if (isTakenFrom(tenant, view)) {
    return { ...nothing, ready: 'False NamespaceTaken' };
  }
  const here = wanted.namespaces.filter((one) => one.cluster === cluster);
  const names = new Set(here.map((one) => one.name));
  const { access, ...compared } = compare(
    name,
    names,
    here.flatMap(({ objects }) => objects),
    view,
  );
  const isGoing = view
    .list(Namespace)
    .some(({ metadata, status }) => names.has(metadata.name) && status?.phase !== 'Active');
  const asDeclared = names.size === 0 ? 'True NotDeclaredHere' : 'True AsDeclared';
  const asked = spec.driftPolicy ?? policyOfClass(declaration, view, platform) ?? 'Observe';
  const isHealed = asked === 'Heal' && platform.driftPolicy === 'Heal';
  const isOpen = !isHealed && hasAccessLeft(declaration, names, here, view);
  const remains = isOpen ? 'False AccessRemains' : asDeclared;
  const undrifted = access.length > 0 ? 'False UndeclaredAccess' : remains;
  const ready = compared.drift.length > 0 ? 'False Drifted' : undrifted;
  return {
    ...compared,
    pressure: pressureIn(names, view),
    ready: isGoing ? 'False NamespaceTerminating' : ready,
  };
}

function policyOfClass(
  declaration: TenantDeclaration,
  view: Pick<ClusterView, 'list'>,
  platform: Platform,
) {
  const klass = fleetIn(view, platform).classes.resolve(declaration);
  return 'severity' in klass ? undefined : klass.spec.driftPolicy;
}

/** Returns whether there is a manual binding in a Suspended or Retired namespace; all bound subjects are users. */
function hasAccessLeft(
  { name, spec }: TenantDeclaration,
  namespaces: ReadonlySet<string>,
  here: DesiredTenant['namespaces'],
  view: Pick<ClusterView, 'list'>,
): boolean {
  const declared = new Set(here.flatMap(({ objects }) => objects.map(nameOf)));
  const alive = (namespace: string): boolean => {
    const entry = spec.namespaces?.find((one) => one.name === namespace);
    return [spec.lifecycle, entry?.lifecycle].every((one = 'Active') => one === 'Active');
  };
  const isRetired = spec.lifecycle === 'Retired';
  const closed = new Set(
    view
      .list(Namespace)
      .filter(({ metadata }) => metadata.labels?.[label] === name)
      .map(({ metadata }) => metadata.name)
      .filter((one) => !alive(one) && (isRetired || namespaces.has(one))),
  );
  return view
    .list(RoleBinding)
    .filter(({ metadata }) => closed.has(metadata.namespace ?? ''))
    .filter(({ metadata }) => metadata.labels?.[label] !== name)
    .filter(({ metadata }) => !declared.has(nameOf({ ...binding, metadata } as KubeObject)))
    .some(({ subjects = [] }) => subjects.length > 0);
}

const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' };

/** Checks that each status has the expected verdict; a truncated list of drift must only contain drift. */
export function expectVerdicts(
  view: Pick<ClusterView, 'list'>,
  platform: Platform,
  cluster: string,
): void {
  for (const one of view.list(Tenant)) {
    const { name } = one.metadata;
    const reported = parseVerdict(one.status);
    const is = verdictOf(one, view, platform, cluster);
    const { moreDrift = 0 } = one.status ?? {};
    const drift = is.drift.filter((line) => moreDrift === 0 || reported.drift.includes(line));
    expect([name, reported]).toEqual([name, { ...is, drift }]);
  }
}

/**
 * A fleet that caches desired tenants, since judges need them after each write and they depend on declarations alone.
 */
class AskedFleet extends Fleet {
  readonly #asked = new Map<string, DesiredTenant>();

  override desired(tenant: TenantDeclaration): DesiredTenant {
    return knownOr(this.#asked, JSON.stringify(tenant), () => super.desired(tenant));
  }
}

const fleets = new WeakMap<Platform, Map<string, AskedFleet>>();

/** Returns a fleet with the validated classes of the cluster. */
export function fleetIn(view: Pick<ClusterView, 'list'>, platform: Platform): Fleet {
  const classes = view.list(TenantClass).map(({ metadata: { name }, spec }) => ({
    name,
    spec: (spec ?? {}) as TenantClassSpec,
  }));
  const known = fleets.get(platform) ?? new Map<string, AskedFleet>();
  fleets.set(platform, known);
  return knownOr(known, JSON.stringify(classes), () => {
    const fleet = new AskedFleet(platform);
    for (const klass of classes) fleet.classes.add(klass);
    for (const klass of classes) fleet.classes.check(klass.name);
    return fleet;
  });
}

/** Returns a cached value; the cache holds some hundred keys. */
function knownOr<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key) ?? make();
  if (known.size >= 200) known.clear();
  known.set(key, found);
  return found;
}

/** Returns a Tenant as it was declared. */
export const declarationIn = ({ metadata, spec = {} }: Live<typeof Tenant>) => {
  const { name, labels = {}, annotations = {} } = metadata;
  return { name, labels, annotations, spec };
};

/** Returns whether another Tenant owns a namespace that this one names. */
export const isTakenFrom = (
  tenant: Live<typeof Tenant>,
  view: Pick<ClusterView, 'list'>,
): boolean => namespacesOf(tenant).some((one) => holderAmong(view, one) !== tenant.metadata.name);

function namespacesOf({ metadata, spec = {} }: Live<typeof Tenant>): readonly string[] {
  return (
    spec.namespaces?.map(({ name }) => `${spec.namespacePrefix ?? ''}${name}`) ?? [metadata.name]
  );
}

function holderAmong(view: Pick<ClusterView, 'list'>, namespace: string): string | undefined {
  const naming = view.list(Tenant).filter((one) => namespacesOf(one).includes(namespace));
  const live = view.list(Namespace).find(({ metadata }) => metadata.name === namespace);
  const labelled = live?.metadata.labels?.[label];
  if (naming.some(({ metadata }) => metadata.name === labelled)) return labelled;
  const age = ({ metadata }: Live): string => `${metadata.creationTimestamp} ${metadata.name}`;
  const byAge = naming.map(age).toSorted();
  return byAge[0]?.split(' ')[1];
}

function compare(
  tenant: string,
  namespaces: ReadonlySet<string>,
  declared: readonly KubeObject[],
  view: Pick<ClusterView, 'list'>,
): Omit<Verdict, 'ready' | 'pressure'> & { readonly access: readonly string[] } {
  const live = new Map(
    wholeKinds.flatMap((kind) =>
      view.list(kind as Kind).map((one) => [keyOf(apiVersionOf(kind), one), one as Loose] as const),
    ),
  );
  const wanted = new Map(declared.map((one) => [keyOf(one.apiVersion, one), one]));
  const drift: string[] = [];
  for (const [key, object] of wanted) {
    const there = live.get(key);
    if (!there) drift.push(`Missing ${nameOf(object)}`);
    else if (!isAs(object, there)) drift.push(`Changed ${nameOf(object)}`);
  }
  const undeclared: string[] = [];
  const access: string[] = [];
  const owned = view.list(Namespace).filter(({ metadata }) => metadata.labels?.[label] === tenant);
  const owns = (name: string): boolean => owned.some(({ metadata }) => metadata.name === name);
  for (const [key, there] of live) {
    if (wanted.has(key)) continue;
    const { namespace } = there.metadata;
    const isIn = namespace === undefined || namespaces.has(namespace) || owns(namespace);
    if (there.metadata.labels?.[label] === tenant && isIn) {
      drift.push(`Extra ${nameOf(there)}`);
    } else if (isOfInterest(there) && namespaces.has(there.metadata.namespace ?? '')) {
      undeclared.push(nameOf(there));
      const space = wanted.get(`v1 Namespace undefined ${there.metadata.namespace}`);
      if (space && isBeyond(there, space)) access.push(nameOf(there));
    }
  }
  for (const there of view.list(Namespace)) {
    const { name, labels = {} } = there.metadata;
    const declares = wanted.get(keyOf('v1', there))?.metadata.labels ?? {};
    if (!namespaces.has(name) || !('istio-injection' in labels)) continue;
    if ('istio-injection' in declares) continue;
    undeclared.push(`Namespace /${name} metadata.labels.istio-injection`);
  }
  const all = { undeclared: undeclared.toSorted(), access };
  return { drift: drift.toSorted(), objects: drift.length, ...all };
}

/** Returns whether an undeclared object opens, grants or limits something. */
function isOfInterest({ kind, rules }: Loose): boolean {
  if (kind === 'Role') return JSON.stringify(rules ?? []).includes('"*"');
  return ['RoleBinding', 'NetworkPolicy', 'ResourceQuota', 'LimitRange'].includes(kind);
}

/** Returns whether the admission policies would refuse the object to the tenant's users. */
function isBeyond(object: Loose, space: KubeObject): boolean {
  if (object.kind === 'Role') return true;
  const concern = { RoleBinding: 'roleBindings', NetworkPolicy: 'networkPolicies' } as const;
  const asked = concern[object.kind as keyof typeof concern];
  return asked !== undefined && refusal(asked, space, { object }) !== undefined;
}

type Loose = Live & KubeObject;

const nameOf = ({ kind, metadata }: KubeObject): string => textOf({ kind, ...metadata });
const keyOf = (apiVersion: string, { kind, metadata }: Live | KubeObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace} ${metadata.name}`;

/** Returns whether the content is equal, and all deciding labels and annotations are the declared ones. */
function isAs(declared: KubeObject, live: Loose): boolean {
  const listContent = (object: KubeObject): readonly unknown[] =>
    [
      'spec',
      'rules',
      'roleRef',
      'subjects',
      'imagePullSecrets',
      'automountServiceAccountToken',
    ].map((field) => (object.kind === 'Namespace' ? undefined : object[field]));
  const hasWords = (field: 'labels' | 'annotations'): boolean => {
    const [is, must] = [live.metadata[field] ?? {}, declared.metadata[field] ?? {}];
    return Object.keys({ ...is, ...must }).every((key) => {
      const isOurs =
        /^(policy\.)?tenantry\.dev\/(?!adopt-by$)|^pod-security\.kubernetes\.io\//.test(key);
      return is[key] === must[key] || !(key in must || isOurs);
    });
  };
  const isSame = listContent(declared).every(
    (one, i) => canonical(one) === canonical(listContent(live)[i]),
  );
  return isSame && hasWords('labels') && hasWords('annotations');
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).toSorted().join()}]`;
  if (!isMap(value)) return JSON.stringify(value ?? null);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${name}:${canonical(value[name])}`).join()}}`;
}

/** Handles whole numbers only. */
function pressureIn(namespaces: ReadonlySet<string>, view: Pick<ClusterView, 'list'>) {
  return view.list(ResourceQuota).flatMap((quota) => {
    const { namespace = '', name } = quota.metadata;
    if (!namespaces.has(namespace)) return [];
    const { hard = {}, used = {} } = quota.status ?? {};
    return Object.keys(hard)
      .filter((resource) => Number(used[resource] ?? 0) >= 0.9 * Number(hard[resource]))
      .map((resource) => `${namespace}/${name} ${resource}`)
      .toSorted();
  });
}
