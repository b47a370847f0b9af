import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { isAddedPullSecret } from './controller-writes.ts';
import { hash } from 'node:crypto';
import { parseQuantity } from '@tenantry/kube/quantity';

type Fields = Readonly<Record<string, unknown>>;

/** The content of an object, without its metadata. */
export interface Content {
  readonly fields: Fields;
  /** Whether the value at a path is a quantity, which is compared by amount: `0.5` equals `500m`. */
  isQuantity(path: readonly (string | number)[]): boolean;
}

interface Reading {
  fields(object: KubeObject): Fields;
  isQuantity?(path: readonly (string | number)[]): boolean;
}

/** How to read the kinds of which tenants consist, by `group/Kind`. */
const readings: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['/Namespace', { fields: () => ({}) }],
  [
    '/ResourceQuota',
    {
      fields: spec((whole) => whole),
      isQuantity: ([, field]) => field === 'hard',
    },
  ],
  // spec.limits[0].max.cpu
  ['/LimitRange', { fields: spec(limitRangeSpec), isQuantity: ({ length }) => length === 5 }],
  ['/ServiceAccount', { fields: serviceAccountFields }],
  ['rbac.authorization.k8s.io/Role', { fields: roleFields }],
  ['rbac.authorization.k8s.io/RoleBinding', { fields: roleBindingFields }],
  ['networking.k8s.io/NetworkPolicy', { fields: spec(networkPolicySpec) }],
  ['policy/PodDisruptionBudget', { fields: spec((whole) => whole) }],
]);

/**
 * Returns the content of an object of a tenant as the API server stores it: with defaults, and without empty values. So
 * declared and live objects can be compared without a request.
 * @returns undefined for a kind that tenants have only among `resources`
 */
export function normalizeContent(object: KubeObject): Content | undefined {
  const reading = readings.get(`${groupOf(object.apiVersion)}/${object.kind}`);
  if (!reading) return undefined;
  const fields = removeEmptyFields(reading.fields(object)) as Fields;
  return { fields, isQuantity: (path) => reading.isQuantity?.(path) ?? false };
}

function spec(of: (spec: Record<string, unknown>) => unknown): (object: KubeObject) => Fields {
  return ({ spec: specValue }) => ({ spec: isMapping(specValue) ? of(specValue) : {} });
}

/** Fields in which an empty mapping means everything, and an absent one means something else. */
const selectors: ReadonlySet<string> = new Set(['podSelector', 'namespaceSelector', 'selector']);

/** The field in which every key counts, whatever its name and value: an empty text is a value like any other. */
const labels = 'matchLabels';

/**
 * Removes the fields of a value that are null or empty: the API server does not store them, and reads an absent field
 * the same way. List entries stay: an empty peer means everybody, and the empty group is the core group.
 */
function removeEmptyFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeEmptyFields);
  if (!isMapping(value)) return value;
  const kept: [string, unknown][] = [];
  for (const field of Object.keys(value)) {
    const inside = field === labels ? value[field] : removeEmptyFields(value[field]);
    if (!statesNothing(inside) || isSelector(field, inside)) kept.push([field, inside]);
  }
  return Object.fromEntries(kept);
}

function isSelector(field: string, inside: unknown): boolean {
  return selectors.has(field) && isMapping(inside);
}

function statesNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isMapping(value) && Object.keys(value).length === 0;
}

type Amounts = Readonly<Record<string, unknown>>;

/**
 * Returns the spec of a LimitRange with the API server's defaults for containers. The default comes from the maximum,
 * and the default request from the default or else from the minimum.
 * Source: SetDefaults_LimitRangeItem, https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/v1/defaults.go
 */
function limitRangeSpec({ limits, ...rest }: Record<string, unknown>): unknown {
  return { ...rest, limits: Array.isArray(limits) ? limits.map(filled) : limits };
}

function filled(item: unknown): unknown {
  if (!isMapping(item) || item['type'] !== 'Container') return item;
  const byDefault = { ...amounts(item['max']), ...amounts(item['default']) };
  const byRequest = {
    ...amounts(item['min']),
    ...byDefault,
    ...amounts(item['defaultRequest']),
  };
  return { ...item, default: byDefault, defaultRequest: byRequest };
}

function amounts(value: unknown): Amounts {
  return isMapping(value) ? value : {};
}

/**
 * Returns the spec of a NetworkPolicy with the API server's defaults: the protocol of ports, and the directions.
 * Source: https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/networking/v1/defaults.go
 */
function networkPolicySpec(spec: Record<string, unknown>): unknown {
  const { podSelector, ingress, egress, policyTypes, ...rest } = spec;
  const hasEgress = Array.isArray(egress) && egress.length > 0;
  const directions = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
  const hasPolicyTypes = Array.isArray(policyTypes) && policyTypes.length > 0;
  return {
    ...rest,
    podSelector: podSelector ?? {},
    ingress: withProtocols(ingress),
    egress: withProtocols(egress),
    policyTypes: hasPolicyTypes ? policyTypes : directions,
  };
}

function withProtocols(rules: unknown): unknown {
  if (!Array.isArray(rules)) return rules;
  return rules.map((rule: unknown) => {
    if (!isMapping(rule) || !Array.isArray(rule['ports'])) return rule;
    const ports = rule['ports'].map((port: unknown) =>
      isMapping(port) ? { ...port, protocol: port['protocol'] ?? 'TCP' } : port,
    );
    return { ...rule, ports };
  });
}

const GROUP = 'rbac.authorization.k8s.io';

/** Returns the content of a Role. */
function roleFields({ rules }: KubeObject): Readonly<Record<string, unknown>> {
  return { rules };
}

/**
 * Returns the content of a RoleBinding, with the API groups that the API server fills in.
 * Source: https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/rbac/v1/defaults.go
 */
function roleBindingFields({ roleRef, subjects }: KubeObject): Readonly<Record<string, unknown>> {
  return {
    roleRef: isMapping(roleRef) ? { ...roleRef, apiGroup: roleRef['apiGroup'] || GROUP } : roleRef,
    subjects: Array.isArray(subjects) ? subjects.map(withGroup) : subjects,
  };
}

function withGroup(subject: unknown): unknown {
  if (!isMapping(subject)) return subject;
  const { apiGroup, ...rest } = subject;
  if (subject['kind'] === 'ServiceAccount') return rest;
  return { ...rest, apiGroup: apiGroup || GROUP };
}

/** Returns the content of a ServiceAccount, without its `secrets` and the pull secrets that controllers add. */
function serviceAccountFields(object: KubeObject): Readonly<Record<string, unknown>> {
  const { automountServiceAccountToken, imagePullSecrets, metadata } = object;
  const isDeclarable = (entry: unknown): boolean => !isAddedPullSecret(metadata.name, entry);
  return {
    automountServiceAccountToken,
    imagePullSecrets: Array.isArray(imagePullSecrets)
      ? imagePullSecrets.filter(isDeclarable)
      : imagePullSecrets,
  };
}

/**
 * Returns the declared ServiceAccount with the pull secrets that controllers added to the live one. The API server
 * treats the list as one value, so writing it without them would remove them.
 */
export function keepAddedPullSecrets(declared: KubeObject, live: KubeObject): KubeObject {
  const { name } = declared.metadata;
  const added = listIn(live).filter((entry) => isAddedPullSecret(name, entry));
  if (added.length === 0) return declared;
  const own = listIn(declared).filter((entry) => !isAddedPullSecret(name, entry));
  return { ...declared, imagePullSecrets: [...own, ...added] };
}

function listIn({ imagePullSecrets }: KubeObject): readonly unknown[] {
  return Array.isArray(imagePullSecrets) ? imagePullSecrets : [];
}

type Place = readonly (string | number)[];

/** Returns a digest of a value as it is, with all of its metadata: 132 bits of SHA-256. */
export function digestObject(object: object): string {
  return digestText(JSON.stringify(object));
}

function digestText(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/**
 * Returns a digest that is equal for two contents exactly if they mean the same. The order of fields and of list
 * entries does not matter, because all lists of these kinds are sets, and quantities count by amount. It is half of
 * SHA-256, so nobody can construct another content with a given digest.
 */
export function digestContent(content: Content): string {
  return digestText(normalizeValue(content.fields, [], content));
}

/** Returns the same text for all values that mean the same. */
export function normalizeValue(value: unknown, path: Place, { isQuantity }: Content): string {
  return textOf(value, [...path], isQuantity);
}

/** @param path left unchanged */
function textOf(
  value: unknown,
  path: (string | number)[],
  isQuantity: Content['isQuantity'],
): string {
  const within = (inside: unknown, at: string | number): string => {
    path.push(at);
    const text = textOf(inside, path, isQuantity);
    path.pop();
    return text;
  };
  if (Array.isArray(value)) {
    const items = value.map((item) => within(item, 0)).toSorted();
    return `[${items.join()}]`;
  }
  if (isMapping(value)) {
    const fields = Object.keys(value).toSorted();
    return `{${fields.map((name) => `${JSON.stringify(name)}:${within(value[name], name)}`).join()}}`;
  }
  if ((typeof value === 'string' || typeof value === 'number') && isQuantity(path)) {
    const amount = parseQuantity(value);
    if (amount !== undefined) return `${thousandths(amount)}m`;
  }
  return JSON.stringify(value);
}

/**
 * Rounds an amount as these kinds store it: up to a thousandth.
 * Source: SetDefaults_ResourceList, https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/v1/defaults.go
 */
function thousandths(billionths: bigint): bigint {
  const [whole, rest] = [billionths / 1_000_000n, billionths % 1_000_000n];
  return rest > 0n ? whole + 1n : rest < 0n ? whole - 1n : whole;
}
