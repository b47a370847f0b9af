import type { KubeObject } from '../../crds/object.ts';
import { tenant as tenantKind } from '../../crds/tenantry/tenant.ts';
import type {
  Finding,
  Platform,
  TenantClassDeclaration,
  TenantDeclaration,
} from './declaration.ts';
import type { TenantClaim } from './fleet.ts';
import { roleBindingObjects, roleObjects } from './objects/access.ts';
import { limitRangeObjects } from './objects/limits.ts';
import { metadataIn } from './objects/metadata.ts';
import { namespaceObject } from './objects/namespace.ts';
import { networkPolicyObjects } from './objects/network.ts';
import { quotaObjects } from './objects/quota.ts';
import {
  disruptionBudgetObjects,
  extraObjects,
  serviceAccountObjects,
} from './objects/workload.ts';
import { namespaceName, resolveTenant } from './resolve.ts';
import type { ResolvedNamespace, ResolvedTenant } from './resolved.ts';
import { checkTenant } from './rules/rules.ts';

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
  /** The clusters, in the platform's order. */
  readonly clusters: readonly string[];
  readonly namespaces: readonly DesiredNamespace[];
  /** What the rules say of it. With an error among them the objects must not be used. */
  readonly findings: readonly Finding[];
}

/**
 * What a Tenant, its class and the platform mean, as objects: the one function behind the
 * generator and the operator, so that Git and the cluster cannot disagree. Pure: no clock, no
 * disk, no environment; equal input gives equal output, in an order that depends on names and on
 * the declaration alone.
 * @param klass the class, or what is wrong with the one that the tenant names (`Fleet.classOf`):
 * then the findings are that and whatever no class could change
 */
export function desired(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration | Finding,
  platform: Platform,
): DesiredTenant {
  const noClass = 'severity' in klass;
  const resolved = resolveTenant(declaration, noClass ? { name: '', spec: {} } : klass, platform);
  const found = [...resolved.findings, ...checkTenant(resolved)];
  const findings = noClass ? [klass, ...found.filter(({ rule }) => !ofClass.has(rule))] : found;
  const broken = findings.some((finding) => finding.severity === 'error');
  return {
    tenant: tenantObject(declaration),
    clusters: [...new Set(resolved.namespaces.map(({ cluster }) => cluster))],
    namespaces: broken
      ? []
      : resolved.namespaces.map((namespace) => ({
          name: namespace.name,
          cluster: namespace.cluster,
          objects: namespaceObjects(resolved, namespace),
        })),
    findings,
  };
}

/** The rules that a class without presets, ceilings and allow-lists fails for no fault of the tenant. */
const ofClass: ReadonlySet<string> = new Set([
  'preset',
  'cluster-role',
  'foreign-service-account',
  'resource-kind',
]);

function namespaceObjects(resolved: ResolvedTenant, namespace: ResolvedNamespace): KubeObject[] {
  const { declaration, platform, namespaces } = resolved;
  const metadata = metadataIn(declaration.name, namespace.name);
  const cluster = platform.clusters.find(({ name }) => name === namespace.cluster)!;
  const siblings = namespaces.filter((other) => other.cluster === cluster.name);
  return [
    namespaceObject(declaration.name, namespace, platform.metadataKeys),
    ...quotaObjects(namespace, metadata),
    ...limitRangeObjects(namespace, metadata),
    ...serviceAccountObjects(namespace, metadata),
    ...roleObjects(namespace, metadata),
    ...roleBindingObjects(namespace, metadata),
    ...networkPolicyObjects(
      namespace,
      metadata,
      cluster,
      siblings.map(({ name }) => name),
    ),
    ...disruptionBudgetObjects(namespace, metadata),
    ...extraObjects(namespace, metadata),
  ];
}

/** The name and the namespaces that a Tenant takes for itself. */
export function claimOf({ name, spec }: TenantDeclaration): TenantClaim {
  return {
    name,
    namespaces: spec.namespaces?.map((e) => namespaceName(spec.namespacePrefix, e)) ?? [name],
  };
}

/** The Tenant as the operator reads it: what was declared, nothing filled in. */
export function tenantObject({ name, labels, annotations, spec }: TenantDeclaration): KubeObject {
  return {
    apiVersion: tenantKind.apiVersion,
    kind: tenantKind.kind,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  };
}
