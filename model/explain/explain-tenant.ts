import { valueAt } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { applyExceptions } from '../classes/exceptions.ts';
import { extendClass } from '../classes/extend.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import { traceTenant } from '../layers/resolve.ts';
import { locateTotal, resolveTotal } from '../layers/totals.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import { Origins, type Origin } from '../origins.ts';
import { explainAccess } from './access-values.ts';
import { listLeaves, type ExplainedValue } from './explained-value.ts';
import { explainBounds, explainLists, explainSettings, findOrigin } from './setting-values.ts';

/** A namespace on a cluster, with all of its effective values. */
export interface ExplainedNamespace {
  readonly name: string;
  readonly cluster: string;
  readonly values: readonly ExplainedValue[];
}

/** Every effective value of a tenant, and where each is declared. */
export interface ExplainedTenant {
  /** The values of the tenant as a whole. */
  readonly values: readonly ExplainedValue[];
  readonly namespaces: readonly ExplainedNamespace[];
  /** The resolved tenant that is rendered, with which the slots of the values begin. */
  readonly resolved: ResolvedTenant;
}

/**
 * Explains every effective value of a valid tenant: settings, ceilings and allowances. The values are those that
 * rendering uses, and their origins are recorded while the layers are merged.
 * @param klass the class from `ClassRegistry.resolve`
 * @param declared the class as declared, before it is merged with its parent
 */
export function explainTenant(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  declared: TenantClassDeclaration = klass,
): ExplainedTenant {
  const resolved = traceTenant(declaration, klass, platform);
  return {
    values: explainWholeTenant(resolved, klass),
    namespaces: resolved.namespaces.map((namespace, i) => ({
      name: namespace.name,
      cluster: namespace.cluster,
      values: explainNamespace(
        resolved,
        i,
        traceClass(declaration.name, namespace, klass, declared),
      ),
    })),
    resolved,
  };
}

/** Returns the origins of the values of a class, with its parent and its exceptions for a namespace. */
function traceClass(
  tenant: string,
  { name }: ResolvedNamespace,
  klass: TenantClassDeclaration,
  declared: TenantClassDeclaration,
): Origins {
  const origins = new Origins();
  if (klass.base) extendClass(declared, klass.base, origins);
  else origins.record([], ['class', 'spec']);
  applyExceptions(klass, tenant, name, origins);
  return origins;
}

/** Explains what all namespaces share and no namespace can change. */
function explainWholeTenant(
  { declaration, platform, argocd }: ResolvedTenant,
  klass: TenantClassDeclaration,
): ExplainedValue[] {
  const { spec } = declaration;
  const { className, namespacePrefix, description, driftPolicy, cordoned } = spec;
  const own = listLeaves({ namespacePrefix, description, driftPolicy, cordoned }).map(
    ({ path, value }): ExplainedValue => ({ path, value, origin: ['spec', ...path] }),
  );
  const total = Object.entries(resolveTotal(declaration, klass, platform)).map(([key, value]) => ({
    path: ['quota', 'total', key],
    value,
    origin: locateTotal(declaration, klass, key, platform),
  }));
  const listed = (['sourceRepos', 'kinds'] as const).flatMap((field) =>
    argocd[field].map((one, i): ExplainedValue => {
      const name = field === 'kinds' ? 'namespaceResourceWhitelist' : field;
      const slot = ['argocd', field, i, 'value'];
      return { path: ['argocd', name, String(i)], value: one.value, origin: one.path, slot };
    }),
  );
  const { sourceNamespaces, applications, applicationSets } = argocd;
  const deployed = listLeaves({ sourceNamespaces, applications, applicationSets }).map(
    ({ path, slot, value }): ExplainedValue => ({
      path: ['argocd', ...path],
      value,
      origin: ['spec', 'argocd', ...slot],
      slot: ['argocd', ...slot],
    }),
  );
  const classOrigin: Origin =
    className === undefined ? locateInPlatform(platform, ['defaultClass']) : ['spec', 'className'];
  return [
    {
      path: ['name'],
      value: declaration.name,
      origin: ['metadata', 'name'],
      slot: ['declaration', 'name'],
    },
    { path: ['className'], value: klass.name, origin: classOrigin },
    ...own,
    ...total,
    ...listed,
    ...deployed,
  ];
}

/** Returns the place of a value in the platform file; one that the file leaves out is built in. */
function locateInPlatform({ declared }: Platform, path: Path): Origin {
  const isDeclared = valueAt(declared, path) !== undefined;
  return isDeclared ? ['platform', 'spec', ...path] : ['builtin', 'platform', ...path];
}

function explainNamespace(
  resolved: ResolvedTenant,
  index: number,
  classOrigins: Origins,
): ExplainedValue[] {
  const namespace = resolved.namespaces[index]!;
  const { settings, path } = namespace;
  const at = (...rest: Path): Path => ['namespaces', index, ...rest];
  const { clusters } = settings;
  return [
    {
      path: ['namespace'],
      value: namespace.name,
      origin: resolved.declaration.spec.namespaces ? [...path, 'name'] : ['metadata', 'name'],
      slot: at('name'),
    },
    ...explainPlacement(resolved, namespace, at),
    {
      path: ['clusters'],
      value: clusters ?? resolved.platform.defaultClusters,
      origin: clusters
        ? findOrigin(namespace, ['clusters'])
        : locateInPlatform(resolved.platform, ['defaultClusters']),
    },
    ...explainSettings(resolved, namespace, at),
    ...explainAccess(resolved, namespace, at, classOrigins),
    ...explainLists(namespace, at),
    ...explainBounds(namespace, at, classOrigins),
  ];
}

/** Explains the lifecycle and the environment, which only the tenant and the namespace set. */
function explainPlacement(
  { declaration: { spec } }: ResolvedTenant,
  namespace: ResolvedNamespace,
  at: (...rest: Path) => Path,
): ExplainedValue[] {
  const { lifecycle, environment, path } = namespace;
  const entry = valueAt({ spec }, path);
  const isOwn = (field: string, value: unknown) => valueAt(entry, [field]) === value;
  const environmentOrigin = isOwn('environment', environment)
    ? [...path, 'environment']
    : ['spec', 'environment'];
  const ofLifecycle = (): Origin => {
    if (spec.lifecycle === lifecycle) return ['spec', 'lifecycle'];
    if (isOwn('lifecycle', lifecycle)) return [...path, 'lifecycle'];
    return ['builtin', 'lifecycle'];
  };
  return [
    ...(environment === undefined
      ? []
      : [
          {
            path: ['environment'],
            value: environment,
            origin: environmentOrigin,
            slot: at('environment'),
          },
        ]),
    { path: ['lifecycle'], value: lifecycle, origin: ofLifecycle(), slot: at('lifecycle') },
  ];
}
