import type { Finding } from '@tenantry/kube/finding';
import { formatList } from '@tenantry/kube/problem';
import type { Fleet } from './fleet.ts';

/** Unknown names that tenants in TypeScript use; each is reported once, with all its users. */
export class UnknownNames {
  static readonly #ofFleets = new WeakMap<Fleet, UnknownNames>();
  /** The tenants, by rule and name. */
  readonly #users = new Map<string, Set<string>>();

  static forFleet(fleet: Fleet): UnknownNames {
    const known = this.#ofFleets.get(fleet) ?? new UnknownNames();
    this.#ofFleets.set(fleet, known);
    return known;
  }

  /** Records the findings of a tenant. */
  record(tenant: string, findings: readonly Finding[]): void {
    for (const finding of findings) {
      const key = buildKey(finding);
      if (key === undefined) continue;
      this.#users.set(key, (this.#users.get(key) ?? new Set()).add(tenant));
    }
  }

  /** Returns the findings of a tenant without those that another tenant reports, after all tenants are recorded. */
  deduplicate(tenant: string, findings: readonly Finding[]): Finding[] {
    return findings.flatMap((finding) => {
      const users = [...(this.#users.get(buildKey(finding) ?? '') ?? [])];
      if (users.length < 2) return [finding];
      const message = `${finding.message} ${formatUsers(users, 'tenants')}`;
      return users[0] === tenant ? [{ ...finding, message }] : [];
    });
  }
}

function buildKey({ rule, about }: Finding): string | undefined {
  return about?.unknownName === undefined ? undefined : JSON.stringify([rule, about.unknownName]);
}

/** Formats the suffix of a finding about an unknown name: `(3 tenants name it: a, b, c)`. */
export function formatUsers(users: readonly string[], who: string): string {
  return `(${users.length} ${who} name it: ${formatList(users)})`;
}
