import { errorAt, type Finding } from '../../../kube/finding.ts';
import type { Path } from '../../../kube/problem.ts';
import { listed, show } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';
import type { NamespaceEntry } from '../../../crds/tenantry/tenant.ts';
import { namespaceName } from '../claim.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import { unknownPresetWords, type Layer, type UnknownPreset } from './layer.ts';
import { stronger } from './lifecycle.ts';
import { mergeLayers } from './merge.ts';
import { partitionTotal, type Placed } from './partition.ts';
import type { ResolvedTenant } from './resolved.ts';
import { resourcesOf } from './resources.ts';

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
  const tell: Tell = (finding) => {
    const { path, message } = finding;
    if (!findings.some((f) => f.message === message && String(f.path) === String(path))) {
      findings.push(finding);
    }
  };
  const entries: readonly (NamespaceEntry | undefined)[] = spec.namespaces ?? [undefined];
  const placed = entries.flatMap((entry, i) => {
    const path = entry ? ['spec', 'namespaces', i] : ['spec'];
    return place(declaration, klass, platform, entry, path, tell);
  });
  const order = new Map(platform.clusters.map(({ name }, i) => [name, i]));
  const rank = (cluster: string) => order.get(cluster) ?? -1;
  const sorted = placed.toSorted((a, b) => rank(a.cluster) - rank(b.cluster));
  const total = { ...klass.spec.defaults?.quota?.total, ...spec.quota?.total };
  const namespaces =
    Object.keys(total).length === 0
      ? sorted
      : partitionTotal(total, sorted, (path, message, rule) => tell(errorAt(path, message, rule)));
  return { declaration, klass, platform, namespaces, findings };
}

/** Takes what went wrong; one that holds in several namespaces for the same reason, once. */
type Tell = (finding: Finding) => void;

/** A namespace on each of its clusters; without an entry the only one, of the tenant's own name. */
function place(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  entry: NamespaceEntry | undefined,
  path: Path,
  tell: Tell,
): Placed[] {
  const { spec } = declaration;
  const name = entry ? namespaceName(spec.namespacePrefix, entry) : declaration.name;
  const environment = entry?.environment ?? spec.environment;
  const layers = layersOf(declaration, klass, entry, environment, path);
  const unknownPreset: UnknownPreset = (where, preset, known) =>
    tell(errorAt(where, unknownPresetWords(klass.name, preset, known), 'preset'));
  const settings = mergeLayers(layers, klass.spec, name, unknownPreset);
  const clusters = settings.clusters ?? platform.defaultClusters;
  const known = platform.clusters.map((one) => one.name);
  for (const cluster of clusters.filter((one) => !known.includes(one))) {
    const where = entry?.clusters ? path : ['spec'];
    const must = `must be clusters of the platform (${listed(known)})`;
    tell(errorAt([...where, 'clusters'], `${must}, got ${show(cluster)}`, 'cluster'));
  }
  const around = {
    tenant: declaration.name,
    namespace: name,
    ...(environment !== undefined && { environment }),
  };
  return clusters.map((cluster) => ({
    name,
    cluster,
    ...(environment !== undefined && { environment }),
    lifecycle: stronger(spec.lifecycle, entry?.lifecycle),
    settings: {
      ...settings,
      resources: resourcesOf(layers, klass, { ...around, cluster }, tell),
    },
    path,
    entry,
  }));
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
