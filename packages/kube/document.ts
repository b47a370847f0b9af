import { errorAt, type Finding } from './finding.ts';
import { show, type Path } from './problem.ts';
import { isDns1035Label, isDnsLabel, isSubdomain } from './names.ts';
import { isMapping } from './mapping.ts';
import { groupOf } from './object.ts';

/** Top-level fields with which a reader treats a document as something other than an object. */
const notAnObject: readonly (readonly [field: string, reason: string])[] = [
  // kubectl, client-go and Argo CD check only this field; kustomize also checks for a kind that ends in List.
  [
    'items',
    'kubectl and Argo CD take an object that has it for a list, whatever its kind, and apply its items; declare every object on its own',
  ],
  // https://fluxcd.io/flux/guides/mozilla-sops/
  [
    'sops',
    "Flux takes an object that has it for encrypted, and decrypts it with the platform's key",
  ],
];

/** Kinds whose items kustomize, and so Flux, applies; no API server has these kinds. */
const wrappers: ReadonlySet<string> = new Set(['List', 'ResourceList']);

/** The groups of files that kustomize reads for itself; Flux leaves them out. */
const toolGroups: ReadonlySet<string> = new Set([
  'kustomize.config.k8s.io',
  'config.kubernetes.io',
]);

/** Annotations that kustomize, and so Flux, obeys or removes: an object with `local-config` is left out. */
const TOOL_ANNOTATION =
  /^([^/]*\.)?(config\.kubernetes\.io|kustomize\.config\.k8s\.io|config\.k8s\.io)\//;

/**
 * Finds the reason why kubectl, client-go, Argo CD, kustomize or Flux would treat a document as anything but one object
 * of an API server; undefined if all of them read one. `validateDocumentMetadata` validates the metadata besides the
 * name.
 */
export function validateDocument(value: unknown): Finding | undefined {
  if (!isMapping(value)) return refusal([], AN_OBJECT, value);
  const { apiVersion, kind, metadata } = value;
  for (const [field, reason] of notAnObject) {
    if (value[field] !== undefined) {
      return errorAt([field], `must be left out: ${reason}`, DOCUMENT);
    }
  }
  if (isAbsent(apiVersion) || isAbsent(kind) || isAbsent(metadata)) {
    const missing = ['apiVersion', 'kind', 'metadata'].filter((key) => isAbsent(value[key]));
    const message = `must be ${AN_OBJECT}, got one without ${missing.join(' and ')}`;
    return errorAt([], message, DOCUMENT);
  }
  if (!isApiVersion(apiVersion)) return refusal(['apiVersion'], AN_API_VERSION, apiVersion);
  if (!isKind(kind)) return refusal(['kind'], 'a kind that an API server has', kind);
  if (toolGroups.has(groupOf(apiVersion))) {
    return refusal(['apiVersion'], 'that of an object, not of a file for kustomize', apiVersion);
  }
  if (!isMapping(metadata)) return refusal(['metadata'], 'a mapping', metadata);
  return validateDocumentName(metadata);
}

/** Finds the reason why a tool would misread the metadata of an object besides its name. */
export function validateDocumentMetadata(
  metadata: Readonly<Record<string, unknown>>,
): Finding | undefined {
  const { name, namespace } = metadata;
  if (!isName(name)) return refusal(['metadata', 'name'], A_NAME, name);
  if (!isAbsent(namespace) && !(typeof namespace === 'string' && isDnsLabel(namespace))) {
    return refusal(['metadata', 'namespace'], 'the name of a namespace, or left out', namespace);
  }
  for (const part of ['labels', 'annotations'] as const) {
    const entries = metadata[part];
    if (isAbsent(entries)) continue;
    if (!isMapping(entries)) return refusal(['metadata', part], 'a mapping', entries);
    for (const key of Object.keys(entries)) {
      const at = ['metadata', part, key];
      const entry = entries[key];
      if (entry !== undefined && typeof entry !== 'string') return refusal(at, 'a string', entry);
      if (part === 'annotations' && TOOL_ANNOTATION.test(key)) {
        return errorAt(at, 'must be left out: kustomize and Flux take orders from it', DOCUMENT);
      }
    }
  }
  return undefined;
}

/** The rule: every reader treats every document as one object. */
const DOCUMENT = 'document';

const AN_OBJECT = 'a Kubernetes object with apiVersion, kind and metadata.name';
const A_NAME = 'the name of an object';
const AN_API_VERSION = "a version such as 'v1', or a group and a version such as 'apps/v1'";

function validateDocumentName({
  name,
  generateName,
}: Record<string, unknown>): Finding | undefined {
  if (isAbsent(name) && typeof generateName === 'string') {
    const got = `the generateName ${show(generateName)}, which names another object each time`;
    return errorAt(['metadata'], `must have a name, got ${got}`, DOCUMENT);
  }
  if (isAbsent(name)) {
    return errorAt([], `must be ${AN_OBJECT}, got one without a name`, DOCUMENT);
  }
  return typeof name === 'string' ? undefined : refusal(['metadata', 'name'], A_NAME, name);
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isApiVersion(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const slash = value.indexOf('/');
  return (
    isDns1035Label(value.slice(slash + 1)) && (slash < 0 || isSubdomain(value.slice(0, slash)))
  );
}

/** The pattern of kinds that CustomResourceDefinitions may define. */
const KIND = /^[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;

function isKind(value: unknown): value is string {
  return typeof value === 'string' && KIND.test(value) && !wrappers.has(value);
}

/** Whether a value is allowed in the path of a request: `path.IsValidPathSegmentName` of apimachinery. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^(?!\.{1,2}$)[^/%]+$/.test(value);
}

function refusal(path: Path, must: string, got: unknown): Finding {
  return errorAt(path, `must be ${must}, got ${show(got)}`, DOCUMENT);
}
