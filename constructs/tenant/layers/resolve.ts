import { errorAt, type Finding } from '../../../kube/finding.ts';
import type { Path } from '../../../kube/problem.ts';
import { listed, show } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';
import type { Quantities } from '../../../crds/tenantry/quota.ts';
import type { NamespaceEntry } from '../../../crds/tenantry/tenant.ts';
import { namespaceName } from '../claim.ts';
import { classFor } from '../classes/exceptions.ts';
import { layersOfClass } from '../classes/extend.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import { argocdOf, type ResolvedArgoCD } from './argocd.ts';
import { Filling, fillNames, fillSettings, type Unfilled } from './fill.ts';
import { unknownPresetWords, type ClassPlaces, type Layer, type UnknownPreset } from './layer.ts';
import { syncGrant, type Grant } from './grants.ts';
import { stronger } from './lifecycle.ts';
import { mergeLayers } from './merge.ts';
import { partitionTotal, type Placed } from './partition.ts';
import type { ResolvedTenant } from './resolved.ts';
import { syncAccount } from '../sync-account.ts';
import { resourcesOf } from './resources.ts';

/** Where a Tenant names its class. */
const inTenant: ClassPlaces = () => ['spec', 'className'];

/**
 * Applies class and platform to a Tenant: builtin < class < environment of the class < tenant <
 * namespace. A class that extends another one has two of each: the other's lie below. Pure; the
 * same for the generator and for the operator.
 * @param classPlaces where findings stand about what the class says. Default: where the Tenant names
 * its class
 */
export function resolveTenant(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  classPlaces: ClassPlaces = inTenant,
): ResolvedTenant {
  const { spec } = declaration;
  const findings: Finding[] = [];
  const tell: Tell = (finding) => {
    const { path, message } = finding;
    if (!findings.some((f) => f.message === message && String(f.path) === String(path))) {
      findings.push(finding);
    }
  };
  const argocd = argocdOf(declaration, klass, classPlaces);
  const entries: readonly (NamespaceEntry | undefined)[] = spec.namespaces ?? [undefined];
  const placed = entries.flatMap((entry, i) => {
    const path = entry ? ['spec', 'namespaces', i] : ['spec'];
    const layers = layersOf(declaration, klass, entry, path, classPlaces);
    return place({ declaration, klass, platform, argocd, entry, path, layers, tell });
  });
  const order = new Map(platform.clusters.map(({ name }, i) => [name, i]));
  const rank = (cluster: string) => order.get(cluster) ?? -1;
  const sorted = placed.toSorted((a, b) => rank(a.cluster) - rank(b.cluster));
  const totals = totalsOfClass(klass);
  const isBases = (key: string): boolean => !Object.hasOwn(totals.at(-1) ?? {}, key);
  const total = totalOf(declaration, klass);
  const namespaces =
    Object.keys(total).length === 0
      ? sorted
      : partitionTotal(total, sorted, (key, message) => {
          const isOwn = Object.hasOwn(spec.quota?.total ?? {}, key);
          const at = ['quota', 'total', key];
          const path = isOwn ? ['spec', ...at] : classPlaces(isBases(key), 'defaults', ...at);
          const about = { setting: at, isUnsaid: !isOwn };
          tell({ ...errorAt(path, message, 'total'), about });
        });
  return {
    declaration,
    klass: classFor(klass, declaration.name),
    platform,
    namespaces,
    argocd,
    findings,
  };
}

/** What a tenant has in all of its namespaces together; nothing where no total is partitioned. */
export function totalOf({ spec }: TenantDeclaration, klass: TenantClassDeclaration): Quantities {
  return Object.assign({}, ...totalsOfClass(klass), spec.quota?.total) as Quantities;
}

function totalsOfClass(klass: TenantClassDeclaration): readonly (Quantities | undefined)[] {
  return layersOfClass(klass).map(({ defaults }) => defaults?.quota?.total);
}

/** Takes what went wrong; one that holds in several namespaces for the same reason, once. */
type Tell = (finding: Finding) => void;

/** One entry of a Tenant's namespaces, and all that is needed to place it. */
interface Placing {
  readonly declaration: TenantDeclaration;
  readonly klass: TenantClassDeclaration;
  readonly platform: Platform;
  readonly argocd: ResolvedArgoCD;
  readonly entry: NamespaceEntry | undefined;
  readonly path: Path;
  readonly layers: readonly Layer[];
  readonly tell: Tell;
}

/** A namespace on each of its clusters; without an entry the only one, of the tenant's own name. */
function place({ layers: written, ...placing }: Placing): Placed[] {
  const { declaration, klass, platform, entry, path, tell } = placing;
  const { spec } = declaration;
  const name = entry ? namespaceName(spec.namespacePrefix, entry) : declaration.name;
  const environment = environmentOf(declaration, entry);
  const unfilled: Unfilled[] = [];
  const surroundings = { tenant: declaration.name, namespace: name, environment };
  const filling = new Filling(surroundings, (one) => unfilled.push(one));
  const layers = written.map((layer) => ({
    ...layer,
    settings: fillNames(layer.settings, filling),
  }));
  const unknownPreset: UnknownPreset = (where, preset, known) =>
    tell(errorAt(where, unknownPresetWords(klass.name, preset, known), 'preset'));
  const settings = fillSettings(mergeLayers(layers, klass.spec, unknownPreset), filling);
  const clusters = settings.clusters ?? platform.defaultClusters;
  const known = platform.clusters.map((one) => one.name);
  const saying = layers.findLast((layer) => layer.settings.clusters !== undefined);
  for (const cluster of clusters.filter((one) => !known.includes(one))) {
    const must = `must be clusters of the platform (${listed(known)})`;
    const at = saying?.at('clusters') ?? ['spec', 'clusters'];
    const found = errorAt(at, `${must}, got ${show(cluster)}`, 'cluster');
    tell({ ...found, about: { unknownName: cluster } });
  }
  return clusters.map((cluster) => ({
    name,
    cluster,
    ...(environment !== undefined && { environment }),
    lifecycle: stronger(spec.lifecycle, entry?.lifecycle),
    settings: {
      ...settings,
      grants: [...settings.grants, ...syncGrants(placing)],
      resources: resourcesOf(layers, klass, { ...surroundings, cluster }, tell),
    },
    unfilled,
    klass: classFor(klass, declaration.name, name),
    path,
    entry,
  }));
}

/** What Argo CD needs to sync from repositories of the tenant, where it does not do so as itself. */
function syncGrants({ declaration, klass, platform, argocd }: Omit<Placing, 'layers'>): Grant[] {
  const [first] = argocd.sourceRepos;
  if (!first || platform.argocdImpersonation !== 'Enabled') return [];
  return [syncGrant(syncAccount(platform, declaration.name), klass.spec, first.path)];
}

function environmentOf(
  { spec }: TenantDeclaration,
  entry: NamespaceEntry | undefined,
): string | undefined {
  return entry?.environment ?? spec.environment;
}

function layersOf(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  entry: NamespaceEntry | undefined,
  path: Path,
  classPlaces: ClassPlaces,
): Layer[] {
  const classes = layersOfClass(klass);
  const ofClass = (settings: Settings | undefined, i: number, place: Path): Layer[] => {
    const isBase = i < classes.length - 1;
    return settings
      ? [{ settings, byTenant: false, at: (...rest) => classPlaces(isBase, ...place, ...rest) }]
      : [];
  };
  const own = (settings: Settings, place: Path): Layer => ({
    settings,
    byTenant: true,
    at: (...rest) => [...place, ...rest],
  });
  const environment = environmentOf(declaration, entry);
  const ofEnvironment = ({ environments = [] }: (typeof classes)[number], i: number): Layer[] => {
    const index = environments.findIndex(({ name }) => name === environment);
    return ofClass(environments[index], i, ['environments', index]);
  };
  return [
    ...classes.flatMap(({ defaults }, i) => ofClass(defaults, i, ['defaults'])),
    ...classes.flatMap(ofEnvironment),
    own(declaration.spec, ['spec']),
    ...(entry ? [own(entry, path)] : []),
  ];
}
