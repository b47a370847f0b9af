import type { Findings } from '@tenantry/kube/finding';
import { didYouMean, findNearest, show, type Path } from '@tenantry/kube/problem';
import type { DecodedDefinition } from './decoded-definition.ts';
import { customResourceDefinition } from './definition-fields.ts';
import {
  FieldReader,
  type FieldReadPolicy,
  type Fields,
  type Scalar,
  type Shape,
  LEFT_OUT,
  describeType,
  TAKEN_FOR_FALSE,
} from './field-reader.ts';

/**
 * Reads a definition as the API server does with strict field validation. The result only has known
 * fields of the right types. Null means absence, and so do the empty string and false if the type
 * cannot distinguish them. Null in a list or map is the empty value.
 *
 * Returns undefined, with findings of the rule `field-type`, if the server cannot decode the
 * definition.
 */
export function readAsServer(manifest: unknown, findings: Findings): DecodedDefinition | undefined {
  const reader = new FieldReader(new ServerReadPolicy(findings));
  const read = reader.read(customResourceDefinition, manifest, []);
  const isUnreadable = findings.errors.some(({ rule }) => rule === 'field-type');
  return isUnreadable ? undefined : (read as DecodedDefinition);
}

class ServerReadPolicy implements FieldReadPolicy {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  enter(): boolean {
    return true;
  }

  scalar(_: Scalar, value: unknown): unknown {
    return value;
  }

  mistyped(shape: Shape, value: unknown, path: Path, reader: FieldReader): unknown {
    if (value === null || value === undefined) return emptyOf(shape);
    if (shape.is === 'items') return this.#noItems(shape.schema(), value, path, reader);
    if (shape.is === 'schema or names') return [];
    const noun = shape.is === 'schema or boolean' ? 'a schema, true or false' : describeType(shape);
    this.#findings.addError(path, `must be ${noun}, got ${show(value)}`, 'field-type');
    return undefined;
  }

  isAbsent(shape: Shape, content: unknown): boolean {
    if (content === undefined) return true;
    if ('pointer' in shape) return false;
    return (
      (shape.is === 'string' && content === '') || (shape.is === 'boolean' && content === false)
    );
  }

  unknown(fields: Fields, _: unknown, path: Path, strict: boolean): void {
    const key = path.at(-1);
    const message = `must be a known field, got ${show(key)}${hintFor(String(key), fields)}`;
    if (strict) return this.#findings.addError(path, message, 'unknown-field');
    this.#findings.addWarning(
      path,
      `${message} (the API server drops it silently)`,
      'ignored-field',
    );
  }

  /** Only warns about a missing boolean: the server's validation reports missing fields. */
  missing(shape: Shape, value: unknown, path: Path): undefined {
    if (shape.is === 'boolean' && (value ?? null) === null) {
      this.#findings.addWarning(path, TAKEN_FOR_FALSE, LEFT_OUT);
    }
  }

  /**
   * Handles a value that is not a schema. A list of schemas is an error of its own; any other value
   * counts as no items.
   */
  #noItems(schema: Shape, value: unknown, path: Path, reader: FieldReader): undefined {
    if (!Array.isArray(value) || value.length === 0) {
      this.#findings.addWarning(path, `must be a schema, got ${show(value)}`, 'ignored-field');
      return;
    }
    this.#findings.addError(path, 'must be one schema for all items, got a list', 'items-list');
    for (const [i, item] of value.entries()) reader.read(schema, item, [...path, i], false);
  }
}

function hintFor(key: string, fields: Fields): string {
  const known = Object.keys(fields);
  const hint = didYouMean(findNearest(key, known));
  if (hint !== '') return hint;
  if (known.length === 0) return '; there is none';
  return known.length > 15 ? '' : `; known: ${known.join(', ')}`;
}

function emptyOf({ is }: Shape): unknown {
  switch (is) {
    case 'struct':
    case 'map':
      return {};
    case 'list':
    case 'schema or names':
      return [];
    case 'string':
    case 'time':
    case 'bytes':
      return '';
    case 'boolean':
      return false;
    case 'json':
      return null;
    default:
      return undefined;
  }
}
