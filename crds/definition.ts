import type {
  CustomResourceConversion,
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
} from './custom-resource-definition.ts';
import { InvalidInput } from '../kube/problem.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { openApi } from '../schema/openapi.ts';

/** The schema of each version, by its name. */
export type Schemas = Readonly<Record<string, JSONSchemaProps>>;

/** What one version of a kind says, as it is written. */
export interface VersionProps<S extends JSONSchemaProps = JSONSchemaProps> {
  /**
   * The whole object, as `object(description, { spec, status })`. apiVersion, kind and metadata are
   * added; a field `metadata` may bound the name, and nothing else.
   */
  readonly schema: S;
  /** Whether the API server offers it. @default true */
  readonly served?: boolean;
  /** Whether objects are stored in it; exactly one is. @default - true where there is one version */
  readonly storage?: boolean;
  /** Whether clients are warned. @default false */
  readonly deprecated?: boolean;
  /** The warning. @default - the API server's own */
  readonly deprecationWarning?: string;
  /** @default - status (also beside scale), where the schema has a field `status`; no scale */
  readonly subresources?: { readonly status?: boolean; readonly scale?: ScaleSubresource };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  /** Such as `.spec.color`: fields that field selectors may name, at most 8. */
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

/** What a kind is called, where its objects lie, and how its versions become each other. */
export interface KindNames {
  readonly group: string;
  readonly kind: string;
  /** The name in paths: lower case, and never guessed. */
  readonly plural: string;
  /** @default - the kind in lower case */
  readonly singular?: string;
  /** @default - the kind with `List` at the end */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  /** Such as `all`: groups of kinds that `kubectl get` knows. */
  readonly categories?: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  /** Labels and annotations of the CustomResourceDefinition itself. */
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  /** How the API server converts between versions. @default - it only changes apiVersion */
  readonly conversion?: CustomResourceConversion;
}

/** A custom resource as it is written down: once, with a typed schema a version. */
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
 * A custom resource: everything about it is derived from this. The compiler knows group and kind by
 * their texts where they were written, and so tells kinds apart.
 */
export interface Definition<
  S extends Schemas = Schemas,
  Group extends string = string,
  Name extends string = string,
> extends KindNames {
  readonly group: Group;
  readonly kind: Name;
  /** In the order in which they were written. */
  readonly versions: { readonly [N in keyof S]: Version<S[N]> };
}

/**
 * The definition that props stand for, with what is absent filled in. It is not checked, so that it
 * costs nothing at start-up: `define` is for everyone but our own kinds, which the tests check.
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
 * The schema of a whole object has apiVersion, kind and metadata, about which little can be said.
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
 * The definition that a CustomResourceDefinition holds, with the types that are known of it. What
 * `crdManifest` gives for it means the same to the API server; it is not checked.
 *
 * @example
 * ```ts
 * import { crdManifest, definitionOf } from 'tenantry/crd';
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
 * The versions of a definition, in the order in which they were written.
 *
 * @example
 * ```ts
 * import { versionsOf } from 'tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * console.log(versionsOf(redis).map(({ apiVersion }) => apiVersion)); // [ 'cache.example.com/v1' ]
 * ```
 */
export function versionsOf(definition: Definition): Version[] {
  return Object.values(definition.versions);
}

/**
 * One version of a definition.
 * @throws {Error} where it has no such version, which the compiler does not know of one from YAML
 */
export function versionOf<S extends Schemas, N extends keyof S & string>(
  { kind, versions }: Definition<S>,
  name: N,
): Version<S[N]> {
  if (Object.hasOwn(versions, name)) return versions[name];
  const known = Object.keys(versions).join(', ');
  throw new Error(`The version of ${kind} must be one of ${known}, got ${name}`);
}

/**
 * The CustomResourceDefinition (apiextensions.k8s.io/v1): a copy, which shares nothing.
 *
 * @example
 * ```ts
 * import { emitYaml } from 'tenantry';
 * import { crdManifest } from 'tenantry/crd';
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
      versions: versionsOf(definition).map(versionManifest),
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
