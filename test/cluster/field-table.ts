import { builtinNamespaced } from '@tenantry/kube/builtin-kinds';
import type { Client } from '@tenantry/testing/controlplane/client';
import {
  nameIn,
  openApiOf,
  schemasOf,
  type OpenApiDocument,
  type OpenApiSchema,
} from './openapi.ts';

/**
 * The types whose values Kubernetes reads in a special way, whatever its OpenAPI declares. The OpenAPI declares a
 * RawExtension as an object, but an API server accepts any JSON there.
 */
const ownReading: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'any',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'microtime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'any',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'int-or-string',
};

/** The flags for an API server that serves all versions it knows, including the experimental ones. */
export const ALL_VERSIONS: readonly string[] = [
  '--runtime-config=api/all=true',
  '--feature-gates=AllAlpha=true,AllBeta=true',
];

/** The tables of the built-in kinds: one line per type, and one line per list that is merged by keys. */
export interface Tables {
  readonly fields: string;
  readonly lists: string;
}

/** Reads the tables from an API server, in the format of packages/kube/openapi/field-table.ts and list-keys.ts. */
export async function liveTables(client: Client): Promise<Tables> {
  return tablesOf((await openApiOf(client)).values());
}

/** Builds the tables from OpenAPI documents: the namespaced kinds, and the types that they consist of. */
export function tablesOf(documents: Iterable<OpenApiDocument>): Tables {
  const schemas = schemasOf(documents);
  const table = new Table(schemas);
  for (const [name, schema] of schemas) {
    if (kindNameOf(schema)) table.take(name);
  }
  return { fields: table.fields(), lists: table.lists() };
}

/** Returns a name such as `apps/v1/Deployment`; undefined unless the schema is a namespaced built-in kind. */
function kindNameOf(schema: OpenApiSchema): string | undefined {
  const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
  const [one, ...others] = kinds;
  if (!one || others.length > 0) return undefined;
  const { group, version, kind } = one;
  if (!builtinNamespaced.has(`${group}/${kind}`)) return undefined;
  return group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`;
}

class Table {
  readonly #schemas: ReadonlyMap<string, OpenApiSchema>;
  readonly #taken = new Set<string>();

  constructor(schemas: ReadonlyMap<string, OpenApiSchema>) {
    this.#schemas = schemas;
  }

  /** Adds a type and the types of its fields. */
  take(name: string): void {
    if (this.#taken.has(name) || ownReading[name] !== undefined) return;
    this.#taken.add(name);
    for (const field of Object.values(this.#schema(name).properties ?? {})) {
      for (const inner of referred(field)) this.take(inner);
    }
  }

  /** Returns one line per type, with its fields. */
  fields(): string {
    const names = this.#names();
    const lines = [...names].map(([name, short]) => {
      const fields = Object.entries(this.#schema(name).properties ?? {});
      const words = fields.map(([field, schema]) => `${field}:${typeOf(schema, names, name)}`);
      return [short, ...words.toSorted()].join(' ');
    });
    return lines.toSorted().join('\n');
  }

  /** Returns one line per list that server-side apply merges by keys or as a set. */
  lists(): string {
    const lines = [...this.#names()].flatMap(([name, short]) =>
      Object.entries(this.#schema(name).properties ?? {}).flatMap(([field, schema]) => {
        const keys = keysOf(schema, (item) => this.#schema(item));
        return keys ? [[short, field, ...keys].join(' ')] : [];
      }),
    );
    return lines.toSorted().join('\n');
  }

  /**
   * Returns the name of each type. A kind has its apiVersion in its name; another type uses its own name if it is
   * unique.
   */
  #names(): Map<string, string> {
    const own = (name: string): string => name.split('.').at(-1)!;
    const byName = Map.groupBy(this.#taken, own);
    return new Map(
      [...this.#taken].map((name) => {
        const isAlone = byName.get(own(name))!.length === 1;
        const short = isAlone ? own(name) : name.split('.').slice(-3).join('.');
        return [name, kindNameOf(this.#schema(name)) ?? short];
      }),
    );
  }

  #schema(name: string): OpenApiSchema {
    const schema = this.#schemas.get(name);
    if (schema?.type !== 'object')
      throw new Error(`${name} must be an object, got ${schema?.type}`);
    return schema;
  }
}

function referred(schema: OpenApiSchema): string[] {
  const name = nameIn(schema);
  if (name !== undefined) return [name];
  const inner = schema.items ?? schema.additionalProperties;
  return inner ? referred(inner) : [];
}

/**
 * Returns the keys of a list, each with the default for items that leave it out; `*` for a set. Returns undefined for
 * a list that is replaced as a whole.
 * Source: k8s.io/kube-openapi/pkg/schemaconv
 */
function keysOf(
  schema: OpenApiSchema,
  typeNamed: (name: string) => OpenApiSchema,
): readonly string[] | undefined {
  const listType = schema['x-kubernetes-list-type'];
  // Without a list type the patch strategy would apply. No schema has the strategy alone.
  if (schema['x-kubernetes-patch-strategy']?.includes('merge') && listType === undefined) {
    throw new Error(`${JSON.stringify(schema)} must say x-kubernetes-list-type`);
  }
  if (schema.type !== 'array' || listType === undefined || listType === 'atomic') return undefined;
  if (listType === 'set') return ['*'];
  const { items = {} } = schema;
  const item = nameIn(items);
  const { properties = {}, required = [] } = item === undefined ? items : typeNamed(item);
  return schema['x-kubernetes-list-map-keys']!.map((key) => {
    const { default: value } = properties[key] ?? {};
    // An optional empty value is left out of answers, so readers see no default for it.
    const counts = value !== undefined && (value !== '' || required.includes(key));
    return counts ? `${key}=${JSON.stringify(value)}` : key;
  });
}

const scalars: Readonly<Record<string, string>> = {
  'string ': 'string',
  'string byte': 'bytes',
  'boolean ': 'boolean',
  'integer int32': 'int32',
  'integer int64': 'int64',
  'number double': 'number',
};

function typeOf(schema: OpenApiSchema, names: ReadonlyMap<string, string>, within: string): string {
  const name = nameIn(schema);
  const known = name === undefined ? undefined : (ownReading[name] ?? names.get(name));
  if (known !== undefined) return known;
  const { type, format = '', items, additionalProperties } = schema;
  if (type === 'array' && items) return `[]${typeOf(items, names, within)}`;
  if (type === 'object' && additionalProperties) {
    return `{}${typeOf(additionalProperties, names, within)}`;
  }
  const scalar = scalars[`${type} ${format}`];
  if (scalar !== undefined) return scalar;
  throw new Error(`${within} must have fields of known types, got ${JSON.stringify(schema)}`);
}

/** Returns the content of the file that holds the table of fields, for a version such as 1.36.3. */
export function fieldTableFile(table: string, version: string): string {
  return `// Generated by \`npm run gen:fields\` from the OpenAPI of an API server of Kubernetes ${version}.
/**
 * The fields of Kubernetes' own namespaced kinds, and of the types that they consist of.
 * Each line is a type with its fields and their types. A kind has its apiVersion in its name.
 * \`[]\` is a list of, \`{}\` a map of; \`bytes\` are base64, \`any\` is any JSON.
 * The table does not list which fields are required.
 * Source: https://github.com/kubernetes/kubernetes/tree/v${version}/api/openapi-spec/v3
 */
export const fieldTable: string = \`
${table}
\`;
`;
}

/** Returns the content of the file that holds the table of lists, for a version such as 1.36.3. */
export function listKeysFile(table: string, version: string): string {
  return `// Generated by \`npm run gen:fields\` from the OpenAPI of an API server of Kubernetes ${version}.
/**
 * The lists in Kubernetes' own namespaced kinds whose items server-side apply merges one by one.
 * Each line is a type, as the table of fields names it, a field, and the keys that identify its items.
 * Each key has the default for items that leave it out; \`*\` means that the value of an item identifies it.
 * An empty default of an optional field does not count: answers of a server lack it.
 * Source: https://github.com/kubernetes/kubernetes/tree/v${version}/api/openapi-spec/v3
 */
export const listKeys: string = \`
${table}
\`;
`;
}
