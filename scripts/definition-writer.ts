/** Writes definitions as TypeScript: a constant for each named type, so that nothing is repeated. */
import { relative } from 'node:path/posix';
import { comment } from '@tenantry/crd/import/comment';
import { camel, propertyName, quoted } from '@tenantry/crd/import/identifiers-and-literals';
import type { Definition } from '@tenantry/crd/definition';
import { nameOf } from '@tenantry/crd/type-name';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { readWords } from '@tenantry/crd/schema/words';
import { isCondition, isLabelSelector } from './type-writer.ts';
import type { PublishedKind } from './published-apis.ts';

/** A kind with the schemas of the fields of its objects. */
export interface NamedKind {
  /** The name of the definition in TypeScript. */
  readonly name: string;
  readonly kind: PublishedKind;
  readonly definition: Definition;
  readonly parts: Readonly<Record<string, JSONSchemaProps>>;
}

/** Returns the lines of a module in a folder with the definitions of these kinds. */
export function renderDefinitions(folder: string, kinds: readonly NamedKind[]): readonly string[] {
  const schemas = new SchemaWriter();
  const definitions = kinds.map((kind) => renderDefinition(kind, schemas));
  const body = [...schemas.constants.values(), ...definitions];
  const inBody = (name: string): boolean => body.some((text) => text.includes(name));
  const functions = ['condition', 'labelSelector'].filter((name) => inBody(`${name}()`));
  return [
    "import { uncheckedDefinition } from '@tenantry/crd/definition';",
    `import { ${functions.join(', ')} } from '@tenantry/crd/schema/language';`,
    inBody('[words]') ? "import { words } from '@tenantry/crd/schema/words';" : '',
    `import { publishedObject } from '${relative(folder, 'model/published-object.ts')}';`,
    "import type * as types from './types.ts';",
    '',
    ...body,
  ];
}

function renderDefinition({ name, kind, definition, parts }: NamedKind, to: SchemaWriter): string {
  const version = definition.versions[kind.version]!;
  const { required = [] } = version.schema;
  const fields = Object.entries(kind.types).map(
    ([field, type]) => `readonly ${field}${required.includes(field) ? '' : '?'}: types.${type};`,
  );
  const schema = to.object(`{ ${fields.join(' ')} }`, { properties: parts, required });
  const { group, plural, shortNames, categories, scope } = definition;
  const names = { group, kind: definition.kind, plural, shortNames, categories, scope };
  const { additionalPrinterColumns } = version;
  const hasStatus = version.subresources.status ?? false;
  const settings = {
    ...(hasStatus !== 'status' in parts && { subresources: { status: hasStatus } }),
    ...(additionalPrinterColumns && { additionalPrinterColumns }),
  };
  return [
    `const ${name}Schema = ${schema};\n\n`,
    comment([kind.about, `@see ${kind.documentation}`], ''),
    `export const ${name} = uncheckedDefinition({ ${formatEntries(names)}`,
    `versions: { ${kind.version}: { schema: ${name}Schema, ${formatEntries(settings)} } } });\n`,
  ].join('');
}

/** Writes schemas, and collects the constants to which they refer. */
class SchemaWriter {
  /** In the order in which they must be declared. */
  readonly constants = new Map<string, string>();

  write(schema: JSONSchemaProps): string {
    if (isLabelSelector(schema)) return 'labelSelector()';
    if (isCondition(schema)) return 'condition()';
    const name = nameOf(schema)?.name;
    if (name === undefined || !schema.properties) return this.#literal(schema);
    const constant = camel(name);
    const text = `const ${constant} = ${this.object(`types.${name}`, schema)};`;
    const before = this.constants.get(name);
    if (before !== undefined && before !== text) {
      throw new Error(`${name} must name one schema, got\n${before}and\n${text}`);
    }
    this.constants.set(name, text);
    return constant;
  }

  /** Writes the schema of an object whose type is named. */
  object(name: string, schema: JSONSchemaProps): string {
    const { type: _, properties = {}, required = [], ...rest } = schema;
    const fields = Object.entries(properties).map(
      ([name, field]) => `${propertyName(name)}: ${this.write(field)}`,
    );
    const settings = this.#entries(rest);
    const last = settings.length > 0 ? `, { ${settings.join(', ')} }` : '';
    return `publishedObject<${name}>(${literal(required)}, { ${fields.join(', ')} }${last})`;
  }

  #entries(schema: JSONSchemaProps): string[] {
    const { description: _, ...settings } = schema;
    return Object.entries(settings).map(([key, value]) => {
      const isSchema =
        key === 'items' || (key === 'additionalProperties' && typeof value === 'object');
      return `${propertyName(key)}: ${isSchema ? this.write(value as JSONSchemaProps) : literal(value)}`;
    });
  }

  #literal(schema: JSONSchemaProps): string {
    const { must } = readWords(schema);
    const { type, ...rest } = schema;
    const entries = this.#entries({ ...(type && { type }), ...rest });
    if (must !== undefined) entries.push(`[words]: { must: ${quoted(must)} }`);
    return `{ ${entries.join(', ')} }`;
  }
}

function formatEntries(values: object): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${propertyName(key)}: ${literal(value)},`)
    .join(' ');
}

/** Returns plain data as an expression, on one line. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{ ${formatEntries(value)} }`;
  return JSON.stringify(value);
}
