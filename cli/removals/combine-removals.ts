import { type Problem, show } from '@tenantry/kube/problem';
import type { PlacedHolder } from '../../synth/manifests/manifests.ts';
import type { Summary } from '../../synth/report.ts';
import { buildUncheckedWarning, type Base, readHolders, type FoundHolder } from '../git/base.ts';
import { findRemovals, type NamespaceRemoval, formatRemoval } from './outcomes.ts';
import { namespaceName } from '../../model/name-claims.ts';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';

/** The objects that an output no longer has, and obstacles to finding them. */
interface RemovalReport {
  readonly problems: readonly Problem[];
  /** The allowed names that match a removal. */
  readonly used: ReadonlySet<string>;
  readonly warnings: readonly Problem[];
  /** The outcomes for Namespaces that may disappear. */
  readonly removals: readonly NamespaceRemoval[];
}

/**
 * Finds tenants and namespaces of the base that the new output lacks although they were not Retired
 * first. With a Namespace its data would be lost. They are found by their objects, in any file. A
 * name that is allowed (`tenant`, `tenant/namespace`, or `namespace` without a tenant) is skipped.
 */
export function checkRemovals(
  base: Base,
  summary: Summary,
  allowed: readonly string[],
): RemovalReport {
  const there = new RenderedHolders(summary.holders);
  const { holders, unread } = readHolders(base, base.changed(summary));
  const gone = holders.filter((one) => !there.has(one));
  const lives = Lifecycles.load(base, gone.length === 0 ? [] : holders);
  const reported = new Set<string>();
  const used = new Set<string>();
  const problems: Problem[] = [];
  const leaving: FoundHolder[] = [];
  for (const one of gone) {
    const tenant = one.kind === 'Tenant' ? one.name : one.tenant;
    const leaves = tenant !== '' && !there.hasTenant(tenant);
    const full = tenant === '' ? one.name : `${tenant}/${one.name}`;
    if (one.kind === 'Tenant' && !leaves) continue;
    const allowances = [tenant, full].filter((name) => allowed.includes(name));
    for (const name of allowances) used.add(name);
    const mayGo = allowances.length > 0 || lives.isRetired(one);
    if (mayGo && one.kind === 'Namespace') leaving.push(one);
    const name = leaves ? tenant : full;
    if (mayGo || reported.has(name)) continue;
    reported.add(name);
    const message = formatMessage(one, { leaves, name, base, life: lives.describe(one) });
    problems.push({ file: one.path, path: '', message, rule: 'disappearance' });
  }
  const warnings = unread.map((path) =>
    buildUncheckedWarning(
      `${path} must be YAML of Kubernetes objects, got something else in ${base.name}`,
    ),
  );
  const isThere = (cluster: string, tenant: string) => there.hasTenant(tenant, cluster);
  return { problems, used, warnings, removals: findRemovals(base, leaving, isThere) };
}

interface RemovedObject {
  /** Whether the whole tenant disappears. */
  readonly leaves: boolean;
  readonly name: string;
  readonly base: Base;
  readonly life: string;
}

function formatMessage(one: FoundHolder, { leaves, name, base, life }: RemovedObject): string {
  const where = one.cluster === '' ? '' : ` on ${one.cluster}`;
  const allow = `--allow-removal ${name}`;
  if (one.kind === 'Namespace' && one.tenant === '') {
    return `namespace ${one.name}${where} must stay, got it in ${base.name} only: its data goes with it; allow it with ${allow}`;
  }
  const what = leaves ? `tenant ${name}` : `namespace ${one.name} of tenant ${one.tenant}${where}`;
  return `${what} must be Retired before it disappears, got ${life} in ${base.name}: set its lifecycle to Retired first, or allow it with ${allow}`;
}

/** The Tenants and Namespaces of the new output. */
class RenderedHolders {
  readonly #namespaces = new Set<string>();
  readonly #tenants = new Set<string>();

  constructor(holders: readonly PlacedHolder[]) {
    for (const { cluster, kind, name, tenant } of holders) {
      const whose = kind === 'Tenant' ? name : tenant;
      this.#tenants.add(whose).add(`${cluster}/${whose}`);
      if (kind !== 'Namespace') continue;
      // A Namespace without a tenant may get one, and a file may move into the folder of a cluster.
      for (const where of [`${cluster}/`, '/']) {
        for (const whose of [tenant, '']) this.#namespaces.add(`${where}${whose}/${name}`);
      }
    }
  }

  /** @param cluster limits the search to a cluster */
  hasTenant(name: string, cluster?: string): boolean {
    return this.#tenants.has(cluster === undefined ? name : `${cluster}/${name}`);
  }

  has({ cluster, kind, name, tenant }: PlacedHolder): boolean {
    if (kind === 'Tenant') return this.#tenants.has(name);
    return this.#namespaces.has(`${cluster}/${tenant}/${name}`);
  }
}

/** The lifecycles of tenants and their namespaces, as declared in a base. */
class Lifecycles {
  readonly #tenants = new Map<string, TenantLifecycle>();

  constructor(tenants: readonly FoundHolder[]) {
    for (const { cluster, name, object } of tenants) {
      const life = readLifecycle(object);
      this.#tenants.set(`${cluster}/${name}`, life);
      if (!this.#tenants.has(name)) this.#tenants.set(name, life);
    }
  }

  /**
   * @param known objects of the base that were read already; no others are read if they include
   * every Tenant needed
   */
  static load(base: Base, known: readonly FoundHolder[]): Lifecycles {
    const tenants = known.filter(({ kind }) => kind === 'Tenant');
    const names = new Set(tenants.map(({ name }) => name));
    const enough = known.every(({ tenant }) => tenant === '' || names.has(tenant));
    const all = enough ? tenants : readHolders(base, base.files).holders;
    return new Lifecycles(all.filter(({ kind }) => kind === 'Tenant'));
  }

  /**
   * Whether a tenant or a namespace is Retired. A tenant is Retired with the last of its named
   * namespaces.
   */
  isRetired(one: PlacedHolder): boolean {
    const life = this.#findLifecycle(one);
    if (life === undefined || life.tenant === 'Retired') return life !== undefined;
    if (one.kind === 'Namespace') return life.namespaces.get(one.name) === 'Retired';
    return life.namespaces.size > 0 && life.namespaces.values().every((word) => word === 'Retired');
  }

  /** Returns the lifecycle, such as `Active`, or a text for a tenant without one. */
  describe(one: PlacedHolder): string {
    return this.#findLifecycle(one)?.tenant ?? 'no Tenant with a lifecycle';
  }

  #findLifecycle({ cluster, kind, name, tenant }: PlacedHolder): TenantLifecycle | undefined {
    const whose = kind === 'Tenant' ? name : tenant;
    return this.#tenants.get(`${cluster}/${whose}`) ?? this.#tenants.get(whose);
  }
}

interface TenantLifecycle {
  readonly tenant: string;
  /** By the name of the namespace. */
  readonly namespaces: ReadonlyMap<string, string>;
}

/** Reads field by field, since another version with another schema may have rendered the base. */
function readLifecycle(object: KubeObject): TenantLifecycle {
  const { lifecycle, namespacePrefix, namespaces } = toFields(object['spec']);
  const prefix = toText(namespacePrefix) ?? '';
  const entries = Array.isArray(namespaces) ? namespaces.filter(isMapping) : [];
  return {
    tenant: toText(lifecycle) ?? 'Active',
    namespaces: new Map(
      entries.map((entry) => {
        const name = namespaceName(prefix, { name: toText(entry['name']) ?? '' });
        return [name, toText(entry['lifecycle']) ?? 'Active'];
      }),
    ),
  };
}

const toFields = (value: unknown): Record<string, unknown> => (isMapping(value) ? value : {});

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Removals that were not retired first. */
interface CombinedRemovals {
  readonly gone: readonly Problem[];
  /** Reasons why removals cannot be determined, and allowances without effect. */
  readonly unsure: readonly Problem[];
  readonly removals: readonly NamespaceRemoval[];
}

/**
 * Merges what several bases hold but a new output does not.
 * @param allowed names that may disappear
 */
export function combineRemovals(
  bases: readonly Base[],
  summary: Summary,
  { out, allowed }: { readonly out: string; readonly allowed: readonly string[] },
): CombinedRemovals {
  const found = bases.map((base) => checkRemovals(base, summary, allowed));
  const messages = new Set<string>();
  const gone: Problem[] = [];
  for (const problem of found.flatMap(({ problems }) => problems)) {
    if (messages.has(problem.message)) continue;
    messages.add(problem.message);
    gone.push({ ...problem, file: `${out}/${problem.file}` });
  }
  const isUsed = (name: string) => found.some(({ used }) => used.has(name));
  const idle = found.length === 0 ? [] : [...new Set(allowed)].filter((name) => !isUsed(name));
  const removals = new Map(
    found.flatMap((one) => one.removals).map((one) => [formatRemoval(one), one]),
  );
  return {
    gone,
    removals: [...removals.values()],
    unsure: [...found.flatMap((one) => one.warnings), ...idle.map(idleAllowance)],
  };
}

/** Reports an allowance without effect: the name is misspelled or was removed already. */
function idleAllowance(name: string): Problem {
  const must = '--allow-removal must name a tenant, or tenant/namespace, that disappears';
  const message = `${must}, got ${show(name)}, which does not disappear`;
  return { path: '', message, rule: 'allow-removal' };
}
