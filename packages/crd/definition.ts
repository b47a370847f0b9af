import type {
  CustomResourceConversion,
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
} from './custom-resource-definition.ts';
import { InvalidInput } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from './schema/json-schema.ts';
import { openApi } from './schema/words.ts';

/** The schemas of the versions, by name. */
export type Schemas = Readonly<Record<string, JSONSchemaProps>>;

/** One version of a kind as it is declared. */
export interface VersionProps<S extends JSONSchemaProps = JSONSchemaProps> {
  /**
   * The schema of the whole object, as `object(description, { spec, status })`. apiVersion, kind
   * and metadata are added. A field `metadata` may restrict the name and nothing else.
   */
  readonly schema: S;
  /** Whether the API server serves it. @default true */
  readonly served?: boolean;
  /** Whether it is the storage version; exactly one version is. @default - true if there is one version */
  readonly storage?: boolean;
  /** Whether the API server warns its clients. @default false */
  readonly deprecated?: boolean;
  /** The text of the warning. @default - the API server's own */
  readonly deprecationWarning?: string;
  /** @default - status, also beside scale, if the schema has a field `status`; no scale */
  readonly subresources?: { readonly status?: boolean; readonly scale?: ScaleSubresource };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  /** The fields that field selectors may name, such as `.spec.color`; at most 8. */
  readonly selectableFields?: readonly string[];
}

/** One version of a kind. */
export interface Version<S extends JSONSchemaProps = JSONSchemaProps> extends VersionProps<S> {
  readonly name: string;
  /** `group/version`. */
  readonly apiVersion: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources: { readonly status?: boolean; readonly scale?: ScaleSubresource };
}

/** The names and the scope of a kind, and the conversion between its versions. */
export interface KindNames extends CustomResourceDefinitionNames {
  readonly group: string;
  readonly scope: 'Cluster' | 'Namespaced';
  /** Labels and annotations of the CustomResourceDefinition itself. */
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  /** How the API server converts between versions. @default - it only changes apiVersion */
  readonly conversion?: CustomResourceConversion;
}

/** The declaration of a custom resource, with a typed schema for each version. */
export interface DefinitionProps<
  S extends Schemas = Schemas,
  Group extends string = string,
  Name extends string = string,
> extends KindNames {
  readonly group: Group;
  readonly kind: Name;
  readonly versions: { readonly [N in keyof S]: VersionProps<S[N]> };
}

/**
 * A custom resource, from which everything else is derived. The compiler knows the literal types of
 * group and kind, so it distinguishes kinds.
 */
export interface Definition<
  S extends Schemas = Schemas,
  Group extends string = string,
  Name extends string = string,
> extends KindNames {
  readonly group: Group;
  readonly kind: Name;
  /** In the order of their declaration. */
  readonly versions: { readonly [N in keyof S]: Version<S[N]> };
}

/**
 * Builds a definition from its declaration, with defaults filled in. It is not validated, so that
 * it costs nothing at startup. Use `define` instead, except for our own kinds, which the tests
 * validate.
 */
export function uncheckedDefinition<
  const S extends Schemas,
  Group extends string,
  Name extends string,
>(props: DefinitionProps<S, Group, Name>): Definition<S, Group, Name> {
  const entries = Object.entries(props.versions as Readonly<Record<string, VersionProps>>);
  const versions = entries.map(([name, version]): [string, Version] => {
    const schema = rootOf(version.schema);
    return [
      name,
      {
        ...version,
        name,
        apiVersion: `${props.group}/${name}`,
        schema,
        served: version.served ?? true,
        storage: version.storage ?? entries.length === 1,
        subresources: {
          ...version.subresources,
          status: version.subresources?.status ?? 'status' in (schema.properties ?? {}),
        },
      },
    ];
  });
  const { kind } = props;
  return {
    ...props,
    singular: props.singular ?? kind.toLowerCase(),
    listKind: props.listKind ?? `${kind}List`,
    versions: Object.fromEntries(versions) as Definition<S>['versions'],
  };
}

/**
 * Returns the schema of a whole object, with apiVersion, kind and metadata. A schema can restrict
 * them very little.
 */
function rootOf(schema: JSONSchemaProps): JSONSchemaProps {
  const { metadata, ...fields } = schema.properties ?? {};
  return {
    ...schema,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { ...metadata, type: 'object' },
      ...fields,
    },
  };
}

/**
 * Returns the definition that a CustomResourceDefinition contains, with the types that are known of
 * it. `crdManifest` converts it to an equivalent manifest for the API server. The definition is not
 * validated.
 *
 * @example
 * ```ts
 * import { crdManifest, definitionOf } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const read = definitionOf(crdManifest(redis));
 * console.log(read.kind, Object.keys(read.versions)); // Redis [ 'v1' ]
 * ```
 *
 * @throws {InvalidInput} where two versions have one name
 */
export function definitionOf<S extends Schemas = Schemas>(
  manifest: CustomResourceDefinitionManifest,
): Definition<S> {
  const { group, names, scope, conversion } = manifest.spec;
  const { labels, annotations } = manifest.metadata;
  const versions = new Map<string, Version>();
  for (const [i, version] of manifest.spec.versions.entries()) {
    const { name, schema, subresources, selectableFields, ...rest } = version;
    if (versions.has(name)) {
      const path = `spec.versions[${i}].name`;
      const message = `must be a version of its own, got '${name}' again`;
      throw new InvalidInput([{ path, message, rule: 'versions-unique' }]);
    }
    versions.set(name, {
      ...rest,
      name,
      apiVersion: `${group}/${name}`,
      schema: schema?.openAPIV3Schema ?? {},
      subresources: { ...subresources, status: subresources?.status !== undefined },
      ...(selectableFields && { selectableFields: selectableFields.map((one) => one.jsonPath) }),
    });
  }
  return {
    group,
    ...names,
    scope,
    ...((labels ?? annotations) && {
      metadata: { ...(labels && { labels }), ...(annotations && { annotations }) },
    }),
    ...(conversion && { conversion }),
    versions: Object.fromEntries(versions) as unknown as Definition<S>['versions'],
  };
}

/**
 * Returns the versions of a definition, in the order of their declaration.
 *
 * @example
 * ```ts
 * import { listVersions } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * console.log(listVersions(redis).map(({ apiVersion }) => apiVersion)); // [ 'cache.example.com/v1' ]
 * ```
 */
export function listVersions(definition: Definition): Version[] {
  return Object.values(definition.versions);
}

/**
 * Returns one version of a definition.
 * @throws {Error} if there is no such version; the compiler cannot check this for a definition from
 * YAML
 */
export function getVersion<S extends Schemas, N extends keyof S & string>(
  { kind, versions }: Definition<S>,
  name: N,
): Version<S[N]> {
  if (Object.hasOwn(versions, name)) return versions[name];
  const known = Object.keys(versions).join(', ');
  throw new Error(`The version of ${kind} must be one of ${known}, got ${name}`);
}

/**
 * Returns the CustomResourceDefinition (apiextensions.k8s.io/v1) as a copy that shares nothing.
 *
 * @example
 * ```ts
 * import { emitYaml } from 'tenantry';
 * import { crdManifest } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const [first] = emitYaml([crdManifest(redis)]).split('\n');
 * console.log(first); // apiVersion: apiextensions.k8s.io/v1
 * ```
 */
export function crdManifest(definition: Definition): CustomResourceDefinitionManifest {
  const { group, kind, plural, singular, listKind, shortNames, categories } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...structuredClone(definition.metadata) },
    spec: {
      group,
      names: {
        kind,
        ...(listKind !== undefined && { listKind }),
        plural,
        ...(singular !== undefined && { singular }),
        ...(shortNames && { shortNames: [...shortNames] }),
        ...(categories && { categories: [...categories] }),
      },
      scope: definition.scope,
      ...(definition.conversion && { conversion: structuredClone(definition.conversion) }),
      versions: listVersions(definition).map(versionManifest),
    },
  };
}

function versionManifest(version: Version): CustomResourceDefinitionVersion {
  const { name, served, storage, deprecated, deprecationWarning, schema } = version;
  const { additionalPrinterColumns, selectableFields } = version;
  const { status = false, scale } = version.subresources;
  return {
    name,
    served,
    storage,
    ...(deprecated !== undefined && { deprecated }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    schema: { openAPIV3Schema: openApi(schema) },
    ...((status || scale) && {
      subresources: { ...(status && { status: {} }), ...(scale && { scale: { ...scale } }) },
    }),
    ...(additionalPrinterColumns && {
      additionalPrinterColumns: structuredClone(additionalPrinterColumns),
    }),
    ...(selectableFields && {
      selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })),
    }),
  };
}
