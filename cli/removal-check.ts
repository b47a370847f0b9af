import type { Problem } from '../kube/problem.ts';
import type { PlacedHolder } from '../synth/manifests/manifests.ts';
import type { Summary } from '../synth/report.ts';
import { buildUncheckedWarning, type Base } from './base.ts';
import { readHolders, type FoundHolder } from './base-holders.ts';
import { findRemovals, type NamespaceRemoval } from './removal-outcomes.ts';
import { Lifecycles } from './lifecycles.ts';

/** What is in an output no more, and what could not be asked. */
export interface RemovalReport {
  readonly problems: readonly Problem[];
  /** Of the names that may disappear, those of which something does. */
  readonly used: ReadonlySet<string>;
  readonly warnings: readonly Problem[];
  /** What becomes of the Namespaces that may disappear. */
  readonly removals: readonly NamespaceRemoval[];
}

/**
 * Tenants and namespaces that were in the base and are not in the new output, though they were not
 * Retired first: with a Namespace goes the data in it. They are found by what the objects say,
 * wherever the files lie. One that is allowed by name (`tenant`, `tenant/namespace`, or the
 * `namespace` of no tenant) is left out.
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
    const message = messageOf(one, { leaves, name, base, life: lives.describe(one) });
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
  /** Whether all of the tenant goes. */
  readonly leaves: boolean;
  readonly name: string;
  readonly base: Base;
  readonly life: string;
}

function messageOf(one: FoundHolder, { leaves, name, base, life }: RemovedObject): string {
  const where = one.cluster === '' ? '' : ` on ${one.cluster}`;
  const allow = `--allow-removal ${name}`;
  if (one.kind === 'Namespace' && one.tenant === '') {
    return `namespace ${one.name}${where} must stay, got it in ${base.name} only: its data goes with it; allow it with ${allow}`;
  }
  const what = leaves ? `tenant ${name}` : `namespace ${one.name} of tenant ${one.tenant}${where}`;
  return `${what} must be Retired before it disappears, got ${life} in ${base.name}: set its lifecycle to Retired first, or allow it with ${allow}`;
}

/** What the new output holds. */
class RenderedHolders {
  readonly #namespaces = new Set<string>();
  readonly #tenants = new Set<string>();

  constructor(holders: readonly PlacedHolder[]) {
    for (const { cluster, kind, name, tenant } of holders) {
      const whose = kind === 'Tenant' ? name : tenant;
      this.#tenants.add(whose).add(`${cluster}/${whose}`);
      if (kind !== 'Namespace') continue;
      // A namespace of no tenant may become a tenant's, and a file of no cluster's folder may come to
      // lie in one.
      for (const where of [`${cluster}/`, '/']) {
        for (const whose of [tenant, '']) this.#namespaces.add(`${where}${whose}/${name}`);
      }
    }
  }

  /** @param cluster on which; undefined: on any */
  hasTenant(name: string, cluster?: string): boolean {
    return this.#tenants.has(cluster === undefined ? name : `${cluster}/${name}`);
  }

  has({ cluster, kind, name, tenant }: PlacedHolder): boolean {
    if (kind === 'Tenant') return this.#tenants.has(name);
    return this.#namespaces.has(`${cluster}/${tenant}/${name}`);
  }
}
