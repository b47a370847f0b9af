import { join, relative } from 'node:path/posix';
import { format, resolveConfig } from 'prettier';
import { root } from '../structure/tracked.ts';
import { nameIn, schemasOf, type OpenApiDocument, type OpenApiSchema } from './openapi.ts';

/** The versions whose kinds and types are generated, each in modules named after its Go package. */
const versions: Readonly<Record<string, string>> = {
  'api/v1': 'core',
  'apis/admissionregistration.k8s.io/v1': 'admissionregistration',
  'apis/apiextensions.k8s.io/v1': 'apiextensions',
  'apis/apiregistration.k8s.io/v1': 'apiregistration',
  'apis/apps/v1': 'apps',
  'apis/authentication.k8s.io/v1': 'authentication',
  'apis/authorization.k8s.io/v1': 'authorization',
  'apis/autoscaling/v2': 'autoscaling',
  'apis/batch/v1': 'batch',
  'apis/certificates.k8s.io/v1': 'certificates',
  'apis/coordination.k8s.io/v1': 'coordination',
  'apis/discovery.k8s.io/v1': 'discovery',
  'apis/events.k8s.io/v1': 'events',
  'apis/networking.k8s.io/v1': 'networking',
  'apis/node.k8s.io/v1': 'node',
  'apis/policy/v1': 'policy',
  'apis/rbac.authorization.k8s.io/v1': 'rbac',
  'apis/scheduling.k8s.io/v1': 'scheduling',
  'apis/storage.k8s.io/v1': 'storage',
};

/** The folder of the types, below all code that uses objects, and that of the kinds, which are runtime values. */
const TYPES = 'kube/api';
const KINDS = 'runtime/kinds';

/** The group whose types refer to a layer above `TYPES`: its types stay next to its kinds. */
const ABOVE = 'apiextensions';

/** Types with a JSON representation of their own, and types that are written by hand. */
const known: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'unknown',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': 'WrittenMeta',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'string',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'unknown',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'number | string',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'unknown',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps': 'JSONSchemaProps',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray':
    'JSONSchemaProps | JSONSchemaProps[]',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool':
    'JSONSchemaProps | boolean',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray':
    'JSONSchemaProps | string[]',
};

/** The modules of the types that are imported rather than generated. */
const imported: Readonly<Record<string, string>> = {
  WrittenMeta: `${TYPES}/object-meta.ts`,
  JSONSchemaProps: 'schema/json-schema.ts',
};

/** A resource, from a path such as `/apis/apps/v1/namespaces/{namespace}/deployments`. */
interface Resource {
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

/** Generates the modules of Kubernetes' own kinds and their types, by path. */
export async function kindModules(
  documents: ReadonlyMap<string, OpenApiDocument>,
  minor: string,
): Promise<Map<string, string>> {
  const schemas = schemasOf(documents.values());
  const modules = new Map(Object.values(versions).map((name) => [name, new Module(name)]));
  modules.set('meta', new Module('meta'));
  const writer = new Writer(schemas, modules);
  for (const [path, name] of Object.entries(versions)) {
    const document = documents.get(path);
    if (!document) throw new Error(`the API server must serve ${path}`);
    for (const [kind, resource] of resourcesOf(path, document)) {
      writer.kind(name, path, kind, resource);
    }
  }
  const options = { ...(await resolveConfig(join(root, 'index.ts'))), parser: 'typescript' };
  const files = [...modules.values()]
    .flatMap((module) => module.files())
    .map(async ({ path, lines }): Promise<[string, string]> => {
      const note = `// Written by \`npm run gen:kinds\` from the OpenAPI of an API server of Kubernetes ${minor}.`;
      return [path, await format([note, ...lines].join('\n\n'), options)];
    });
  return new Map(await Promise.all(files));
}

/** Returns the kinds that a version serves as collections, with their scope. */
function resourcesOf(version: string, document: OpenApiDocument): Map<string, Resource> {
  const found = new Map<string, Resource>();
  const collection = new RegExp(
    `^/${version}(?<namespaced>/namespaces/\\{namespace\\})?/(?<plural>[a-z]+)$`,
  );
  for (const [path, { post }] of Object.entries(document.paths ?? {})) {
    const kind = post?.['x-kubernetes-group-version-kind']?.kind;
    const { namespaced, plural } = collection.exec(path)?.groups ?? {};
    if (kind === undefined || plural === undefined) continue;
    found.set(kind, { plural, scope: namespaced === undefined ? 'Cluster' : 'Namespaced' });
  }
  return found;
}

interface ModuleFile {
  readonly path: string;
  readonly lines: readonly string[];
}

class Module {
  /** The folder of its types. */
  readonly folder: string;
  readonly types = new Map<string, string>();
  readonly kinds = new Map<string, string>();
  readonly #name: string;
  readonly #imports = new Map<string, Set<string>>();

  constructor(name: string) {
    this.#name = name;
    this.folder = name === ABOVE ? KINDS : TYPES;
  }

  /** @param from the path of a module */
  import(type: string, from: string): void {
    const names = this.#imports.get(from) ?? new Set();
    this.#imports.set(from, names.add(type));
  }

  get path(): string {
    return `${this.folder}/${this.#name}.ts`;
  }

  files(): ModuleFile[] {
    const types = [...this.#written(), ...sorted(this.types)];
    if (this.kinds.size === 0) return [{ path: this.path, lines: types }];
    const kindImport = "import type { Kind } from './kind.ts';";
    const kinds = sorted(this.kinds);
    if (this.folder === KINDS)
      return [
        {
          path: this.path,
          lines: [kindImport, ...this.#written(), ...kinds, ...sorted(this.types)],
        },
      ];
    const path = `${KINDS}/${this.#name}.ts`;
    const from = specifier(KINDS, this.path);
    // The exported name hides the imported type, so the type of each kind is exported as well.
    const both = [...this.kinds.keys()]
      .toSorted()
      .map((kind) => `export type ${kind} = api.${kind};`);
    return [
      { path: this.path, lines: types },
      {
        path,
        lines: [
          `import type * as api from '${from}';`,
          kindImport,
          `export type * from '${from}';`,
          ...kinds,
          both.join('\n'),
        ],
      },
    ];
  }

  /** Returns the import lines, sorted by module. */
  #written(): string[] {
    return [...this.#imports]
      .map(([from, names]) => [specifier(this.folder, from), [...names].toSorted()] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => `import type { ${names.join(', ')} } from '${from}';`);
  }
}

/** Returns the specifier by which a module in a folder imports the module at a path. */
function specifier(folder: string, path: string): string {
  const from = relative(folder, path);
  return from.startsWith('.') ? from : `./${from}`;
}

/** Returns the texts sorted by their keys. */
function sorted(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}

class Writer {
  readonly #schemas: ReadonlyMap<string, OpenApiSchema>;
  readonly #modules: ReadonlyMap<string, Module>;

  constructor(schemas: ReadonlyMap<string, OpenApiSchema>, modules: ReadonlyMap<string, Module>) {
    this.#schemas = schemas;
    this.#modules = modules;
  }

  /** Writes a kind as a value, and the type of its objects under the same name. */
  kind(moduleName: string, path: string, kind: string, { plural, scope }: Resource): void {
    const [group, version] = path.startsWith('api/')
      ? ['', path.slice(4)]
      : path.split('/').slice(1);
    const name = [...this.#schemas].find(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (one) => one.group === group && one.version === version && one.kind === kind,
      ),
    )?.[0];
    if (name === undefined) throw new Error(`${path} must define what a ${kind} is`);
    const module = this.#modules.get(moduleName)!;
    const value = { group, version, kind, plural, scope };
    module.kinds.set(
      kind,
      `${comment(this.#schemas.get(name)!.description)}export const ${kind}: Kind<${kind}, '${group}', '${kind}'> = ${JSON.stringify(value)};`,
    );
    this.#type(name);
  }

  /** Writes a type to its module, together with all types that it consists of, and returns its module and name. */
  #type(name: string): { readonly module: Module; readonly type: string } {
    const type = name.split('.').at(-1)!;
    const module = this.#modules.get(name.split('.').at(-3)!);
    if (!module) throw new Error(`${name} is of a package that no module is named after`);
    if (module.types.has(type)) return { module, type };
    module.types.set(type, '');
    const {
      description,
      properties = {},
      required = [],
      type: kindOfType,
    } = this.#schemas.get(name)!;
    if (kindOfType !== 'object') throw new Error(`${name} must be an object, got ${kindOfType}`);
    const isKind = this.#schemas.get(name)?.['x-kubernetes-group-version-kind'] !== undefined;
    const fields = Object.entries(properties)
      .filter(([field]) => !isKind || !['apiVersion', 'kind', 'metadata'].includes(field))
      .map(([field, schema]) => {
        const mark = required.includes(field) ? '' : '?';
        const key = /^[A-Za-z]\w*$/.test(field) ? field : JSON.stringify(field);
        return `${comment(schema.description)}${key}${mark}: ${this.#written(schema, module, name)};`;
      });
    module.types.set(
      type,
      `${isKind ? '' : comment(description)}export interface ${type} {\n${fields.join('\n')}\n}`,
    );
    return { module, type };
  }

  #written(schema: OpenApiSchema, within: Module, of: string): string {
    const name = nameIn(schema);
    if (name !== undefined) return this.#referred(name, within);
    const { type, items, additionalProperties, enum: values } = schema;
    if (type === 'array' && items) {
      const item = this.#written(items, within, of);
      return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
    }
    if (type === 'object') {
      if (!additionalProperties) return 'Record<string, unknown>';
      return `Record<string, ${this.#written(additionalProperties, within, of)}>`;
    }
    if (type === 'string')
      return values ? values.map((one) => JSON.stringify(one)).join(' | ') : 'string';
    if (type === 'boolean') return 'boolean';
    if (type === 'integer' || type === 'number') return 'number';
    throw new Error(`${of} must have fields of known types, got ${JSON.stringify(schema)}`);
  }

  #referred(name: string, within: Module): string {
    const own = known[name];
    if (own !== undefined) {
      for (const [type, from] of Object.entries(imported)) {
        if (new RegExp(`\\b${type}\\b`).test(own)) within.import(type, from);
      }
      return own;
    }
    const { module, type } = this.#type(name);
    if (module !== within) within.import(type, module.path);
    return type;
  }
}

/** Builds a comment from the first sentence, which defines the field; the details are in the documentation. */
function comment(description = ''): string {
  const text = description.replaceAll(/\s+/g, ' ').replaceAll('*/', '').trim();
  const [sentence] = /^.*?(?<!\b(?:i\.e|e\.g|etc|vs))[.!](?=\s+[A-Z]|$)/.exec(text) ?? [text];
  return sentence === '' ? '' : `/** ${sentence} */\n`;
}
