import type { Finding } from '../../../kube/finding.ts';
import type { Path } from '../../../kube/problem.ts';
import type { Lifecycle } from '../../../crds/tenantry/settings.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { ResolvedArgoCD } from './argocd.ts';
import type { PlaceholderFinding } from './fill.ts';
import type { MergedSettings } from './merged.ts';

/** One namespace on one cluster, with everything that holds in it. */
export interface ResolvedNamespace {
  readonly name: string;
  readonly cluster: string;
  readonly environment?: string;
  readonly lifecycle: Lifecycle;
  readonly settings: MergedSettings;
  /** What could not be filled in. */
  readonly unfilled: readonly PlaceholderFinding[];
  /** The class, with the exceptions that it makes for the namespace. */
  readonly klass: TenantClassDeclaration;
  /** Where it stands in the Tenant. */
  readonly path: Path;
}

/** A Tenant whose class and platform were applied. */
export interface ResolvedTenant {
  readonly declaration: TenantDeclaration;
  /** The class, with the exceptions that it makes for the tenant as a whole. */
  readonly klass: TenantClassDeclaration;
  readonly platform: Platform;
  /** By cluster in the platform's order, then in the Tenant's order. */
  readonly namespaces: readonly ResolvedNamespace[];
  readonly argocd: ResolvedArgoCD;
  /** What went wrong on the way: unknown presets, clusters, a total that cannot be divided. */
  readonly findings: readonly Finding[];
}
