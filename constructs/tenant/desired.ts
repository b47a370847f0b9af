import { errorAt, formatFinding, type Finding } from '../../kube/finding.ts';
import type { KubeObject } from '../../kube/object.ts';
import { show } from '../../kube/problem.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { validateClassSpec, validateTenantSpec, toTenantObject, renderTenant } from './declared.ts';
import { renderArgoCDObjects } from './objects/argocd-objects.ts';
import { buildClusterProjects, type ClusterProject } from './objects/cluster-project.ts';
import { renderTenantObjects } from './objects/tenant-objects.ts';
import { resolveTenant } from './layers/resolve.ts';
import { checkObjects, checkTenant } from './rules/rules.ts';

/** What one namespace should hold: first the Namespace itself, then what lies in it. */
export interface DesiredNamespace {
  readonly name: string;
  readonly cluster: string;
  readonly objects: readonly KubeObject[];
}

/** What a tenant should be, on every cluster. */
export interface DesiredTenant {
  /** The Tenant itself, as it is declared: it stands on each of the clusters. */
  readonly tenant: KubeObject;
  /** The clusters, in the platform's order. None where another tenant has one of its names. */
  readonly clusters: readonly string[];
  readonly namespaces: readonly DesiredNamespace[];
  /** What lies on Argo CD's cluster, in its namespace: the tenant's AppProject and Applications. */
  readonly argocd: readonly KubeObject[];
  /** What Argo CD lets the tenant's own Applications sync to each cluster: there too. */
  readonly projects: readonly ClusterProject[];
  /** What the rules say of it. With an error among them the objects must not be used. */
  readonly findings: readonly Finding[];
}

/**
 * What a Tenant, its class and the platform mean, as objects: the one function behind the
 * generator and the operator, so that Git and the cluster cannot disagree. Pure: no clock, no
 * disk, no environment; equal input gives equal output, in an order that depends on names and on
 * the declaration alone.
 *
 * @example
 * ```ts
 * import { desired, resolvePlatform } from 'tenantry';
 *
 * const tenant = { name: 'payments', spec: { quota: { hard: { pods: 10 } } } };
 * const klass = { name: 'standard', spec: {} };
 * const { namespaces } = desired(tenant, klass, resolvePlatform());
 * console.log(namespaces.map(({ name }) => name)); // [ 'payments' ]
 * ```
 *
 * @param declaration one whose spec does not fit its schema is desired nowhere, and the findings say
 * why: types hold back neither JavaScript nor a cluster
 * @param klass the class, or what is wrong with the one that the tenant names (`Fleet.classOf`):
 * then the findings are that and whatever no class could change
 * @throws {Error} for a class that extends another one and is not from `Fleet.classOf`
 */
export function desired(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration | Finding,
  platform: Platform,
): DesiredTenant {
  const faults = validateTenantSpec(declaration);
  if (faults.length > 0) {
    const tenant = toTenantObject(declaration);
    return { tenant, clusters: [], namespaces: [], argocd: [], projects: [], findings: faults };
  }
  if (!('severity' in klass) && klass.spec.extends !== undefined) {
    throw new Error(`class ${klass.name} extends another one: it must come from Fleet.classOf`);
  }
  const noClass = 'severity' in klass ? klass : findClassFault(klass);
  const known = 'severity' in klass || noClass ? { name: '', spec: {} } : klass;
  const resolved = resolveTenant(declaration, known, platform);
  const found = [...resolved.findings, ...checkTenant(resolved)];
  const findings = noClass
    ? [noClass, ...found.filter(({ rule }) => classIndependentRules.has(rule))]
    : found;
  const objects = hasErrors(findings) ? [] : renderTenantObjects(resolved);
  const all = hasErrors(findings) ? findings : [...findings, ...checkObjects(resolved, objects)];
  const isRefused = hasErrors(all);
  return {
    tenant: renderTenant(declaration),
    clusters: [...new Set(resolved.namespaces.map(({ cluster }) => cluster))],
    namespaces: isRefused
      ? []
      : resolved.namespaces.flatMap(({ name, cluster }, i) => {
          const own = objects[i];
          return own ? [{ name, cluster, objects: own }] : [];
        }),
    argocd: isRefused ? [] : renderArgoCDObjects(resolved),
    projects: isRefused ? [] : buildClusterProjects(resolved),
    findings: all,
  };
}

/** What is said of a class that does not fit its schema, to a tenant that chooses it. */
function findClassFault(klass: TenantClassDeclaration): Finding | undefined {
  const [fault] = validateClassSpec(klass);
  if (!fault) return undefined;
  const message = `must be a class that can be used, got ${show(klass.name)}: ${formatFinding(fault)}`;
  return errorAt(['spec', 'className'], message, 'class');
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** The rules that are about the words of a tenant and the platform alone, whatever a class says. */
const classIndependentRules: ReadonlySet<string> = new Set([
  'annotations-size',
  'argocd-destination',
  'argocd-impersonation',
  'cluster',
  'contact-key',
  'environment',
  'escalation',
  'key',
  'leftover',
  'limit-resource',
  'literal-placeholder',
  'namespace-name',
  'network-policy',
  'protected-namespace',
  'quantity',
  'quota-key',
  'quota-scope',
  'quota-whole',
  'removed-api',
  'reserved-key',
  'resource-metadata',
  'resource-name',
  'resource-namespace',
  'resource-object',
  'resource-schema',
  'resource-scope',
  'resource-secret',
  'resource-size',
  'selector',
  'steering-text',
  'subject-name',
  'system-subject',
  'total',
]);
