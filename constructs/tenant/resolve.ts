import type { Path } from '../../kube/problem.ts';
import { listed, show } from '../../kube/problem.ts';
import type { Settings } from '../../crds/tenantry/settings.ts';
import type { NamespaceEntry } from '../../crds/tenantry/tenant.ts';
import { namespaceName } from './claim.ts';
import type {
  Cluster,
  Finding,
  Platform,
  TenantClassDeclaration,
  TenantDeclaration,
} from './declaration.ts';
import type { Layer } from './layer.ts';
import { stronger } from './lifecycle.ts';
import { mergeLayers } from './merge.ts';
import { partitionTotal } from './partition.ts';
import type { ResolvedTenant } from './resolved.ts';

/**
 * Applies class and platform to a Tenant: builtin < class < environment of the class < tenant <
 * namespace. Pure; the same for the generator and for the operator.
 */
export function resolveTenant(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
): ResolvedTenant {
  const { spec } = declaration;
  const findings: Finding[] = [];
  const error = (path: Path, message: string, rule: string): void => {
    if (!findings.some((f) => f.message === message && String(f.path) === String(path))) {
      findings.push({ path, message, rule, severity: 'error' });
    }
  };
  const placed = (spec.namespaces ?? [undefined]).flatMap((entry, i) => {
    const path: Path = entry ? ['spec', 'namespaces', i] : ['spec'];
    const name = entry ? namespaceName(spec.namespacePrefix, entry) : declaration.name;
    const environment = entry?.environment ?? spec.environment;
    const settings = mergeLayers(
      layersOf(declaration, klass, entry, environment, path),
      klass.spec,
      name,
      (where, name, known) => {
        const hint = known.length > 0 ? `one of ${listed(known)}` : 'left out: it has none';
        error(
          where,
          `must be a preset of class ${klass.name} (${hint}), got ${show(name)}`,
          'preset',
        );
      },
    );
    const names = settings.clusters ?? platform.defaultClusters;
    for (const cluster of names) {
      if (!platform.clusters.some((one) => one.name === cluster)) {
        const known = listed(platform.clusters.map((one) => one.name));
        const where = entry?.clusters ? path : ['spec'];
        error(
          [...where, 'clusters'],
          `must be clusters of the platform (${known}), got ${show(cluster)}`,
          'cluster',
        );
      }
    }
    return names.map((cluster) => ({
      name,
      cluster,
      ...(environment !== undefined && { environment }),
      lifecycle: stronger(spec.lifecycle, entry?.lifecycle),
      settings,
      path,
      entry,
    }));
  });
  const order = new Map(platform.clusters.map(({ name }: Cluster, i) => [name, i]));
  const rank = (cluster: string) => order.get(cluster) ?? -1;
  const sorted = placed.toSorted((a, b) => rank(a.cluster) - rank(b.cluster));
  const total = { ...klass.spec.defaults?.quota?.total, ...spec.quota?.total };
  const namespaces =
    Object.keys(total).length === 0 ? sorted : partitionTotal(total, sorted, error);
  return { declaration, klass, platform, namespaces, findings };
}

function layersOf(
  { spec }: TenantDeclaration,
  klass: TenantClassDeclaration,
  entry: NamespaceEntry | undefined,
  environmentName: string | undefined,
  path: Path,
): Layer[] {
  const ofClass = (settings: Settings | undefined): Layer[] =>
    settings ? [{ settings, path: ['spec', 'className'], byTenant: false }] : [];
  const environment = klass.spec.environments?.find(({ name }) => name === environmentName);
  return [
    ...ofClass(klass.spec.defaults),
    ...ofClass(environment),
    { settings: spec, path: ['spec'], byTenant: true },
    ...(entry ? [{ settings: entry, path, byTenant: true }] : []),
  ];
}
