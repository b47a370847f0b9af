import type { Finding } from '@tenantry/kube/finding';
import { errorAt, warningAt } from '../findings/tenant-finding.ts';
import { didYouMean, findNearest, formatList, show, type Path } from '@tenantry/kube/problem';
import type { Settings } from '../../crds/settings.ts';
import type { NamespaceEntry } from '../../crds/tenant.ts';
import { namespaceName } from '../name-claims.ts';
import { applyExceptions } from '../classes/exceptions.ts';
import { listClassLayers, locatePreset } from '../classes/extend.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import { Origins } from '../origins.ts';
import { resolveArgoCD, type ResolvedArgoCD } from './argocd.ts';
import { NamespacePlaceholders, fillNames, fillSettings } from './namespace-placeholders.ts';
import {
  formatUnknownPreset,
  type ClassPathResolver,
  type Layer,
  type UnknownPresetReporter,
} from './layer.ts';
import { buildSyncGrant, type Grant } from './grants.ts';
import { pickStricterLifecycle, type PlaceholderFinding, type ResolvedTenant } from './resolved.ts';
import { mergeLayers, type MergeTracing } from './merge.ts';
import { partitionTotal, type NamespaceWithEntry } from './partition.ts';
import { syncAccount } from '../argocd-names.ts';
import { dropEnded } from './current-layer.ts';
import { reportSharedNames, reportUnusedRaises, type FindingReporter } from './ending-faults.ts';
import { listRaises, raiseQuota, type Raise } from './raised-quota.ts';
import { allowedPolicy, requestedPolicy } from '../drift-policy.ts';
import { resolveResources } from './resources.ts';
import { classOrigin, locateTotal, resolveTotal } from './totals.ts';

/** Places findings at the field of a Tenant that names its class. */
const classNamePath: ClassPathResolver = () => ['spec', 'className'];

/**
 * Resolves a Tenant as `resolveTenant` does, and records in `origins` of each namespace where each of its values is
 * declared. Paths of grants, roles, resources and findings are origins too.
 */
export function traceTenant(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
): ResolvedTenant {
  return resolve(declaration, klass, platform, { classPlaces: classOrigin, isTraced: true });
}

/**
 * Applies class and platform to a Tenant: builtin < class < environment of the class < tenant < namespace. A class that
 * extends another one has two layers of each, with those of the parent below. It is pure, and the same for the
 * generator and for the operator.
 * @param classPlaces the places of findings about settings of the class. Default: the field of the Tenant that names
 * its class
 */
export function resolveTenant(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  classPlaces: ClassPathResolver = classNamePath,
): ResolvedTenant {
  return resolve(declaration, klass, platform, { classPlaces, isTraced: false });
}

interface ResolveOptions {
  readonly classPlaces: ClassPathResolver;
  /** Whether the namespaces get their `origins`. */
  readonly isTraced: boolean;
}

function resolve(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  { classPlaces, isTraced }: ResolveOptions,
): ResolvedTenant {
  const { spec } = declaration;
  const findings: Finding[] = [];
  const report: FindingReporter = (finding) => {
    const { path, message } = finding;
    if (!findings.some((f) => f.message === message && String(f.path) === String(path))) {
      findings.push(finding);
    }
  };
  const argocd = resolveArgoCD(declaration, klass, classPlaces);
  const entries: readonly (NamespaceEntry | undefined)[] = spec.namespaces ?? [undefined];
  const placed = entries.flatMap((entry, i) => {
    const path = entry ? ['spec', 'namespaces', i] : ['spec'];
    const layers = buildLayers(declaration, klass, entry, path, classPlaces).map((layer) =>
      dropEnded(layer, platform.date),
    );
    reportSharedNames(layers, report);
    const input = { declaration, klass, platform, argocd, entry, path, layers, report, isTraced };
    return resolveNamespaces(input);
  });
  const order = new Map(platform.clusters.map(({ name }, i) => [name, i]));
  const rank = (cluster: string) => order.get(cluster) ?? -1;
  const sorted = placed.toSorted((a, b) => rank(a.cluster) - rank(b.cluster));
  const total = resolveTotal(declaration, klass, platform);
  const locate = (key: string): Path => locateTotal(declaration, klass, key, platform, classPlaces);
  const namespaces =
    Object.keys(total).length === 0
      ? sorted
      : partitionTotal(total, sorted, locate, (key, message, rule) => {
          const isImplicit = !Object.hasOwn(spec.quota?.total ?? {}, key);
          const about = { setting: ['quota', 'total', key], isImplicit };
          const build = rule === 'total' ? errorAt : warningAt;
          report({ ...build(locate(key), message, rule), about });
        });
  reportUnusedRaises(
    sorted.flatMap(({ raises }) => raises),
    namespaces,
    report,
  );
  return {
    declaration,
    klass: applyExceptions(klass, declaration.name),
    platform,
    namespaces: namespaces.map((one, i) => raiseQuota(one, sorted[i]!.raises)),
    argocd,
    findings,
  };
}

/** One entry of a Tenant's namespaces, and all that is needed to place it. */
interface NamespaceInput {
  readonly declaration: TenantDeclaration;
  readonly klass: TenantClassDeclaration;
  readonly platform: Platform;
  readonly argocd: ResolvedArgoCD;
  readonly entry: NamespaceEntry | undefined;
  readonly path: Path;
  readonly layers: readonly Layer[];
  readonly report: FindingReporter;
  readonly isTraced: boolean;
}

type PlacedNamespace = NamespaceWithEntry & { readonly raises: readonly Raise[] };

/** Resolves a namespace on each of its clusters. Without an entry the only namespace has the tenant's own name. */
function resolveNamespaces({ layers: written, ...placing }: NamespaceInput): PlacedNamespace[] {
  const { declaration, klass, platform, entry, path, report } = placing;
  const { spec } = declaration;
  const name = entry ? namespaceName(spec.namespacePrefix, entry) : declaration.name;
  const environment = resolveEnvironment(declaration, entry);
  const unfilled: PlaceholderFinding[] = [];
  const surroundings = { tenant: declaration.name, namespace: name, environment };
  const filling = new NamespacePlaceholders(surroundings, (one) => unfilled.push(one));
  const layers = written.map((layer) => ({
    ...layer,
    settings: fillNames(layer.settings, filling),
  }));
  const unknownPreset: UnknownPresetReporter = (where, preset, known) =>
    report(errorAt(where, formatUnknownPreset(klass.name, preset, known), 'preset'));
  const tracing = placing.isTraced ? createTracing(klass) : undefined;
  const settings = fillSettings(mergeLayers(layers, klass.spec, unknownPreset, tracing), filling);
  const clusters = settings.clusters ?? platform.defaultClusters;
  const known = platform.clusters.map((one) => one.name);
  const saying = layers.findLast((layer) => layer.settings.clusters !== undefined);
  for (const cluster of clusters.filter((one) => !known.includes(one))) {
    const must = `must be clusters of the platform (${formatList(known)})`;
    const hint = didYouMean(findNearest(cluster, known));
    const at = saying?.at('clusters') ?? ['spec', 'clusters'];
    const found = errorAt(at, `${must}, got ${show(cluster)}${hint}`, 'cluster');
    report({ ...found, about: { unknownName: cluster } });
  }
  return clusters.map((cluster) => ({
    name,
    cluster,
    ...(environment !== undefined && { environment }),
    lifecycle: pickStricterLifecycle(spec.lifecycle, entry?.lifecycle),
    driftPolicy: allowedPolicy(requestedPolicy(declaration, klass), platform.driftPolicy),
    settings: {
      ...settings,
      grants: [...settings.grants, ...buildSyncGrants(placing)],
      resources: resolveResources(layers, klass, { ...surroundings, cluster }, report),
    },
    unfilled,
    klass: applyExceptions(klass, declaration.name, name),
    path,
    entry,
    raises: layers.flatMap((layer) => listRaises(layer, 'hard', platform.date)),
    ...(tracing && { origins: tracing.origins.copy() }),
  }));
}

function createTracing(klass: TenantClassDeclaration): MergeTracing {
  return {
    origins: new Origins(),
    locatePreset(list, preset) {
      const place = locatePreset(klass, list, preset);
      return classOrigin(place.isBase, 'presets', list, place.index);
    },
  };
}

/** Builds what Argo CD needs to sync from repositories of the tenant as an account of the tenant. */
function buildSyncGrants({
  declaration,
  klass,
  platform,
  argocd,
}: Omit<NamespaceInput, 'layers'>): Grant[] {
  const [first] = argocd.sourceRepos;
  if (!first || platform.argocdImpersonation !== 'Enabled') return [];
  return [buildSyncGrant(syncAccount(platform, declaration.name), klass.spec, first.path)];
}

function resolveEnvironment(
  { spec }: TenantDeclaration,
  entry: NamespaceEntry | undefined,
): string | undefined {
  return entry?.environment ?? spec.environment;
}

function buildLayers(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  entry: NamespaceEntry | undefined,
  path: Path,
  classPlaces: ClassPathResolver,
): Layer[] {
  const classes = listClassLayers(klass);
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
  const environment = resolveEnvironment(declaration, entry);
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
