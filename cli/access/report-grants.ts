import {
  formatRole,
  formatSubject,
  type Grant,
  isBuiltin,
  type Membership,
  nameRole,
  type UnknownGrant,
} from '@tenantry/kube/authorization';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { RightsRule } from '@tenantry/kube/rights/rights';
import type { AccessPlace, AccessSource } from './access-source.ts';
import type { DeclaredPlaces } from './declared-places.ts';
import type { LineCommit, LineCommits } from './line-commits.ts';

/** An object of a path, and where it is. */
export interface ReportedObject extends Partial<AccessPlace> {
  /** `RoleBinding shop-dev/admins`, `ClusterRole view`. */
  readonly object: string;
  /** Whether it is known from Kubernetes, and in no file. */
  readonly builtin: boolean;
}

/** A binding that applies to a subject. */
export interface ReportedMembership {
  readonly cluster: string;
  /** Absent for the whole cluster. */
  readonly namespace?: string;
  readonly subject: string;
  readonly binding: ReportedObject;
  readonly role: ReportedObject & { readonly defined: boolean };
  /** The place in a Tenant that declares the subject. */
  readonly declared?: AccessPlace;
  /** The last day, as `2027-01-31` in UTC. Absent if it does not end, or if it is not from declarations. */
  readonly until?: string;
  /** The commit that last changed the declaration, or else the line of the binding. */
  readonly commit?: LineCommit;
}

/** A path that grants a request. */
export interface ReportedGrant extends ReportedMembership {
  /** The object that has the rule: for an aggregated ClusterRole another one than the role. */
  readonly rule: ReportedObject & { readonly rule: RightsRule; readonly index: number };
}

/** A binding of which it is not known whether it grants a request. */
export interface ReportedUnknown extends ReportedMembership {
  readonly reason: string;
}

/** Adds places, declarations and commits to paths. */
export class GrantReporter {
  readonly #declared: DeclaredPlaces;
  readonly #commits: LineCommits;

  constructor(declared: DeclaredPlaces, commits: LineCommits) {
    this.#declared = declared;
    this.#commits = commits;
  }

  reportGrant(source: AccessSource, grant: Grant): ReportedGrant {
    const { rule, ruleIndex } = grant;
    return {
      ...this.reportMembership(source, grant),
      rule: {
        ...reportObject(source, grant.source, ['rules', ruleIndex]),
        rule: omitEmpty(rule),
        index: ruleIndex,
      },
    };
  }

  reportUnknown(source: AccessSource, unknown: UnknownGrant): ReportedUnknown {
    const membership = this.reportMembership(source, unknown);
    const name = formatRole(unknown.binding.role);
    const reason =
      unknown.reason === 'undefined-role'
        ? `${name} is not defined in the files`
        : `${name} is aggregated, and other ClusterRoles of the cluster may add rules to it`;
    return { ...membership, reason };
  }

  reportMembership(source: AccessSource, membership: Membership): ReportedMembership {
    const { binding, subject, subjectIndex, role } = membership;
    const { cluster, tenants } = source;
    const reported = reportObject(source, binding.object, ['subjects', subjectIndex, 'name']);
    const tenant = tenants.get(binding.namespace);
    const { place: declared, until } = this.#declared.find(tenant, cluster, binding, subject) ?? {};
    const { file, line } = reported;
    const ofBinding = file !== undefined && line !== undefined ? { file, line } : undefined;
    const place = declared ?? ofBinding;
    return omitUndefined<ReportedMembership>({
      cluster,
      namespace: binding.namespace || undefined,
      subject: formatSubject(subject),
      binding: reported,
      role: role
        ? { ...reportObject(source, role.object, []), defined: true }
        : { object: formatRole(binding.role), builtin: false, defined: false },
      declared,
      until,
      commit: place && this.#commits.find(place),
    });
  }
}

function reportObject(source: AccessSource, object: KubeObject, path: Path): ReportedObject {
  return {
    object: formatRole(nameObject(object)),
    builtin: isBuiltin(object),
    ...source.locate(object, path),
  };
}

const nameObject = (object: KubeObject) =>
  object.kind === 'RoleBinding'
    ? { kind: object.kind, name: object.metadata.name, namespace: object.metadata.namespace ?? '' }
    : nameRole(object);

function omitEmpty(rule: RightsRule): RightsRule {
  const entries = Object.entries(rule).filter(([, list]) => (list as readonly string[]).length > 0);
  return Object.fromEntries(entries);
}

/** Formats the place of an object: `dist/clusters/fra1/shop.yaml:12`, `Kubernetes`, or nothing. */
export function formatObjectPlace({ file, line, builtin }: ReportedObject): string {
  if (builtin) return 'Kubernetes';
  return file === undefined ? '' : `${file}:${line}`;
}

/** Formats a commit: `1a2b3c4d5e 2026-11-30 Ada: payments: add admins`. */
export function formatCommit({ id, date, author, subject }: LineCommit): string {
  return `${id.slice(0, 10)} ${date} ${author}: ${subject}`;
}
