import type { Platform } from '../../model/declaration.ts';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { omitUndefined } from '@tenantry/kube/mapping';
import { expected } from '../drift/expected.ts';
import { findDiffering } from '../drift/tenant-drift.ts';
import { GracePeriods, HealAttempts, readRecordedFights, type Fight } from './attempts.ts';
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
export const GITOPS_GRACE = 15_000;

/**
 * Creates missing objects of tenants and restores drifted ones, as far as their policy allows. Under `Heal` it also
 * revokes access that is no longer declared. Each object is healed independently: a refused write blocks no other one,
 * except those in a Namespace that is missing.
 */
export class Healer {
  readonly #platform: Platform;
  readonly #attempts = new HealAttempts();
  /** Missing role bindings, by `identityOf`. */
  readonly #gracePeriods = new GracePeriods(GITOPS_GRACE);
  readonly #revoker: Revoker;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#revoker = new Revoker(platform, this.#attempts);
  }

  /** Heals a tenant. Rejects if the API server cannot be reached; a refused write is a problem in the result. */
  async heal(context: HealContext): Promise<HealingResult> {
    const { declared, tenant, policy, now } = context;
    if (policy === 'Observe') {
      return { healed: [], problems: await this.#revoker.report(context), fights: [] };
    }
    this.#attempts.recall(
      declared.tenant,
      readRecordedFights(tenant.status, context.date()),
      now(),
    );
    const result = await this.#healOnce(context);
    return { ...result, fights: this.#attempts.fights(declared.tenant, now()) };
  }

  async #healOnce(context: HealContext): Promise<HealRunResult> {
    const { declared, objects, policy } = context;
    const suspects = findDiffering(declared.objects.map(expected), objects).map(
      ({ expected: { object } }) => object,
    );
    this.#gracePeriods.observe(declared.tenant, findLostBindings(context, suspects), context.now());
    const run = new HealRun(context, this.#platform, this.#attempts, this.#gracePeriods);
    const result = suspects.length > 0 ? await run.run(suspects) : { healed: [], problems: [] };
    if (policy !== 'Heal') {
      const remaining = await this.#revoker.report(context);
      return { ...result, problems: [...result.problems, ...remaining] };
    }
    // Revoke last, so that subjects who now have access by another binding keep it in between.
    return withRevoked(result, await this.revoke(context));
  }

  /** Revokes access that is no longer declared, and does nothing else. */
  revoke(context: RevokeContext): Promise<RevokeResult> {
    return this.#revoker.revoke(context);
  }

  /** Drops the state of a deleted tenant. */
  forget(tenant: string): void {
    this.#attempts.forget(tenant);
    this.#gracePeriods.forget(tenant);
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
  result: HealRunResult,
  { revoked, problems, retryAfter }: RevokeResult,
): HealRunResult {
  const due = [result.retryAfter, retryAfter].filter((one) => one !== undefined);
  return omitUndefined({
    healed: [
      ...result.healed,
      ...revoked.map((object) => ({ type: 'revoke', object, drift: [] }) as const),
    ],
    problems: [...result.problems, ...problems],
    retryAfter: due.length > 0 ? Math.min(...due) : undefined,
  });
}
