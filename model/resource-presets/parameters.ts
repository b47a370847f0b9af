import type { Finding } from '@tenantry/kube/finding';
import { errorAt, type TenantFinding } from '../findings/tenant-finding.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import { resourceContext, type ParameterSchema } from '../../crds/resources.ts';
import { validateDefinition } from '@tenantry/crd/validation';
import { applyDefaults } from '@tenantry/crd/schema/admission';
import { dropMisspelledRequired } from '@tenantry/crd/schema/validate';
import { compileSchema } from '@tenantry/crd/schema/validator';
import { PLACEHOLDER_NAME } from '../placeholders.ts';

/** What the schema determines about the values of a parameter. */
export interface Parameter {
  readonly name: string;
  /** Whether it may have no value. */
  readonly optional: boolean;
  /** Whether its values are strings, numbers or booleans. */
  readonly scalar: boolean;
}

/** The schema of a preset without parameters. */
const NONE: ParameterSchema = { type: 'object' };

/** The keywords that the schema of all parameters together may have. */
const ROOT = [
  'type',
  'properties',
  'required',
  'x-kubernetes-validations',
  'description',
  'title',
  'example',
  'externalDocs',
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
];

/** Validates the schema of parameters; the paths begin at the schema. */
export function validateParameters(schema: ParameterSchema = NONE): readonly Finding[] {
  if (schema.type !== 'object') {
    return [buildParameterError(['type'], `must be object, got ${show(schema.type)}`)];
  }
  const faults = [...validateAsDefinition(schema), ...validateRootKeys(schema)];
  return faults.length > 0 ? faults : validateNames(schema);
}

/** Lists the parameters of a valid schema. */
export function listParameters(schema: ParameterSchema = NONE): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    optional: !schema.required?.includes(name) && (one.default ?? null) === null,
    scalar:
      one.nullable !== true &&
      (one['x-kubernetes-int-or-string'] === true || SCALARS.has(one.type)),
  }));
}

const SCALARS: ReadonlySet<string | undefined> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
]);

/** The values of parameters by name, or the findings about the given values. */
type ReadValues =
  | { readonly values: ReadonlyMap<string, unknown>; readonly errors?: never }
  | { readonly values?: never; readonly errors: readonly TenantFinding<'parameters'>[] };

/**
 * Reads values and fills in the defaults of their schema. It refuses what only an API server could decide, because no
 * API server validates these values.
 * @param path the path of the values, for findings
 */
export function readValues(
  schema: ParameterSchema = NONE,
  given: Readonly<Record<string, unknown>> = {},
  path: Path,
): ReadValues {
  const values = applyDefaults(schema, given);
  const { errors, notChecked } = compileSchema(schema).check(values, { path });
  const faults = [...dropMisspelledRequired(errors), ...notChecked].map((one) => ({
    ...buildParameterError(one.path, one.message),
    ...(one.atKey && { atKey: true }),
  }));
  if (faults.length > 0 || !isMapping(values)) return { errors: faults };
  return { values: new Map(Object.entries(values)) };
}

function buildParameterError(path: Path, message: string): TenantFinding<'parameters'> {
  return errorAt(path, message, 'parameters');
}

/** The path of the schema in the definition that is validated as an API server would. */
const SCHEMA_PATH: Path = [
  'spec',
  'versions',
  0,
  'schema',
  'openAPIV3Schema',
  'properties',
  'of',
  'items',
];

/**
 * Validates the schema as an API server would in a definition. It is placed below a list, because values there have no
 * previous value. What only the server can decide is an error, because no server validates these values.
 */
function validateAsDefinition(schema: ParameterSchema): readonly Finding[] {
  const { errors, notChecked } = validateDefinition(buildDefinition(schema));
  return [...errors, ...notChecked]
    .filter(({ rule }) => rule !== 'cel-cost')
    .map(({ path, message, rule }) => {
      const isInside = SCHEMA_PATH.every((part, i) => path[i] === part);
      const words = rule === 'cel-old-self' ? NO_OLD_SELF : message;
      return buildParameterError(isInside ? path.slice(SCHEMA_PATH.length) : [], words);
    });
}

const NO_OLD_SELF = 'must not use oldSelf: a value is validated alone, without an old value';

function buildDefinition(schema: ParameterSchema): unknown {
  const of = { type: 'array', 'x-kubernetes-list-type': 'atomic', items: schema };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'presets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Preset', listKind: 'PresetList', plural: 'presets', singular: 'preset' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { of } } },
        },
      ],
    },
  };
}

function validateRootKeys(schema: ParameterSchema): readonly Finding[] {
  const unknown = Object.keys(schema).filter((key) => !ROOT.includes(key));
  return unknown.map((key) => {
    const must = `must be left out: a preset has the parameters in properties, and besides them only ${ROOT.slice(2).join(', ')}`;
    return { ...buildParameterError([key], must), atKey: true };
  });
}

const NAME = new RegExp(PLACEHOLDER_NAME);
const reservedNames: readonly string[] = resourceContext;

/** Validates the names of parameters, which placeholders must be able to contain. */
function validateNames({ properties = {}, required = [] }: ParameterSchema): readonly Finding[] {
  const names = Object.keys(properties);
  const odd = names.flatMap((name) => {
    const must = reservedNames.includes(name)
      ? `must be a name other than ${formatList(reservedNames)}, which are reserved for the place where the objects are rendered`
      : `must be a name that begins with a small letter and goes on with letters and digits, such as 'hosts'`;
    if (NAME.test(name) && !reservedNames.includes(name)) return [];
    return [
      { ...buildParameterError(['properties', name], `${must}, got ${show(name)}`), atKey: true },
    ];
  });
  const missing = required.flatMap((name, i) => {
    if (names.includes(name)) return [];
    const message = `must be one of the properties (${formatList(names) || 'there is none'}), got ${show(name)}`;
    return [buildParameterError(['required', i], message)];
  });
  return [...odd, ...missing];
}
