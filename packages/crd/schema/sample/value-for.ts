import type { Json } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../json-schema.ts';
import { validate } from '../validate.ts';
import { errorAt, formatFinding, type Finding } from '@tenantry/kube/finding';

/** Returns a valid value for a node of the schema, with all of its fields if it is `full`. Throws NoSample. */
export type ValueFor = (schema: JSONSchemaProps, path: Path, full: boolean) => Json;

export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isValidSample(schema: JSONSchemaProps, value: Json): boolean {
  return validate(schema, value).length === 0;
}

/** No valid value was found: an `example` at the named fields helps. */
export class NoSample extends Error {
  /** Every field without a value: `must have an example, got ...`, with the rule `example`. */
  readonly fields: readonly Finding[];

  constructor(fields: readonly Finding[]) {
    super(fields.map(formatFinding).join('\n'));
    this.name = 'NoSample';
    this.fields = fields;
  }
}

export function buildNoSample(path: Path, got: string): NoSample {
  return new NoSample([errorAt(path, `must have an example, got ${got}`, 'example')]);
}

/** Returns the result of `make`, or the reason why there is no sample. */
export function attempt<T>(make: () => T): T | NoSample {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoSample) return error;
    throw error;
  }
}
