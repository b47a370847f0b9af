import { builtinGroups } from '../builtin-kinds.ts';
import type { KubeObject } from '../object.ts';
import { builtinObjects } from './builtin-objects.ts';
import {
  formatRole,
  nameRole,
  readBinding,
  readRoles,
  type PolicyBinding,
  type PolicyRole,
  type RoleName,
  type SourcedRule,
} from './policy.ts';
import { ruleAllows, type AuthorizationRequest } from './request.ts';
import {
  formatSubject,
  includesRequester,
  MASTERS,
  type BoundSubject,
  type Requester,
} from './subjects.ts';

/** A binding through which a role applies to a subject. */
export interface Membership extends BoundSubject {
  readonly binding: PolicyBinding;
  /** Absent where the role is not among the objects. */
  readonly role?: PolicyRole;
}

/** One path that grants a request: the subject of a binding, and a rule of its role. */
export interface Grant extends Membership, SourcedRule {
  readonly role: PolicyRole;
}

/** Why it is not known what a binding grants. */
export type UnknownReason =
  /** No object defines the role. */
  | 'undefined-role'
  /** Other ClusterRoles of the cluster may add rules to it. */
  | 'aggregated-role';

/** A binding whose role may grant the request: the objects do not show it. */
export interface UnknownGrant extends Membership {
  readonly reason: UnknownReason;
}

/**
 * The answer to a request.
 *
 * - `yes`: a path grants it.
 * - `no`: no path does, and all rules are known.
 * - `unknown`: no path does, as far as the rules are known.
 */
export type Answer = 'yes' | 'no' | 'unknown';

export interface Decision {
  readonly answer: Answer;
  /** All paths that grant the request. */
  readonly grants: readonly Grant[];
  /** Bindings that may grant it too. */
  readonly unknown: readonly UnknownGrant[];
}

/** The rules of a role that allow a request, or why it is not known whether it has any. */
interface RoleEvaluation {
  readonly role?: PolicyRole;
  readonly rules: readonly SourcedRule[];
  readonly reason?: UnknownReason;
}

/** The namespaces whose RoleBindings count: those of the request, or all of them. */
type Scope = 'request' | 'all-namespaces';

export interface AuthorizerOptions {
  /**
   * Whether the objects are all that a cluster has. Then aggregated roles have the rules that the controller manager wrote,
   * and a role that is missing grants nothing. Otherwise Kubernetes' own roles and bindings are added where the objects
   * do not define them.
   */
  readonly isComplete: boolean;
}

const kubernetesGroups: ReadonlySet<string> = new Set(builtinGroups());

/**
 * Decides requests by roles and bindings, as the RBAC authorizer of the API server does. Besides the answer it finds every
 * path that grants a request.
 *
 * Source: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/registry/rbac/validation/rule.go
 */
export class Authorizer {
  readonly #roles: ReadonlyMap<string, PolicyRole>;
  readonly #clusterBindings: readonly PolicyBinding[];
  readonly #bindings: ReadonlyMap<string, readonly PolicyBinding[]>;
  readonly #isComplete: boolean;

  constructor(objects: readonly KubeObject[], { isComplete }: AuthorizerOptions) {
    this.#isComplete = isComplete;
    const all = isComplete ? objects : addBuiltins(objects);
    this.#roles = readRoles(all, { aggregates: !isComplete });
    const bindings = all.filter(({ kind }) => kind.endsWith('RoleBinding')).map(readBinding);
    this.#clusterBindings = bindings.filter(({ object }) => object.kind === 'ClusterRoleBinding');
    this.#bindings = Map.groupBy(
      bindings.filter(({ object }) => object.kind === 'RoleBinding'),
      ({ namespace }) => namespace,
    );
  }

  /** Decides a request of a requester. */
  decide(requester: Requester, request: AuthorizationRequest): Decision {
    const includes = ({ subject }: BoundSubject) => includesRequester(subject, requester);
    const decision = this.#evaluate(request, 'request', includes);
    return isMaster(requester) ? { ...decision, answer: 'yes' } : decision;
  }

  /**
   * Finds every subject that a binding allows the request.
   * @param scope whether a RoleBinding of any namespace counts, or only one of the request's. @default 'request'
   */
  findSubjects(request: AuthorizationRequest, scope: Scope = 'request'): Omit<Decision, 'answer'> {
    const { grants, unknown } = this.#evaluate(request, scope, () => true);
    return { grants, unknown };
  }

  /** Lists every binding that applies to a requester, of the whole cluster first and then by namespace. */
  listMemberships(requester: Requester): Membership[] {
    const all = [...this.#clusterBindings, ...[...this.#bindings.values()].flat()];
    return all.flatMap((binding) =>
      binding.subjects
        .filter(({ subject }) => includesRequester(subject, requester))
        .map((subject) => this.#join(binding, subject)),
    );
  }

  /** Lists every subject of every RoleBinding of a namespace. */
  listNamespaceMemberships(namespace: string): Membership[] {
    return (this.#bindings.get(namespace) ?? []).flatMap((binding) =>
      binding.subjects.map((subject) => this.#join(binding, subject)),
    );
  }

  /** Lists every subject of every ClusterRoleBinding. */
  listClusterMemberships(): Membership[] {
    return this.#clusterBindings.flatMap((binding) =>
      binding.subjects.map((subject) => this.#join(binding, subject)),
    );
  }

  /** The namespaces that have a RoleBinding. */
  get namespaces(): readonly string[] {
    return [...this.#bindings.keys()];
  }

  /** Whether a subject of exactly this name is in a binding. */
  names(formatted: string): boolean {
    return [this.#clusterBindings, ...this.#bindings.values()].some((some) =>
      some.some(({ subjects }) =>
        subjects.some(({ subject }) => formatSubject(subject) === formatted),
      ),
    );
  }

  #join(binding: PolicyBinding, subject: BoundSubject): Membership {
    const role = this.#roles.get(formatRole(binding.role));
    return { ...subject, binding, ...(role && { role }) };
  }

  #evaluate(
    request: AuthorizationRequest,
    scope: Scope,
    includes: (subject: BoundSubject) => boolean,
  ): Decision {
    const grants: Grant[] = [];
    const unknown: UnknownGrant[] = [];
    // Many bindings have the same role.
    const evaluated = new Map<string, RoleEvaluation>();
    for (const binding of this.#selectBindings(request, scope)) {
      const subjects = binding.subjects.filter(includes);
      if (subjects.length === 0) continue;
      const key = formatRole(binding.role);
      const found = evaluated.get(key) ?? this.#evaluateRole(binding.role, request);
      evaluated.set(key, found);
      const { role, rules, reason } = found;
      for (const subject of subjects) {
        if (role) for (const rule of rules) grants.push({ ...subject, ...rule, binding, role });
        if (reason) unknown.push({ ...this.#join(binding, subject), reason });
      }
    }
    const undecided = unknown.length > 0 ? 'unknown' : 'no';
    return { answer: grants.length > 0 ? 'yes' : undecided, grants, unknown };
  }

  #selectBindings(request: AuthorizationRequest, scope: Scope): Iterable<PolicyBinding> {
    if ('path' in request) return this.#clusterBindings;
    const { namespace } = request;
    // A RoleBinding of a file that names no namespace grants nothing in all of them.
    const everywhere = scope === 'all-namespaces' ? [...this.#bindings.values()].flat() : [];
    const own = namespace === undefined ? everywhere : (this.#bindings.get(namespace) ?? []);
    return [...this.#clusterBindings, ...own];
  }

  /** Returns the rules of a role that allow a request, or why it is not known whether it has any. */
  #evaluateRole(name: RoleName, request: AuthorizationRequest): RoleEvaluation {
    const role = this.#roles.get(formatRole(name));
    if (!role)
      return { rules: [], ...(!this.#isComplete && { reason: 'undefined-role' as const }) };
    const rules = role.rules.filter(({ rule }) => ruleAllows(rule, request));
    const isOpen = !this.#isComplete && rules.length === 0 && mayHaveMoreRules(role, request);
    return { role, rules, ...(isOpen && { reason: 'aggregated-role' as const }) };
  }
}

/** Whether the requester is in the group that the API server allows everything. */
export function isMaster({ groups }: Requester): boolean {
  return groups.includes(MASTERS);
}

/**
 * Whether ClusterRoles that the objects lack may add a rule for the request. Operators add rules for their own kinds to
 * Kubernetes' roles for people; an aggregated role of others is what its selectors match.
 */
function mayHaveMoreRules(
  { object, isAggregated }: PolicyRole,
  request: AuthorizationRequest,
): boolean {
  if (!isAggregated) return false;
  if (!isBuiltin(object)) return true;
  return 'group' in request && request.group !== '*' && !kubernetesGroups.has(request.group);
}

const builtins: ReadonlySet<KubeObject> = new Set(builtinObjects);

/** Whether a role or binding is known from Kubernetes, and not one of the objects. */
export function isBuiltin(object: KubeObject): boolean {
  return builtins.has(object);
}

function addBuiltins(objects: readonly KubeObject[]): readonly KubeObject[] {
  const key = (object: KubeObject): string =>
    object.kind.endsWith('Binding')
      ? `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`
      : formatRole(nameRole(object));
  const own = new Set(objects.map(key));
  return [...objects, ...builtinObjects.filter((object) => !own.has(key(object)))];
}
