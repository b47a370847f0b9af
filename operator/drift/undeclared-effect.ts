import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import { truncate, escapeForTerminal } from '@tenantry/kube/printable';
import type { KubeObject } from '@tenantry/kube/object';
import { MAX_SUBJECTS, MAX_EFFECT_LENGTH, type UndeclaredEntry } from '../../crds/tenant-status.ts';
import type { TenantUserPolicy } from '../../model/policies/policy.ts';
import { policies } from '../../model/policies/policies.ts';
import { concernLabel, DISABLED, type Concern } from '../../model/ownership.ts';
import { AdmissionEvaluator } from '@tenantry/crd/schema/cel';

/** The effect of an undeclared object, as a status contains it. */
type Effect = Pick<UndeclaredEntry, 'role' | 'subjects' | 'moreSubjects' | 'effect'>;

type Fields = Readonly<Record<string, unknown>>;

/** Returns what an undeclared object grants, opens or limits. */
export function assessEffect(object: KubeObject): Effect {
  switch (object.kind) {
    case 'RoleBinding':
      return bindingEffect(object);
    case 'NetworkPolicy':
      return { effect: shorten(policyEffect(mapping(object['spec']))) };
    case 'Role':
      return { effect: shorten(rulesText(items(object['rules']))) };
    case 'ResourceQuota':
      return { effect: shorten(`hard: ${json(mapping(object['spec'])['hard'])}`) };
    case 'LimitRange':
      return { effect: shorten(`limits: ${json(mapping(object['spec'])['limits'])}`) };
    default:
      return {};
  }
}

function bindingEffect(object: KubeObject): Effect {
  const { kind = '', name = '' } = mapping(object['roleRef']) as { kind?: string; name?: string };
  const all = items(object['subjects']).map(subjectText);
  const more = all.length - MAX_SUBJECTS;
  return omitUndefined({
    role: shorten(`${kind} ${name}`),
    subjects: all.length > 0 ? all.slice(0, MAX_SUBJECTS) : undefined,
    moreSubjects: more > 0 ? more : undefined,
  });
}

/** `User eve`, `ServiceAccount pay/ci`. */
function subjectText(subject: Fields): string {
  const { kind, namespace, name } = subject;
  const place = kind === 'ServiceAccount' && namespace !== undefined ? `${text(namespace)}/` : '';
  return shorten(`${text(kind)} ${place}${text(name)}`);
}

/** `ingress from everywhere; egress to 2 peers; selects all pods`. */
function policyEffect(spec: Fields): string {
  const types = Array.isArray(spec['policyTypes']) ? spec['policyTypes'] : ['Ingress'];
  const isFor = (type: string): boolean => types.includes(type);
  const selector = mapping(spec['podSelector']);
  const pods = Object.keys(selector).length === 0 ? 'all pods' : `pods ${json(selector)}`;
  return [
    ...(isFor('Ingress') ? [directionText('ingress from', items(spec['ingress']), 'from')] : []),
    ...(isFor('Egress') || items(spec['egress']).length > 0
      ? [directionText('egress to', items(spec['egress']), 'to')]
      : []),
    `for ${pods}`,
  ].join('; ');
}

function directionText(direction: string, rules: readonly Fields[], field: 'from' | 'to'): string {
  if (rules.length === 0) return `${direction} nowhere`;
  const peers = rules.map((rule) => items(rule[field]));
  if (peers.some(({ length }) => length === 0)) return `${direction} everywhere`;
  return `${direction} ${peers.flat().map(peerText).join(', ')}`;
}

function peerText(peer: Fields): string {
  const block = mapping(peer['ipBlock'])['cidr'];
  return block === undefined ? json(peer) : text(block);
}

function rulesText(rules: readonly Fields[]): string {
  return rules
    .map(({ verbs, resources, nonResourceURLs }) => {
      const what = [...strings(resources), ...strings(nonResourceURLs)].join(',');
      return `${strings(verbs).join(',')} on ${what}`;
    })
    .join('; ');
}

function mapping(value: unknown): Fields {
  return isMapping(value) ? value : {};
}

function items(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((one) => isMapping(one)) : [];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(text) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : json(value);
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function shorten(words: string): string {
  return truncate(escapeForTerminal(words), MAX_EFFECT_LENGTH);
}

/** The admission policies that limit which access a tenant's users may grant. */
const bounds = {
  RoleBinding: findBound('roleBindings'),
  NetworkPolicy: findBound('networkPolicies'),
} as const;

interface Bound {
  readonly concern: Concern;
  evaluator(): AdmissionEvaluator;
}

/** Compiles a policy at its first use: most tenants have no undeclared objects. */
function findBound(concern: Concern): Bound {
  let evaluator: AdmissionEvaluator | undefined;
  const { variables, validations }: TenantUserPolicy = policies[concern];
  return {
    concern,
    evaluator: () => (evaluator ??= new AdmissionEvaluator({ variables, validations })),
  };
}

/**
 * Whether an undeclared object grants access that the tenant's users may not grant. Evaluates the admission policies
 * that limit what they write, with the namespace as declared. Unknown content counts as access.
 * @param object undefined if its content is not known
 */
export function givesAccess(
  kind: string,
  object: KubeObject | undefined,
  namespace: KubeObject | undefined,
): boolean {
  // No tenant's user holds a wildcard, so none of them can grant one.
  if (kind === 'Role') return true;
  if (kind !== 'RoleBinding' && kind !== 'NetworkPolicy') return false;
  const { concern, evaluator } = bounds[kind];
  if (!object || !namespace) return true;
  if (namespace.metadata.labels?.[concernLabel(concern)] === DISABLED) return false;
  return evaluator().findViolation({ object, namespaceObject: namespace }) !== undefined;
}
