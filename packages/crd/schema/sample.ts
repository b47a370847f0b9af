import type { Finding } from '@tenantry/kube/finding';
import type { Json } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from './json-schema.ts';
import { listBranches, hasConditions, kindOf } from './sample/branches.ts';
import { buildListSample, buildObjectSample } from './sample/containers.ts';
import { attempt, buildNoSample, NoSample, isValidSample } from './sample/value-for.ts';
import { search } from './sample/search.ts';
import { scalarsFor } from './sample/values.ts';
import { validate } from './validate.ts';

export { NoSample } from './sample/value-for.ts';

/** Options of `sampleValue`. */
export interface SampleOptions {
  /**
   * Whether to fill in every field once, instead of only the required ones. A field that another one forbids (a union,
   * a rule) is left out. @default false
   */
  readonly full?: boolean;
  /** The path of the schema, for messages. @default - the root */
  readonly path?: Path;
}

/**
 * Returns a valid value of a schema, always the same for the same schema. Candidates are the schema's `example`,
 * defaults and the first value of an enum, and otherwise values that fit formats, patterns and bounds. If fields depend
 * on each other, it tries values until the schema's rules are satisfied. It skips examples and defaults that the schema
 * itself refuses.
 *
 * @example
 * ```ts
 * import { integer, object, required, sampleValue, string } from '@tenantry/crd/schema';
 *
 * const schema = object('A box.', {
 *   label: required(string('The text on it.', { example: 'fragile' })),
 *   size: integer('How big.', { minimum: 1 }),
 * });
 * console.log(sampleValue(schema)); // { label: 'fragile' }
 * console.log(sampleValue(schema, { full: true })); // { label: 'fragile', size: 1 }
 * ```
 *
 * @throws {NoSample} where no valid value is found; an invalid one is never returned
 */
export function sampleValue(schema: JSONSchemaProps, options: SampleOptions = {}): Json {
  const { path = [], full = false } = options;
  const value = valueFor(schema, path, full);
  const wrong = validate(schema, value, path)[0];
  if (wrong) throw buildNoSample(wrong.path, `no valid value: ${wrong.message}`);
  return structuredClone(value);
}

/** Returns a valid value for a node of the schema. */
function valueFor(schema: JSONSchemaProps, path: Path, full: boolean): Json {
  const failures: Finding[] = [];
  for (const branch of listBranches(schema)) {
    const made = attempt(() => composed(branch, schema, path, full));
    if (made instanceof NoSample) failures.push(...made.fields);
    else if (made !== undefined && (!hasConditions(schema) || isValidSample(schema, made)))
      return made;
  }
  for (const given of [schema.example, schema.default]) {
    if (given !== undefined && given !== null && isValidSample(schema, given)) return given;
  }
  if (failures.length > 0 && !hasConditions(schema)) throw new NoSample(failures);
  const found = search(schema, path, full, valueFor);
  if ('value' in found) return found.value;
  throw failures.length > 0 ? new NoSample(failures) : buildNoSample(path, found.got);
}

/** Composes a value for a branch of a schema, without validating it; undefined if there is none. */
function composed(
  branch: JSONSchemaProps,
  schema: JSONSchemaProps,
  path: Path,
  full: boolean,
): Json | undefined {
  if (branch.enum) return scalarIn(branch, schema, path);
  switch (kindOf(branch)) {
    case 'object':
      return buildObjectSample(branch, path, full, valueFor);
    case 'list':
      return buildListSample(branch, path, full, valueFor);
    case 'anything':
      return branch.example ?? branch.default ?? {};
    default:
      return scalarIn(branch, schema, path);
  }
}

function scalarIn(branch: JSONSchemaProps, schema: JSONSchemaProps, path: Path): Json | undefined {
  let first: Json | undefined;
  for (const value of scalarsFor(branch)) {
    if (isValidSample(schema, value)) return value;
    first ??= value;
  }
  if (!schema.enum && hasConditions(schema)) return undefined;
  if (!schema.enum && schema.pattern !== undefined) {
    throw buildNoSample(path, `nothing that is known to match the pattern ${schema.pattern}`);
  }
  const wrong = first === undefined ? undefined : validate(schema, first)[0];
  throw buildNoSample(path, wrong ? `no valid value: ${wrong.message}` : 'no valid value');
}
