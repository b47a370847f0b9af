import { errorAt, type Finding } from '@tenantry/kube/finding';
import { show, didYouMean, findNearest, type Path } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';
import type { Json } from '@tenantry/kube/object';
import { MAX_DEPTH } from '@tenantry/kube/yaml/read';
import { definitionOf, type Definition } from './definition.ts';
import type { CustomResourceDefinitionManifest } from './custom-resource-definition.ts';
import { customResourceDefinition } from './fields/definition-fields.ts';
import {
  FieldReader,
  type FieldReadPolicy,
  type Fields,
  type Scalar,
  type Shape,
  describeType,
  TAKEN_FOR_FALSE,
} from './fields/field-reader.ts';

/**
 * Returns the definition in a parsed document, as `readDefinitions` does. Use it if the document
 * has been read already and only the schemas are needed.
 * @returns the reason as a finding if the schemas cannot be used
 */
export function readDefinition(value: Readonly<Record<string, unknown>>): Definition | Finding {
  const { apiVersion } = value;
  if (apiVersion !== API_VERSION) {
    return errorAt(['apiVersion'], formatWrongVersion(apiVersion), 'version');
  }
  const faults: Finding[] = [];
  const manifest = readAsWritten(stripClusterFields(value), {
    wrong: (path, message, rule) => faults.push(errorAt(path, message, rule)),
    dropped: () => {},
    assumed: () => {},
  });
  const [fault] = faults;
  if (fault) return fault;
  const { preserveUnknownFields, versions } = manifest.spec;
  if (preserveUnknownFields === true) {
    const message = 'must be false, got true, which the API server refuses';
    return errorAt(['spec', 'preserveUnknownFields'], message, 'unsupported');
  }
  const bare = versions.findIndex(({ schema }) => schema?.openAPIV3Schema === undefined);
  if (bare >= 0) {
    const at = ['spec', 'versions', bare, 'schema', 'openAPIV3Schema'];
    return errorAt(at, 'must be a schema, got nothing', 'required');
  }
  const names = versions.map(({ name }) => name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again >= 0) {
    const message = `must be a version of its own, got ${show(names[again])} again`;
    return errorAt(['spec', 'versions', again, 'name'], message, 'versions-unique');
  }
  return definitionOf(manifest);
}

/** The only version in which definitions are served. */
export const API_VERSION = 'apiextensions.k8s.io/v1';

/** Formats the message about a definition in another version. */
export function formatWrongVersion(apiVersion: unknown): string {
  const must = `must be '${API_VERSION}', got ${show(apiVersion)}`;
  if (apiVersion !== 'apiextensions.k8s.io/v1beta1') return must;
  return `${must}, which Kubernetes stopped serving in 1.22; take the project's newer manifests, or move spec.validation, spec.subresources and spec.additionalPrinterColumns into each of spec.versions`;
}

/** The annotation in which `kubectl apply` keeps the whole object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Removes what only a cluster writes: the status, and most of the metadata. */
export function stripClusterFields(
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { status: _, ...definition } = value;
  if (!isMapping(definition['metadata'])) return definition;
  const { name, labels, annotations } = definition['metadata'];
  const kept = isMapping(annotations) ? withoutKey(annotations, LAST_APPLIED) : annotations;
  return { ...definition, metadata: { name, labels, annotations: kept } };
}

function withoutKey(
  mapping: Readonly<Record<string, unknown>>,
  key: string,
): Record<string, unknown> | undefined {
  const entries = Object.entries(mapping).filter(([name]) => name !== key);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Receives what is wrong and what is dropped. */
interface Listener {
  wrong(path: Path, message: string, rule: string): void;
  dropped(path: Path, message: string): void;
  /** Called for a missing required field, which is read as the API server reads its absence. */
  assumed(path: Path, message: string): void;
}

/**
 * Reads a definition for tools that process it further: values stay as they are written.
 *
 * Drops what the API server would drop silently: null and unknown fields. Reports what the API
 * server's decoder would refuse, and what is missing. The result is a valid definition unless
 * something is reported. Never throws, whatever the value, and never recurses deeper than a file
 * may nest.
 *
 * Source:
 * https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */
export function readAsWritten(
  value: unknown,
  listener: Listener,
): CustomResourceDefinitionManifest {
  const reader = new FieldReader(new WrittenReadPolicy(listener));
  return reader.read(customResourceDefinition, value, []) as CustomResourceDefinitionManifest;
}

class WrittenReadPolicy implements FieldReadPolicy {
  readonly #listener: Listener;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  enter(shape: Shape, value: unknown, path: Path): boolean {
    if ('instead' in shape) {
      const message = `must be ${shape.instead}, got ${show(value)}`;
      this.#listener.wrong(path, message, 'reference');
    }
    return !this.#isTooDeep(path, MAX_DEPTH);
  }

  scalar(shape: Scalar, value: unknown, path: Path): unknown {
    if (shape.is === 'json') return this.#copied(value, path);
    if (shape.words?.includes(value as string) ?? true) return value;
    return this.mistyped(shape, value, path);
  }

  mistyped(shape: Shape, value: unknown, path: Path): null {
    this.#listener.wrong(path, `must be ${wordsFor(shape)}, got ${show(value)}`, 'shape');
    return null;
  }

  isAbsent(): boolean {
    return false;
  }

  unknown(fields: Fields, value: unknown, path: Path): void {
    if (value === null) return;
    const key = path.at(-1);
    const hint = didYouMean(findNearest(String(key), Object.keys(fields)));
    const message = `must be a field that the API server knows, got ${show(key)}, which it drops${hint}`;
    this.#listener.dropped(path, message);
  }

  missing(shape: Shape, _: unknown, path: Path): false | undefined {
    if (shape.is === 'boolean') {
      this.#listener.assumed(path, TAKEN_FOR_FALSE);
      return false;
    }
    this.#listener.wrong(path, `must be ${wordsFor(shape)}, got nothing`, 'shape');
    return undefined;
  }

  /** Copies plain data, except data too deep to come from a file. */
  #copied(value: unknown, path: Path): Json {
    if (typeof value !== 'object' || value === null) return value as Json;
    if (this.#isTooDeep(path, MAX_DEPTH - 1)) return null;
    if (Array.isArray(value)) return value.map((item, i) => this.#copied(item, [...path, i]));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#copied(item, [...path, key])]),
    );
  }

  #isTooDeep(path: Path, most: number): boolean {
    if (path.length <= most) return false;
    this.#listener.wrong(path, `must be nested at most ${MAX_DEPTH} deep, got more`, 'nesting');
    return true;
  }
}

function wordsFor(shape: Shape): string {
  const words = 'words' in shape ? shape.words : undefined;
  return words ? `one of ${words.join(', ')}` : describeType(shape);
}
