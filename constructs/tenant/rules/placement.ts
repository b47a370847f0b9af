import { listed, nearest, show } from '../../../kube/problem.ts';
import { matchesName } from '../platform.ts';
import { protectedBy } from '../protected.ts';
import { NAME_LABEL } from '../objects/network.ts';
import { matchesLabels, requirements } from '../selector.ts';
import type { ResolvedTenant } from '../resolved.ts';
import type { Report } from './context.ts';
import { trustedSelectors } from './metadata.ts';

/** Where a tenant may be: its class, its clusters, the names of its namespaces. */
export function placementRules(tenant: ResolvedTenant, report: Report): void {
  const { declaration, klass, platform, namespaces } = tenant;
  const { allowedTenants, allow, ceilings } = klass.spec;
  if (allowedTenants) {
    const { names, selector } = allowedTenants;
    const named = names && matchesName(names, declaration.name);
    const selected = selector && matchesLabels(selector, declaration.labels ?? {});
    if (!named && !selected) {
      report(
        ['spec', 'className'],
        `must be a class that allows the tenant, got ${show(klass.name)}: its allowedTenants leave ${declaration.name} out`,
        'class-allowed',
      );
    }
  }
  const count = new Set(namespaces.map(({ name }) => name)).size;
  if (ceilings?.namespaces !== undefined && count > ceilings.namespaces) {
    report(
      ['spec', 'namespaces'],
      `must have at most ${ceilings.namespaces} namespaces (ceiling of class ${klass.name}), got ${count}`,
      'ceiling-namespaces',
    );
  }
  const trustedNames = new Set(
    trustedSelectors(platform)
      .flatMap(requirements)
      .filter(({ key, operator }) => key === NAME_LABEL && operator === 'In')
      .flatMap(({ values = [] }) => values),
  );
  for (const { name, cluster, environment, path } of namespaces) {
    const at = path.length > 1 ? [...path, 'name'] : ['metadata', 'name'];
    if (name.length > 63) {
      report(
        at,
        `must be at most 63 characters with the prefix, got ${name.length}`,
        'namespace-name',
      );
    }
    const keeper = protectedBy(platform, name);
    if (trustedNames.has(name) && keeper?.releasable !== false) {
      report(
        at,
        `must not be a namespace that network policies of the platform trust, got ${show(name)}`,
        'protected-namespace',
      );
    } else if (keeper) {
      const release = keeper.releasable ? '; releasedNamespaces of the platform can free it' : '';
      report(
        at,
        `must not be a namespace of the platform (${keeper.pattern}), got ${show(name)}${release}`,
        'protected-namespace',
      );
    }
    if (allow?.clusters && !allow.clusters.includes(cluster)) {
      report(
        ['spec', 'className'],
        `must allow cluster ${cluster}, got ${show(klass.name)}, which allows ${listed(allow.clusters) || 'none'}`,
        'cluster-allowed',
      );
    }
    const known = platform.environments;
    if (environment !== undefined && known && !known.includes(environment)) {
      const meant = nearest(environment, known);
      report(
        tenant.declaration.spec.namespaces?.[Number(path[2])]?.environment === undefined
          ? ['spec', 'environment']
          : [...path, 'environment'],
        `must be one of ${listed(known)}, got ${show(environment)}${meant ? `; did you mean ${show(meant)}?` : ''}`,
        'environment',
      );
    }
  }
}
