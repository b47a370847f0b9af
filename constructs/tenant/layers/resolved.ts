import type { Finding } from '../../../kube/finding.ts';
import type { Path } from '../../../kube/problem.ts';
import type { Lifecycle } from '../../../crds/tenantry/settings.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { ResolvedArgoCD } from './argocd.ts';
import type { PlaceholderFinding } from './fill.ts';
import type { MergedSettings } from './merged.ts';

/** One namespace on one cluster, with all of its settings. */
export interface ResolvedNamespace {
  readonly name: string;
  readonly cluster: string;
  readonly environment?: string;
  readonly lifecycle: Lifecycle;
  readonly settings: MergedSettings;
  /** Findings about what could not be filled in. */
  readonly unfilled: readonly PlaceholderFinding[];
  /** The class, with its exceptions for the namespace applied. */
  readonly klass: TenantClassDeclaration;
  /** The place of the namespace in the Tenant. */
  readonly path: Path;
}

/** A Tenant with class and platform applied. */
export interface ResolvedTenant {
  readonly declaration: TenantDeclaration;
  /** The class, with its exceptions for the tenant as a whole applied. */
  readonly klass: TenantClassDeclaration;
  readonly platform: Platform;
  /** The namespaces: by cluster in the platform's order, then in the Tenant's order. */
  readonly namespaces: readonly ResolvedNamespace[];
  readonly argocd: ResolvedArgoCD;
  /** Findings of the merge: unknown presets, unknown clusters, a total that cannot be divided. */
  readonly findings: readonly Finding[];
}
