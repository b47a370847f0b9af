import { findProtection } from '../../model/protected.ts';
import type { Platform } from '../../model/declaration.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { Tenant, TenantClass, wholeKinds } from '../../operator/cluster/kinds.ts';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { resourceOf, type Kind, type Live } from '@tenantry/runtime/kinds/kind';
import { UNDECLARED_GRACE } from '../../operator/heal/revoker.ts';
import type { ClusterView, SeenChange } from '@tenantry/testing/simulation/cluster-view';
import { declarationIn, fleetIn, isTakenFrom } from './oracle.ts';
import { endingsIn, isDeclared, mayRevoke, mayRevokeLater, type Ending } from './revoke-judge.ts';

type View = Pick<ClusterView, 'list' | 'now'>;
type Words = Readonly<Record<string, string>>;

const label = 'tenantry.dev/tenant';
const heir = 'tenantry.dev/adopt-by';

/** What the operator may write for a tenant at a moment. */
export interface Permit {
  readonly tenant: string;
  readonly policy: DriftPolicy;
  /** The declared objects by kind, namespace and name. */
  readonly declared: ReadonlyMap<string, KubeObject>;
  /** The total of pods in all of its namespaces; undefined if each namespace has its own limit. */
  readonly total: number | undefined;
}

interface Moment {
  readonly permits: readonly Permit[];
  readonly endings: readonly Ending[];
  readonly labels: ReadonlyMap<string, Words>;
  readonly pods: ReadonlyMap<string, number>;
  readonly from: number;
  /** The end of its validity; undefined while it is valid. */
  until?: number;
}

const byReach = ['Observe', 'Create', 'Heal'] as const;

const keyOf = ({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'> | Live): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/**
 * Returns what may be written for each tenant now: nothing for one that is cordoned, refused, taken or being deleted.
 */
export function permitsIn(view: View, platform: Platform, cluster: string): readonly Permit[] {
  const fleet = fleetIn(view, platform);
  return view.list(Tenant).flatMap((one): Permit[] => {
    const { name, deletionTimestamp } = one.metadata;
    if (one.spec?.cordoned === true || deletionTimestamp !== undefined) return [];
    const declaration = declarationIn(one);
    const wanted = fleet.desired(declaration);
    if (wanted.findings.some(({ severity }) => severity === 'error')) return [];
    if (isTakenFrom(one, view)) return [];
    const klass = fleet.classes.resolve(declaration);
    if ('severity' in klass) return [];
    const asked = declaration.spec.driftPolicy ?? klass.spec.driftPolicy ?? 'Observe';
    const reach = Math.min(byReach.indexOf(asked), byReach.indexOf(platform.driftPolicy));
    const objects = wanted.namespaces
      .filter((namespace) => namespace.cluster === cluster)
      .flatMap((namespace) => namespace.objects);
    const total =
      declaration.spec.quota?.total?.['pods'] ?? klass.spec.defaults?.quota?.total?.['pods'];
    return [
      {
        tenant: name,
        policy: byReach[reach]!,
        declared: new Map(objects.map((object) => [keyOf(object), object])),
        total: total === undefined ? undefined : Number(total),
      },
    ];
  });
}

/** Returns the allowed pods of each tenant quota. */
export function podsIn(view: View): ReadonlyMap<string, number> {
  return new Map(
    view
      .list(ResourceQuota)
      .filter(({ metadata }) => metadata.name === 'tenant-quota')
      .map((one) => [one.metadata.namespace!, Number(one.spec?.hard?.['pods'] ?? 0)]),
  );
}

/**
 * Judges each write of a healing operator by what was allowed at some moment shortly before, since it decides before it
 * writes.
 */
export class HealJudge {
  readonly #platform: Platform;
  readonly #cluster: string;
  readonly #grace: number;
  #moments: Moment[] = [];

  /** @param grace the maximum of milliseconds between a decision and its write */
  constructor(platform: Platform, cluster: string, grace: number) {
    this.#platform = platform;
    this.#cluster = cluster;
    this.#grace = grace;
  }

  /** Starts with a new cluster. */
  begin(): void {
    this.#moments = [];
  }

  /** @throws {Error} for a forbidden write of the operator */
  take(view: View, change: SeenChange): void {
    const kind = wholeKinds.find((one) => resourceOf(one) === change.resource) as Kind | undefined;
    if (change.who.startsWith('operator')) {
      if (kind) this.#judge(kind, change, view);
      else if (!/^(tenants|events|leases)\./.test(change.resource))
        this.#no(change, 'is not its own');
    }
    this.#note(view, change);
  }

  #note(view: View, change: SeenChange): void {
    const decides = [Tenant, TenantClass, Namespace, ResourceQuota].map((kind) => resourceOf(kind));
    const last = this.#moments.at(-1);
    if (last && !decides.includes(change.resource)) return;
    const isOfPods = change.resource === resourceOf(ResourceQuota);
    if (last) last.until = view.now;
    const oldest = view.now - this.#grace - UNDECLARED_GRACE;
    this.#moments = this.#moments.filter(({ until = 0 }) => until >= oldest);
    this.#moments.push({
      from: view.now,
      permits: last && isOfPods ? last.permits : permitsIn(view, this.#platform, this.#cluster),
      endings: last && isOfPods ? last.endings : endingsIn(view, this.#platform, this.#cluster),
      labels: new Map(
        view.list(Namespace).map(({ metadata }) => [metadata.name, metadata.labels ?? {}]),
      ),
      pods: podsIn(view),
    });
  }

  #judge(kind: Kind, change: SeenChange, view: View): void {
    const { before, after } = change.of(kind)!;
    const object = (after ?? before)!;
    const key = keyOf({ ...object, kind: kind.kind });
    const namespace = kind.kind === 'Namespace' ? object.metadata.name : object.metadata.namespace!;
    if (findProtection(this.#platform, namespace)) this.#no(change, `${namespace} is protected`);
    const recent = this.#moments.filter(({ until = Infinity }) => until >= view.now - this.#grace);
    const isEnded = recent.some(
      ({ endings, labels }) => before !== undefined && mayRevoke(before, endings, labels),
    );
    const isRevoked = isEnded || (before !== undefined && this.#isEndedSince(before, recent, view));
    if (change.type === 'deleted' && kind.kind === 'RoleBinding' && isRevoked) return;
    const permits = recent.flatMap((moment) =>
      moment.permits.flatMap((permit) => (permit.declared.has(key) ? [{ permit, moment }] : [])),
    );
    if (permits.length === 0) this.#no(change, `no tenant that may be healed declares ${key}`);
    const whys = permits.map(
      ({ permit }) =>
        verbWrong(change, permit, { before, declared: permit.declared.get(key)! }) ??
        groundWrong(kind, namespace, { permit, before, recent, change }) ??
        this.#sumWrong(kind, permit, { namespace, before, after, recent }),
    );
    if (!whys.includes(undefined)) this.#no(change, `${key}: ${[...new Set(whys)].join('; ')}`);
    keepsOthers(before, after);
  }

  /** Returns whether a binding of others was undeclared for a minute, as far as the operator could observe. */
  #isEndedSince(binding: Live, recent: readonly Moment[], { now }: View): boolean {
    if (!recent.some(({ endings, labels }) => mayRevokeLater(binding, endings, labels)))
      return false;
    const [first, last] = [now - UNDECLARED_GRACE, now - this.#grace];
    return this.#moments
      .filter(({ from, until = now }) => from < last && until > first && until - from > this.#grace)
      .every(({ endings }) => !isDeclared(binding, endings));
  }

  /** Uses the smallest recent share of each other quota, since those may have changed after the decision. */
  #sumWrong(
    kind: Kind,
    { total, tenant, declared }: Permit,
    {
      namespace,
      before,
      after,
      recent,
    }: {
      readonly namespace: string;
      readonly before: Live | undefined;
      readonly after: Live | undefined;
      readonly recent: readonly Moment[];
    },
  ): string | undefined {
    if (kind.kind !== 'ResourceQuota' || total === undefined || !after) return undefined;
    const podsOf = (one: Live | undefined): number =>
      Number((one as Live<typeof ResourceQuota> | undefined)?.spec?.hard?.['pods'] ?? 0);
    if (podsOf(after) <= podsOf(before)) return undefined;
    const labels = recent.at(-1)!.labels;
    const own = [...labels].flatMap(([name, words]) => (words[label] === tenant ? [name] : []));
    const others = own.filter((name) => name !== namespace);
    const least = (name: string): number =>
      Math.min(...recent.map(({ pods }) => pods.get(name) ?? 0));
    const sum = others.reduce((all, name) => all + least(name), podsOf(after));
    if (sum <= total) return undefined;
    return `${tenant} would have ${sum} pods of ${total} (${others.map((name) => `${name}: ${least(name)}`).join()}; declares ${declared.size})`;
  }

  #no({ type, resource }: SeenChange, why: string): never {
    throw new Error(`the operator must not have ${type} one of ${resource}: ${why}`);
  }
}

function verbWrong(
  { type }: SeenChange,
  { policy, tenant }: Permit,
  { before, declared }: { readonly before: Live | undefined; readonly declared: KubeObject },
): string | undefined {
  if (type === 'created') return policy === 'Observe' ? `${tenant} is only observed` : undefined;
  if (policy !== 'Heal') return `${tenant} is not healed`;
  if (type === 'changed') return undefined;
  const isOther =
    declared.kind === 'RoleBinding' &&
    JSON.stringify(declared['roleRef']) !==
      JSON.stringify((before as { readonly roleRef?: unknown }).roleRef);
  return isOther ? undefined : `${tenant} has it as it is declared, or it can be changed`;
}

function groundWrong(
  kind: Kind,
  namespace: string,
  {
    permit: { tenant, policy },
    before,
    recent,
    change,
  }: {
    readonly permit: Permit;
    readonly before: Live | undefined;
    readonly recent: readonly Moment[];
    readonly change: SeenChange;
  },
): string | undefined {
  if (kind.kind === 'Namespace') {
    if (change.type === 'created') return undefined;
    const { [label]: holder, [heir]: next } = before?.metadata.labels ?? {};
    const isHeir = holder === undefined && next === tenant && policy === 'Heal';
    return holder === tenant || isHeir ? undefined : `the namespace is ${holder ?? 'nobody'}'s`;
  }
  const isOwn = recent.some(({ labels }) => labels.get(namespace)?.[label] === tenant);
  return isOwn ? undefined : `it lies in a namespace that is not ${tenant}'s`;
}

/** Checks that labels and annotations of others are unchanged. */
function keepsOthers(before: Live | undefined, after: Live | undefined): void {
  if (!before || !after) return;
  for (const field of ['labels', 'annotations'] as const) {
    const is: Words = after.metadata[field] ?? {};
    for (const [key, value] of Object.entries(before.metadata[field] ?? {})) {
      if (key.startsWith('other.example/') && is[key] !== value) {
        throw new Error(`the operator must leave ${key} of ${after.metadata.name} alone`);
      }
    }
  }
}
