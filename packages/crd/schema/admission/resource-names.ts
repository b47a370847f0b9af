/**
 * Validation of the names in an object's metadata, as the API server does it.
 *
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { show, type Path } from '@tenantry/kube/problem';
import {
  A_DNS_LABEL,
  A_LABEL_VALUE,
  A_SUBDOMAIN,
  byteLength,
  isDnsLabel,
  isLabelValue,
  isQualifiedName,
  isSubdomain,
  lowerCase,
  MAX_ANNOTATIONS,
  withoutTrailingDash,
} from '@tenantry/kube/names';
import { isMapping } from '@tenantry/kube/mapping';

const KIND = /^[A-Za-z](?:[-A-Za-z0-9]*[A-Za-z0-9])?$/;

const A_SEGMENT = "a name without '/' and '%' that is neither '.' nor '..'";
const A_KEY = "a key such as 'example.com/name': letters, digits, '-', '_' and '.'";

/** Whether a prefix can begin a generated name, to which the API server appends five letters and digits. */
function isSubdomainPrefix(prefix: string): boolean {
  return isSubdomain(withoutTrailingDash(prefix)) && isSubdomain(`${prefix.slice(0, 58)}aaaaa`);
}

interface NameRules {
  readonly must: string;
  isName(name: string): boolean;
  isPrefix(prefix: string): boolean;
}

/** Name rules for custom resources themselves. */
export const resourceNameRules: NameRules = {
  must: A_SUBDOMAIN,
  isName: isSubdomain,
  isPrefix: isSubdomainPrefix,
};

/** Name rules for embedded objects, which can be of any kind. */
export const embeddedNameRules: NameRules = {
  must: A_SEGMENT,
  isName: (name) => name !== '.' && name !== '..' && !/[/%]/.test(name),
  isPrefix: (prefix) => !/[/%]/.test(prefix),
};

/** Validates metadata that could be read. All findings have the rule `metadata`. */
export function checkMetadata(
  metadata: Readonly<Record<string, unknown>>,
  path: Path,
  rules: NameRules,
): Finding[] {
  const found: Finding[] = [];
  const expect = (isMet: boolean, at: Path, must: string, value: unknown, atKey = false): void => {
    if (isMet) return;
    const finding = errorAt([...path, ...at], `must be ${must}, got ${show(value)}`, 'metadata');
    found.push(atKey ? { ...finding, atKey } : finding);
  };
  const { name, generateName, namespace, generation, labels, annotations } = metadata;
  if (isText(generateName)) {
    const must = `the beginning of ${rules.must}`;
    expect(rules.isPrefix(generateName), ['generateName'], must, generateName);
  }
  if (isText(name)) expect(rules.isName(name), ['name'], rules.must, name);
  if (isText(namespace)) expect(isDnsLabel(namespace), ['namespace'], A_DNS_LABEL, namespace);
  expect(!(Number(generation) < 0), ['generation'], 'a number of at least 0', generation);
  for (const [key, value] of listEntries(labels)) {
    expect(isQualifiedName(key), ['labels', key], A_KEY, key, true);
    expect(isLabelValue(String(value)), ['labels', key], A_LABEL_VALUE, value);
  }
  let size = 0;
  for (const [key, value] of listEntries(annotations)) {
    expect(isQualifiedName(lowerCase(key)), ['annotations', key], A_KEY, key, true);
    size += byteLength(key) + byteLength(String(value));
  }
  expect(size <= MAX_ANNOTATIONS, ['annotations'], `of at most ${MAX_ANNOTATIONS} bytes`, size);
  checkFinalizers(metadata['finalizers'], expect);
  checkOwners(metadata['ownerReferences'], expect);
  checkManagers(metadata['managedFields'], expect);
  return found;
}

type Expect = (isMet: boolean, at: Path, must: string, value: unknown) => void;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function listEntries(value: unknown): [string, unknown][] {
  return isMapping(value) ? Object.entries(value) : [];
}

function listItems(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function checkFinalizers(finalizers: unknown, expect: Expect): void {
  const names = listItems(finalizers);
  for (const [i, name] of names.entries()) {
    expect(isQualifiedName(String(name)), ['finalizers', i], A_KEY, name);
  }
  const isBoth = names.includes('orphan') && names.includes('foregroundDeletion');
  expect(!isBoth, ['finalizers'], 'without either orphan or foregroundDeletion', names);
}

function checkOwners(owners: unknown, expect: Expect): void {
  let controllers = 0;
  for (const [i, owner] of listItems(owners).entries()) {
    const { apiVersion, kind, name, uid, controller } = owner as Record<string, unknown>;
    const at = ['ownerReferences', i];
    const version = String(apiVersion);
    const parts = version.split('/');
    const isVersion = parts.length <= 2 && parts.at(-1) !== '';
    expect(isVersion, [...at, 'apiVersion'], 'an apiVersion such as apps/v1', apiVersion);
    expect(kind !== '', [...at, 'kind'], 'a kind', kind);
    expect(name !== '', [...at, 'name'], 'a name', name);
    expect(uid !== '', [...at, 'uid'], 'a uid', uid);
    expect(version !== 'v1' || kind !== 'Event', at, 'something other than an Event', kind);
    if (controller === true) controllers += 1;
    const isOnly = controllers < 2 || controller !== true;
    expect(isOnly, [...at, 'controller'], 'true for one owner only', true);
  }
}

function checkManagers(managers: unknown, expect: Expect): void {
  for (const [i, manager] of listItems(managers).entries()) {
    const { operation, fieldsType = '' } = manager as Record<string, unknown>;
    const at = ['managedFields', i];
    const isKnown = operation === 'Apply' || operation === 'Update';
    expect(isKnown, [...at, 'operation'], 'Apply or Update', operation);
    const isV1 = fieldsType === '' || fieldsType === 'FieldsV1';
    expect(isV1, [...at, 'fieldsType'], 'FieldsV1', fieldsType);
  }
}

/** Validates the apiVersion and kind of an embedded object. The findings have the rule `kind`. */
export function checkType(object: Readonly<Record<string, unknown>>, path: Path): Finding[] {
  const { apiVersion, kind } = object;
  const found: Finding[] = [];
  const isVersion = isText(apiVersion) && apiVersion.split('/').length <= 2;
  if (!isVersion) {
    const message = `must be an apiVersion such as apps/v1, got ${show(apiVersion)}`;
    found.push(errorAt([...path, 'apiVersion'], message, 'kind'));
  }
  if (!isText(kind) || kind.length > 63 || !KIND.test(kind)) {
    const message = `must be a kind such as Deployment, got ${show(kind)}`;
    found.push(errorAt([...path, 'kind'], message, 'kind'));
  }
  return found;
}
