/**
 * Milliseconds for which a role binding that the operator did not make must be undeclared before it is removed. Argo CD
 * syncs it apart from the Tenant that declares it, and may be the first.
 */
export const UNDECLARED_GRACE = 60_000;

/** Since when role bindings of tenants are undeclared. In memory: after a restart the time begins again. */
export class UndeclaredBindings {
  /** By tenant, then by the UID of the binding. */
  readonly #since = new Map<string, ReadonlyMap<string, number>>();

  /** Remembers those that are undeclared now, and forgets all others of the tenant. */
  note(tenant: string, uids: readonly string[], now: number): void {
    const known = this.#since.get(tenant);
    if (uids.length === 0) this.#since.delete(tenant);
    else this.#since.set(tenant, new Map(uids.map((uid) => [uid, known?.get(uid) ?? now])));
  }

  /** Milliseconds until one may be deleted; 0: now. */
  left(tenant: string, uid: string, now: number): number {
    const since = this.#since.get(tenant)?.get(uid) ?? now;
    return Math.max(0, since + UNDECLARED_GRACE - now);
  }

  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}
