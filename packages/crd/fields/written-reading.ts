import type { Json } from '@tenantry/kube/object';
import { didYouMean, findNearest, show, type Path } from '@tenantry/kube/problem';
import { MAX_DEPTH } from '@tenantry/kube/yaml/read';
import type { CustomResourceDefinitionManifest } from '../custom-resource-definition.ts';
import { customResourceDefinition } from './definition-fields.ts';
import {
  FieldReader,
  type FieldReadPolicy,
  type Fields,
  type Scalar,
  type Shape,
  describeType,
  TAKEN_FOR_FALSE,
} from './field-reader.ts';

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
