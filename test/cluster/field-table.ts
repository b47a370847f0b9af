import { builtinNamespaced } from '../../kube/builtin-kinds.ts';
import type { Client } from '../../testing/controlplane/client.ts';
import {
  nameIn,
  openApiOf,
  schemasOf,
  type OpenApiDocument,
  type OpenApiSchema,
} from './openapi.ts';

/**
 * The types whose values Kubernetes reads in a way of its own, whatever its OpenAPI says of them.
 * A RawExtension is an object by its OpenAPI, and an API server takes any JSON there.
 */
const ownReading: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'any',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'microtime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'any',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'int-or-string',
};

/** Flags of an API server that serves all versions that it knows, the experimental ones too. */
export const ALL_VERSIONS: readonly string[] = [
  '--runtime-config=api/all=true',
  '--feature-gates=AllAlpha=true,AllBeta=true',
];

/** What is said of Kubernetes' own kinds: a line a type, and a line a list that is merged by keys. */
export interface Tables {
  readonly fields: string;
  readonly lists: string;
}

/** What an API server says of its kinds, as kube/openapi/field-table.ts and list-keys.ts have it. */
export async function liveTables(client: Client): Promise<Tables> {
  return tablesOf((await openApiOf(client)).values());
}

/** The same of what it serves: the kinds that lie in namespaces, and the types that they are made of. */
export function tablesOf(documents: Iterable<OpenApiDocument>): Tables {
  const schemas = schemasOf(documents);
  const table = new Table(schemas);
  for (const [name, schema] of schemas) {
    if (kindNameOf(schema)) table.take(name);
  }
  return { fields: table.fields(), lists: table.lists() };
}

/** `apps/v1/Deployment`; undefined for what is no kind of Kubernetes' own that lies in namespaces. */
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

  /** Takes a type, and those of its fields. */
  take(name: string): void {
    if (this.#taken.has(name) || ownReading[name] !== undefined) return;
    this.#taken.add(name);
    for (const field of Object.values(this.#schema(name).properties ?? {})) {
      for (const inner of referred(field)) this.take(inner);
    }
  }

  /** A line a type, with its fields. */
  fields(): string {
    const names = this.#names();
    const lines = [...names].map(([name, short]) => {
      const fields = Object.entries(this.#schema(name).properties ?? {});
      const words = fields.map(([field, schema]) => `${field}:${typeOf(schema, names, name)}`);
      return [short, ...words.toSorted()].join(' ');
    });
    return lines.toSorted().join('\n');
  }

  /** A line a list that server-side apply merges by keys, or as a set. */
  lists(): string {
    const lines = [...this.#names()].flatMap(([name, short]) =>
      Object.entries(this.#schema(name).properties ?? {}).flatMap(([field, schema]) => {
        const keys = keysOf(schema, (item) => this.#schema(item));
        return keys ? [[short, field, ...keys].join(' ')] : [];
      }),
    );
    return lines.toSorted().join('\n');
  }

  /** A kind is called by its apiVersion, another type by its own name where no other has that. */
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
 * The keys of a list, each with the default that counts where an item leaves it out; of a set `*`.
 * Undefined for what is replaced whole.
 * Source: k8s.io/kube-openapi/pkg/schemaconv
 */
function keysOf(
  schema: OpenApiSchema,
  typeNamed: (name: string) => OpenApiSchema,
): readonly string[] | undefined {
  const listType = schema['x-kubernetes-list-type'];
  // Without a type of the list its strategy for patches would count. None has that alone.
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
    // What may be left out and is empty is left out of answers: to readers it has no default.
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

/** The file that holds the table of fields, of a version such as 1.36.3. */
export function fieldTableFile(table: string, version: string): string {
  return `// Written by \`npm run gen:fields\` from the OpenAPI of an API server of Kubernetes ${version}.
/**
 * The fields of Kubernetes' own kinds that lie in namespaces, and of the types that they are made of.
 * A line is a type, a kind under its apiVersion, with its fields and their types: \`[]\` is a list of,
 * \`{}\` a map of; \`bytes\` are base64, \`any\` is any JSON. Which fields must be there it does not say.
 * Source: https://github.com/kubernetes/kubernetes/tree/v${version}/api/openapi-spec/v3
 */
export const fieldTable: string = \`
${table}
\`;
`;
}

/** The file that holds the table of lists, of a version such as 1.36.3. */
export function listKeysFile(table: string, version: string): string {
  return `// Written by \`npm run gen:fields\` from the OpenAPI of an API server of Kubernetes ${version}.
/**
 * The lists in Kubernetes' own kinds that lie in namespaces of which server-side apply merges the items
 * one by one. A line is a type, as the table of fields names it, a field and the keys by which its items
 * are told apart, with the default that counts where an item leaves it out; \`*\` are items that stand
 * for themselves. An empty default of a field that may be left out is none: answers of a server lack it.
 * Source: https://github.com/kubernetes/kubernetes/tree/v${version}/api/openapi-spec/v3
 */
export const listKeys: string = \`
${table}
\`;
`;
}
