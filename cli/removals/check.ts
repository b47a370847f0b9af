import type { Problem } from '@tenantry/kube/problem';
import type { PlacedHolder } from '../../synth/manifests/manifests.ts';
import type { Summary } from '../../synth/report.ts';
import { buildUncheckedWarning, type Base } from '../git/base.ts';
import { readHolders, type FoundHolder } from '../git/base-holders.ts';
import { findRemovals, type NamespaceRemoval } from './outcomes.ts';
import { Lifecycles } from './lifecycles.ts';

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
  /** Whether the whole tenant disappears. */
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
