import { listed, nearest, show } from '../../kube/problem.ts';
import { builtinClass } from './builtin.ts';
import type {
  Finding,
  Platform,
  TenantClassDeclaration,
  TenantDeclaration,
} from './declaration.ts';
import { resolvePlatform } from './platform.ts';
import { classFault } from './rules/class.ts';

/** What the rest of the fleet needs to know of a tenant. */
export interface TenantClaim {
  readonly name: string;
  /** The namespaces, on whichever cluster. */
  readonly namespaces: readonly string[];
}

/**
 * Everything that is known of all tenants at once: the platform, the classes, and who has which
 * name. A namespace belongs to one tenant on all clusters, for a name is what policies and people
 * trust (https://github.com/kubernetes/community/blob/master/sig-multicluster/namespace-sameness-position-statement.md).
 */
export class Fleet {
  readonly platform: Platform;
  readonly #classes = new Map<string, TenantClassDeclaration>();
  readonly #refused = new Set<string>();
  #unread = false;
  readonly #tenants = new Map<string, string>();
  readonly #namespaces = new Map<string, { tenant: string; where: string }>();

  constructor(platform: Platform = resolvePlatform()) {
    this.platform = platform;
  }

  /** The declared classes, and the built-in `default` where the platform needs it; by name. */
  get classes(): readonly TenantClassDeclaration[] {
    const classes = [...this.#classes.values()];
    if (this.platform.defaultClass === builtinClass.name && !this.#classes.has(builtinClass.name)) {
      classes.push(builtinClass);
    }
    return classes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @returns what is wrong with it: another class has its name, or no cluster would take it. */
  addClass(klass: TenantClassDeclaration): Finding | undefined {
    if (this.#classes.has(klass.name)) {
      return finding(
        ['metadata', 'name'],
        `must be the only class of its name, got ${show(klass.name)} again`,
        'duplicate-class',
      );
    }
    this.#classes.set(klass.name, klass);
    return classFault(klass);
  }

  /**
   * Notes a class that is declared and cannot be used; without a name, that some are declared of which
   * nobody can tell the names. That is told where they stand, and not again of whoever chooses them.
   */
  refuseClass(name?: string): void {
    if (name === undefined) this.#unread = true;
    else this.#refused.add(name);
  }

  /** Whether the class that a tenant chooses may be one of those. */
  isRefused({ spec }: TenantDeclaration): boolean {
    return this.#unread || this.#refused.has(spec.className ?? this.platform.defaultClass);
  }

  /** The class of a tenant, or what is wrong with the one that it names. */
  classOf(tenant: TenantDeclaration): TenantClassDeclaration | Finding {
    const name = tenant.spec.className ?? this.platform.defaultClass;
    // The built-in class is there only where the platform needs it: who may choose another default
    // must not get round its ceilings by naming this one.
    const isDefault = name === this.platform.defaultClass && name === builtinClass.name;
    const builtin = isDefault && !this.isRefused(tenant);
    const klass = this.#classes.get(name) ?? (builtin ? builtinClass : undefined);
    if (klass) return klass;
    const known = this.classes.map((one) => one.name);
    const meant = nearest(name, known);
    return finding(
      ['spec', 'className'],
      `must be a declared TenantClass (${listed(known) || 'there is none'}), got ${show(name)}${meant ? `; did you mean ${show(meant)}?` : ''}`,
      'class',
    );
  }

  /** Whether `claim` would find something wrong. */
  isTaken({ name, namespaces }: TenantClaim): boolean {
    return this.#tenants.has(name) || namespaces.some((one) => this.#namespaces.has(one));
  }

  /**
   * Takes a tenant's name and namespaces.
   * @param where the file or construct, for messages
   * @returns what is taken already
   */
  claim(
    tenant: TenantClaim,
    where: string,
    pathOf: (namespace: string) => Finding['path'],
  ): Finding[] {
    const findings: Finding[] = [];
    const other = this.#tenants.get(tenant.name);
    if (other !== undefined) {
      findings.push(
        finding(
          ['metadata', 'name'],
          `must be the only tenant of its name, got ${show(tenant.name)}, which ${other} declares`,
          'duplicate-tenant',
        ),
      );
      return findings;
    }
    this.#tenants.set(tenant.name, where);
    for (const namespace of new Set(tenant.namespaces)) {
      const taken = this.#namespaces.get(namespace);
      if (taken) {
        findings.push(
          finding(
            pathOf(namespace),
            `must be a namespace of one tenant only, got ${show(namespace)}, which tenant ${taken.tenant} has (${taken.where})`,
            'duplicate-namespace',
          ),
        );
      } else this.#namespaces.set(namespace, { tenant: tenant.name, where });
    }
    return findings;
  }
}

function finding(path: Finding['path'], message: string, rule: string): Finding {
  return { path, message, rule, severity: 'error' };
}
