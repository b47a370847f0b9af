import type { Platform } from '../../model/declaration.ts';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { omitUndefined } from '@tenantry/kube/mapping';
import { expected } from '../drift/expected.ts';
import { findDiffering } from '../drift/tenant-drift.ts';
import { GracePeriods, HealAttempts, rememberedFights, type Fight } from './attempts.ts';
import { isAppliedFromGit, Revoker, type RevokeResult, type RevokeContext } from './revoker.ts';
import { HealRun, type HealContext, type HealRunResult } from './heal-run.ts';

/** The result of healing a tenant. */
export interface HealingResult extends HealRunResult {
  /** Objects that something repeatedly changes back. */
  readonly fights: readonly Fight[];
}

/**
 * Milliseconds for which a missing role binding is left to Argo CD or Flux, which create it again within seconds. A
 * tenant that is being deleted loses its bindings just before or after the Tenant itself. A binding that the operator
 * created in between would stay.
 */
export const PRECEDENCE = 15_000;

/**
 * Creates missing objects of tenants and restores drifted ones, as far as their policy allows. Under `Heal` it also
 * revokes access that is no longer declared. Each object is healed independently: a refused write blocks no other one,
 * except those in a Namespace that is missing.
 */
export class Healer {
  readonly #platform: Platform;
  readonly #attempts = new HealAttempts();
  /** Missing role bindings, by `identityOf`. */
  readonly #absences = new GracePeriods(PRECEDENCE);
  readonly #revoker: Revoker;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#revoker = new Revoker(platform, this.#attempts);
  }

  /** Heals a tenant. Rejects if the API server cannot be reached; a refused write is a problem in the result. */
  async heal(healing: HealContext): Promise<HealingResult> {
    const { declared, tenant, policy, now } = healing;
    if (policy === 'Observe') {
      return { healed: [], problems: await this.#revoker.report(healing), fights: [] };
    }
    this.#attempts.recall(declared.tenant, rememberedFights(tenant.status, healing.date()), now());
    const result = await this.#healOnce(healing);
    return { ...result, fights: this.#attempts.fights(declared.tenant, now()) };
  }

  async #healOnce(healing: HealContext): Promise<HealRunResult> {
    const { declared, objects, policy } = healing;
    const suspects = findDiffering(declared.objects.map(expected), objects).map(
      ({ expected: { object } }) => object,
    );
    this.#absences.observe(declared.tenant, findLostBindings(healing, suspects), healing.now());
    const turn = new HealRun(healing, this.#platform, this.#attempts, this.#absences);
    const made = suspects.length > 0 ? await turn.run(suspects) : { healed: [], problems: [] };
    if (policy !== 'Heal') {
      const remaining = await this.#revoker.report(healing);
      return { ...made, problems: [...made.problems, ...remaining] };
    }
    // Revoke last, so that subjects who now have access by another binding keep it in between.
    return withRevoked(made, await this.revoke(healing));
  }

  /** Revokes access that is no longer declared, and does nothing else. */
  revoke(revoking: RevokeContext): Promise<RevokeResult> {
    return this.#revoker.revoke(revoking);
  }

  /** Drops the state of a deleted tenant. */
  forget(tenant: string): void {
    this.#attempts.forget(tenant);
    this.#absences.forget(tenant);
    this.#revoker.forget(tenant);
  }
}

/** Returns the missing role bindings that a GitOps tool normally creates again. */
function findLostBindings(
  { tenant, objects }: HealContext,
  suspects: readonly KubeObject[],
): string[] {
  if (!isAppliedFromGit(tenant)) return [];
  return suspects
    .filter((object) => object.kind === 'RoleBinding' && !objects.find(object))
    .map(identityOf);
}

function withRevoked(
  made: HealRunResult,
  { revoked, problems, retryAfter }: RevokeResult,
): HealRunResult {
  const due = [made.retryAfter, retryAfter].filter((one) => one !== undefined);
  return omitUndefined({
    healed: [
      ...made.healed,
      ...revoked.map((object) => ({ type: 'revoke', object, drift: [] }) as const),
    ],
    problems: [...made.problems, ...problems],
    retryAfter: due.length > 0 ? Math.min(...due) : undefined,
  });
}
