import { show, type Path, formatPath } from '@tenantry/kube/problem';
import { Findings, type Verdict } from '@tenantry/kube/finding';
import type { Json } from '@tenantry/kube/object';
import { byteLength, MAX_ANNOTATIONS } from '@tenantry/kube/names';
import { readAsServer, type DecodedDefinition } from '../fields/decoded-definition.ts';
import { CREATION } from './leniency.ts';
import {
  checkFinalizers,
  checkMetadata,
  APPROVAL,
  checkApproval,
  checkName,
} from './definition-identity.ts';
import { checkSpec } from './definition-spec.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';

/** The minor version of Kubernetes whose rules these are, with its default feature gates. */
export const KUBERNETES_MINOR = '1.36';

/**
 * Validates a new CustomResourceDefinition as the API server of Kubernetes 1.36 does with strict
 * field validation. Reports exactly what it refuses as errors, with the path in the manifest. What
 * only the server can decide is in `notChecked`, such as a CEL rule nested more than 100 deep.
 * Takes any value and never throws.
 *
 * @example
 * ```ts
 * import { crdManifest, validateDefinition } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const { spec, ...rest } = crdManifest(redis);
 * const { errors } = validateDefinition({ ...rest, spec: { ...spec, scope: 'Everywhere' } });
 * console.log(errors.map(({ path }) => path)); // [ [ 'spec', 'scope' ] ]
 * ```
 */
export function validateDefinition(manifest: unknown): Verdict {
  const findings = new Findings();
  const decoded = decodeDefinition(manifest, findings);
  if (!decoded) return findings;
  const { metadata = {}, spec = {} } = decoded;
  checkName(decoded, findings);
  checkMetadata(metadata, ['metadata'], findings);
  checkFinalizers(metadata.finalizers ?? [], ['metadata', 'finalizers'], findings);
  if (metadata.resourceVersion !== undefined) {
    const message = `must be absent when a definition is created, got ${show(metadata.resourceVersion)}`;
    findings.addWarning(['metadata', 'resourceVersion'], message, 'resource-version');
  }
  checkSpec(spec, findings, CREATION);
  warnOfVersionLosses(spec, findings);
  checkApproval(spec.group ?? '', metadata.annotations?.[APPROVAL] ?? '', findings);
  return findings;
}

/** Decodes a definition as the server does. Returns undefined, with findings, if the server cannot decode it. */
export function decodeDefinition(
  manifest: unknown,
  findings: Findings,
): DecodedDefinition | undefined {
  const json = plainJson(manifest, findings);
  if (json === undefined) return undefined;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const message = `must be a mapping with apiVersion, kind, metadata and spec, got ${show(json)}`;
    findings.addError([], message, 'field-type');
    return undefined;
  }
  const identity = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  for (const [field, wanted] of Object.entries(identity)) {
    if (json[field] === wanted) continue;
    findings.addWrong([field], `be ${wanted}`, json[field], 'not-a-definition');
  }
  if (findings.errors.length > 0) return undefined;
  checkSize(json, findings);
  return readAsServer(json, findings);
}

/** The maximum depth of a value that is read; Go itself stops at 10,000. */
const MAX_DEPTH = 1000;

/**
 * Converts a value to the JSON that is sent; undefined, with findings, if that is impossible.
 * Fields that are undefined or have a symbol as the key are not sent.
 */
function plainJson(value: unknown, findings: Findings): Json | undefined {
  const before = findings.errors.length + findings.notChecked.length;
  const copy = copyJson(value, [], new Set(), findings);
  const after = findings.errors.length + findings.notChecked.length;
  return after > before ? undefined : copy;
}

function copyJson(value: unknown, path: Path, around: Set<object>, findings: Findings): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      findings.addError(path, `must be a number, got ${value}`, 'not-json');
    return value;
  }
  if (typeof value !== 'object') {
    findings.addWrong(path, 'be a value of JSON', value, 'not-json');
    return null;
  }
  if (around.has(value)) {
    findings.addError(path, 'must not contain itself, got a value that contains it', 'not-json');
    return null;
  }
  if (path.length > MAX_DEPTH) {
    findings.addNotChecked(
      path,
      `must be at most ${MAX_DEPTH} levels deep to be checked, got more`,
      'depth',
    );
    return null;
  }
  around.add(value);
  const copy = Array.isArray(value)
    ? value.map((item: unknown, i) => copyJson(item ?? null, [...path, i], around, findings))
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, field]) => field !== undefined)
          .map(([key, field]) => [key, copyJson(field, [...path, key], around, findings)]),
      );
  around.delete(value);
  return copy;
}

/** Bytes of JSON that a request may have. */
const REQUEST = 3 * 1024 * 1024;
/** Bytes that etcd takes by default, less some room for what the server adds. */
const STORED = 1_500_000;

/** Checks the size of a definition in the JSON form that is sent. */
function checkSize(manifest: Json, findings: Findings): void {
  const size = byteLength(JSON.stringify(manifest));
  if (size > REQUEST) {
    const message = `must be at most ${REQUEST} bytes of JSON, got ${size}`;
    findings.addError([], message, 'size');
  } else if (size > STORED) {
    const message = `must fit into a request of etcd (1.5 MiB unless set otherwise), got ${size} bytes`;
    findings.addNotChecked([], message, 'size');
  }
  if (size > MAX_ANNOTATIONS) {
    const message = `must be at most ${MAX_ANNOTATIONS} bytes of JSON for 'kubectl apply' without --server-side, got ${size}`;
    findings.addWarning([], message, 'client-side-apply');
  }
}

const RULE = 'version-losses';

type Spec = NonNullable<DecodedDefinition['spec']>;

/**
 * Warns of fields that objects lose between versions. With the strategy None the API server changes
 * apiVersion alone, and prunes what the version that is stored, or read, does not have.
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/
 */
function warnOfVersionLosses({ versions = [], conversion }: Spec, findings: Findings): void {
  if (conversion?.strategy === 'Webhook') return;
  const used = versions.flatMap(({ name = '', served, storage, schema }, i) => {
    const root = schema?.openAPIV3Schema;
    return root && (served || storage) ? [{ name, root, i }] : [];
  });
  for (const from of used) {
    for (const to of used) {
      if (from === to) continue;
      const { lost, changed } = compareFields(from.root, to.root);
      const at = ['spec', 'versions', to.i];
      if (lost.length > 0) {
        const message = `must have the fields of ${from.name} while the conversion strategy is None, or objects lose them, got no ${summarize(lost)}`;
        findings.addWarning(at, message, RULE);
      }
      // The other direction has the same difference.
      if (changed.length > 0 && from.i < to.i) {
        const message = `must have the types of ${from.name} while the conversion strategy is None, or objects of one version are refused in the other, got another type for ${summarize(changed)}`;
        findings.addWarning(at, message, RULE);
      }
    }
  }
}

interface Compared {
  readonly lost: Path[];
  readonly changed: Path[];
}

/** The fields that the API server adds and checks itself. */
const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function compareFields(from: JSONSchemaProps, to: JSONSchemaProps): Compared {
  const compared: Compared = { lost: [], changed: [] };
  const {
    apiVersion: _version,
    kind: _kind,
    metadata: _metadata,
    ...properties
  } = from.properties ?? {};
  compareNodes({ ...from, properties }, to, [], compared);
  return compared;
}

function compareNodes(
  from: JSONSchemaProps,
  to: JSONSchemaProps,
  path: Path,
  compared: Compared,
): void {
  if (typeOf(from) !== typeOf(to)) {
    compared.changed.push(path);
    return;
  }
  for (const [name, inner] of Object.entries(from.properties ?? {})) {
    if (path.length === 0 && metaFields.has(name)) continue;
    const at = [...path, name];
    const other = findField(to, name);
    if (other === 'dropped') compared.lost.push(at);
    else if (other !== 'kept') compareNodes(inner, other, at, compared);
  }
  const [values, others] = [from.additionalProperties, to.additionalProperties];
  const keepsKeys = keepsUnknown(to) || others === true;
  if (values !== undefined && values !== false && !keepsKeys) {
    if (typeof others !== 'object') compared.lost.push([...path, '*']);
    else if (typeof values === 'object') compareNodes(values, others, [...path, '*'], compared);
  } else if (keepsUnknown(from) && !keepsKeys && typeof others !== 'object') {
    compared.lost.push([...path, '*']);
  }
  if (from.items && to.items) compareNodes(from.items, to.items, [...path, '*'], compared);
}

const keepsUnknown = (schema: JSONSchemaProps): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Returns the schema of a field, or whether a field without a schema is kept or dropped. */
function findField(schema: JSONSchemaProps, name: string): JSONSchemaProps | 'kept' | 'dropped' {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name]!;
  if (typeof additionalProperties === 'object') return additionalProperties;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (additionalProperties === true || keepsUnknown(schema)) return 'kept';
  return isEmbedded && metaFields.has(name) ? 'kept' : 'dropped';
}

function typeOf(schema: JSONSchemaProps): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return schema.type;
}

function summarize(paths: readonly Path[]): string {
  const shown = paths.slice(0, 5).map((path) => formatPath(path) || 'the object');
  const more = paths.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
