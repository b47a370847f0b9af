/** CEL in schemas: the names of fields in rules, and the rules about the presence of fields. */
import type { JSONSchemaProps, ValidationRule } from '../json-schema.ts';
import { mandatory } from './static.ts';

/** Words that CEL reserves. */
const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package ' +
    'namespace return var void while'
  ).split(' '),
);

const written: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * Returns the name of a property in the CEL rules of a CustomResourceDefinition: `self.max__dash__size` for `max-size`.
 * Returns undefined if rules cannot name it.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#escaping
 */
export function celName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (reserved.has(property)) return `__${property}__`;
  return property.replaceAll(/__|[./-]/g, (part) => written[part]!);
}

/**
 * Makes a value immutable after its creation. A field of `object()` can be neither added nor removed later, as long as
 * its object exists. For an item or an entry, only the value is immutable.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#transition-rules
 *
 * @example
 * ```ts
 * import { immutable, object, required, string } from '@tenantry/crd/schema';
 *
 * const spec = object('The desired state.', {
 *   region: required(immutable(string('Where it runs.', { maxLength: 63 }))),
 * });
 * const { region } = spec.properties!;
 * console.log(region?.['x-kubernetes-validations']?.[0]?.rule); // self == oldSelf
 * ```
 */
export function immutable<S extends JSONSchemaProps>(schema: S): S {
  const rules = schema['x-kubernetes-validations'] ?? [];
  return { ...schema, 'x-kubernetes-validations': [...rules, keepsItsValue] };
}

const keepsItsValue: ValidationRule = { rule: 'self == oldSelf', message: 'must not change' };

/** Builds the CEL that controller-gen writes for unions, with Tenantry's message. */
export function unionRule(
  fields: readonly string[] | undefined,
  howMany: string,
  inWords: string,
): ValidationRule[] {
  if (!fields) return [];
  const present = fields.map((name) => `has(self.${named(name)})`).join(',');
  return [
    {
      rule: `[${present}].filter(x,x==true).size() ${howMany}`,
      message: `must have ${inWords} of ${fields.join(', ')}`,
    },
  ];
}

/** Builds rules against adding and removing an optional immutable field. */
export function buildPresenceRules([name, field]: [string, JSONSchemaProps]): ValidationRule[] {
  if (!field['x-kubernetes-validations']?.includes(keepsItsValue) || mandatory in field) return [];
  const has = `has(self.${named(name)}) == has(oldSelf.${named(name)})`;
  const message = 'must be neither added nor taken away later';
  return [{ rule: has, message, fieldPath: `.${name}` }];
}

function named(property: string): string {
  const name = celName(property);
  if (name !== undefined) return name;
  throw new Error(
    `must be a name that CEL can express (letters, digits, _ . - /), got '${property}'`,
  );
}
