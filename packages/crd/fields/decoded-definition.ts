import type { Findings } from '@tenantry/kube/finding';
import { didYouMean, findNearest, show, type Path } from '@tenantry/kube/problem';
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
} from '../custom-resource-definition.ts';
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

/*
 * A definition as `readAsServer` gives it: every field of the right type, and any of them absent. A mapping
 * that the manifest leaves out is absent too.
 */

export interface DecodedMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly DecodedOwner[];
  readonly finalizers?: readonly string[];
}

export interface DecodedOwner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

/** A part of the manifest as the server decodes it: schemas as they are, everything else of any content. */
type Decoded<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Decoded<Item>[]
    : T extends object
      ? { readonly [K in keyof T]?: K extends 'openAPIV3Schema' ? T[K] : Decoded<T[K]> }
      : T;

export type DecodedNames = Decoded<CustomResourceDefinitionNames>;
export type DecodedScale = Decoded<ScaleSubresource>;
export type DecodedColumn = Decoded<PrinterColumn>;
export type DecodedVersion = Decoded<CustomResourceDefinitionVersion>;
export type DecodedSubresources = NonNullable<DecodedVersion['subresources']>;

export interface DecodedConversion {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: {
        readonly namespace?: string;
        readonly name?: string;
        readonly path?: string;
        readonly port?: number;
      };
      readonly caBundle?: string | readonly number[];
    };
    readonly conversionReviewVersions?: readonly string[];
  };
}

export interface DecodedSpec extends Omit<Decoded<CustomResourceDefinitionSpec>, 'conversion'> {
  readonly conversion?: DecodedConversion;
}

export interface DecodedDefinition {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: DecodedMeta;
  readonly spec?: DecodedSpec;
  readonly status?: { readonly storedVersions?: readonly string[] };
}

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
    this.#findings.addWrong(path, `be ${noun}`, value, 'field-type');
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
