import { formatFinding, type Finding } from '@tenantry/kube/finding';
import { errorAt } from './findings/tenant-finding.ts';
import { dependsOnClass } from './findings/tenant-rules.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { show } from '@tenantry/kube/problem';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import {
  validateClassSpec,
  validateTenantSpec,
  toTenantObject,
  renderTenant,
} from './declared-objects.ts';
import { renderArgoCDObjects } from './objects/argocd-objects.ts';
import { buildClusterProjects, type ClusterProject } from './objects/cluster-project.ts';
import { listRequestableRoles } from './objects/break-glass.ts';
import type { RequestableRole } from './layers/break-glass.ts';
import { renderTenantObjects } from './objects/tenant-objects.ts';
import { listTenantEndings } from './endings.ts';
import { resolveTenant } from './layers/resolve.ts';
import type { ResolvedNamespace } from './layers/resolved.ts';
import { checkEndDates } from './rules/end-dates.ts';
import { checkObjects, findTenantFaults } from './rules/rules.ts';

/** The content of one namespace: first the Namespace itself, then the objects in it. */
export interface DesiredNamespace {
  readonly name: string;
  readonly cluster: string;
  readonly objects: readonly KubeObject[];
  /** The ClusterRoles that somebody can request for some hours. @default - none */
  readonly requestable?: readonly RequestableRole[];
}

/** The rendered objects of a tenant on every cluster. */
export interface DesiredTenant {
  /** The Tenant itself as declared, which is applied to each of the clusters. */
  readonly tenant: KubeObject;
  /** The clusters, in the platform's order. Empty if another tenant has one of the tenant's names. */
  readonly clusters: readonly string[];
  readonly namespaces: readonly DesiredNamespace[];
  /** The objects in Argo CD's namespace on its cluster: the tenant's AppProject and Applications. */
  readonly argocd: readonly KubeObject[];
  /** The projects, on Argo CD's cluster too, which bound what the tenant's own Applications sync to each cluster. */
  readonly projects: readonly ClusterProject[];
  /** The findings of the rules. If one is an error, the objects must not be used. */
  readonly findings: readonly Finding[];
}

/**
 * Renders a Tenant with its class and platform to objects. The generator and the operator share this function, so Git
 * and the cluster cannot disagree. It is pure: no clock, no disk, no environment. The date of the platform decides what
 * has ended. Equal input gives equal output, in an order that depends only on names and on the declaration.
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
 * @param declaration the Tenant. If its spec does not match its schema, no objects are rendered and the findings
 * explain why. Types stop neither JavaScript nor a cluster from passing such a spec
 * @param klass the class, or the finding about the class that the tenant names (`ClassRegistry.resolve`). With a finding, the
 * result has that finding and those that no class could change
 * @throws {Error} for a class that extends another one and is not from `ClassRegistry.resolve`
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
    throw new Error(
      `class ${klass.name} extends another one: it must come from ClassRegistry.resolve`,
    );
  }
  const noClass = 'severity' in klass ? klass : findClassFault(klass);
  const known = 'severity' in klass || noClass ? { name: '', spec: {} } : klass;
  const resolved = resolveTenant(declaration, known, platform);
  const ends = checkEndDates(listTenantEndings(declaration), platform.date);
  const found = [...ends, ...findTenantFaults(resolved)];
  const findings = noClass
    ? [noClass, ...found.filter(({ rule }) => !dependsOnClass(rule))]
    : found;
  const objects = hasErrors(findings) ? [] : renderTenantObjects(resolved);
  const all = hasErrors(findings) ? findings : [...findings, ...checkObjects(resolved, objects)];
  const isRefused = hasErrors(all);
  return {
    tenant: renderTenant(declaration),
    clusters: [...new Set(resolved.namespaces.map(({ cluster }) => cluster))],
    namespaces: isRefused
      ? []
      : resolved.namespaces.flatMap((namespace, i) => {
          const own = objects[i];
          return own ? [buildDesiredNamespace(namespace, own)] : [];
        }),
    argocd: isRefused ? [] : renderArgoCDObjects(resolved),
    projects: isRefused ? [] : buildClusterProjects(resolved),
    findings: all,
  };
}

function buildDesiredNamespace(
  namespace: ResolvedNamespace,
  objects: readonly KubeObject[],
): DesiredNamespace {
  const { name, cluster } = namespace;
  const requestable = listRequestableRoles(namespace);
  return { name, cluster, objects, ...(requestable.length > 0 && { requestable }) };
}

/** Returns the finding for a tenant whose class does not match its schema. */
function findClassFault(klass: TenantClassDeclaration): Finding | undefined {
  const [fault] = validateClassSpec(klass);
  if (!fault) return undefined;
  const message = `must be a class that can be used, got ${show(klass.name)}: ${formatFinding(fault)}`;
  return errorAt(['spec', 'className'], message, 'class');
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
