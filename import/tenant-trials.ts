import type { Finding } from '@tenantry/kube/finding';
import type { PlatformSpec } from '../crds/platform.ts';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { findExceptions } from '../model/classes/exceptions.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../model/declaration.ts';
import { toTenantObject } from '../model/declared-objects.ts';
import { desired, type DesiredTenant } from '../model/desired.ts';
import { isIdentical } from './counting.ts';
import { findSteeringText } from './steering-text.ts';

/** A tenant that the rules accept with its class. */
interface Trial {
  readonly tenant: TenantDeclaration;
  readonly klass: TenantClassDeclaration;
  readonly wanted: DesiredTenant;
}

/**
 * Renders tenants to see whether the rules accept them, and keeps the last accepted rendering of each name: the proof
 * renders most of them with exactly the same data.
 */
export class TenantTrials {
  readonly platformSpec: PlatformSpec;
  readonly #platform: Platform;
  readonly #accepted = new Map<string, Trial>();
  /** Classes of trials, and the classes that were found to be identical to them. */
  readonly #identical = new WeakMap<TenantClassSpec, TenantClassSpec>();

  /** @param platform what `spec` resolves to */
  constructor(spec: PlatformSpec, platform: Platform) {
    this.platformSpec = spec;
    this.#platform = platform;
  }

  /** Returns the errors with which a file of a tenant would be refused: of rules, or else text that Argo CD obeys. */
  findErrors(tenant: TenantDeclaration, klass: TenantClassDeclaration): readonly Finding[] {
    const wanted = desired(tenant, klass, this.#platform);
    const refused = wanted.findings.filter(({ severity }) => severity === 'error');
    const errors = refused.length > 0 ? refused : findSteeringText(toTenantObject(tenant));
    if (errors.length === 0) this.#accepted.set(tenant.name, { tenant, klass, wanted });
    return errors;
  }

  /**
   * Returns what an accepted trial rendered, if the tenant and its class are exactly those of the trial, apart from
   * exceptions for other tenants. `desired` is pure, and would render the same again. The platform must be the same.
   */
  findRendered(
    tenant: TenantDeclaration,
    klass: TenantClassDeclaration | Finding,
  ): DesiredTenant | undefined {
    const trial = this.#accepted.get(tenant.name);
    if (!trial || 'severity' in klass) return undefined;
    const isSame =
      isPlain(tenant) &&
      isPlain(klass) &&
      trial.klass.name === klass.name &&
      isIdentical(trial.tenant.spec, tenant.spec) &&
      this.#isSameClass(trial.klass.spec, klass.spec) &&
      isIdentical(
        listExceptions(trial.klass.spec, tenant.name),
        listExceptions(klass.spec, tenant.name),
      );
    return isSame ? trial.wanted : undefined;
  }

  #isSameClass(tried: TenantClassSpec, spec: TenantClassSpec): boolean {
    if (this.#identical.get(tried) === spec) return true;
    const { exceptions: _tried, ...ours } = tried;
    const { exceptions: _own, ...theirs } = spec;
    const isSame = isIdentical(ours, theirs);
    if (isSame) this.#identical.set(tried, spec);
    return isSame;
  }
}

/** Whether a declaration has nothing besides its name and its spec, as those of trials. */
function isPlain({
  labels,
  annotations,
  base,
}: Pick<TenantClassDeclaration, 'labels' | 'annotations' | 'base'>): boolean {
  return labels === undefined && annotations === undefined && base === undefined;
}

/** Lists what a class allows a tenant besides, without the tenants that share an exception and its reason. */
function listExceptions(spec: TenantClassSpec, tenant: string): object[] {
  return findExceptions(spec, tenant).map(
    ({ exception: { tenants: _tenants, reason: _reason, ...parts } }) => parts,
  );
}
