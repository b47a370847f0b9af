import { type DeclaredKind, validateSpec } from '../crds/declared-kind.ts';
import { tenant as tenantKind } from '../crds/tenant.ts';
import { tenantClass as classKind } from '../crds/tenant-class.ts';
import type { Finding } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { normalizeEmbeddedObjects } from '@tenantry/crd/schema/admission';
import type { TenantSpec } from '../crds/types.ts';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { explainReservedKey, isOpenOnObjects } from './rules/keys.ts';
import type { TenantClassDeclaration, TenantDeclaration } from './declaration.ts';

/** Returns the Tenant as the operator reads it: as declared, without defaults. */
export function toTenantObject(declaration: TenantDeclaration): KubeObject {
  return toObject(tenantKind, declaration);
}

/**
 * Renders the Tenant to apply: as declared, without empty mappings (an empty spec included), and with manifests as the
 * API server stores them. Manifests are items of lists that are applied as a whole. Metadata that the API server drops
 * from them would be a difference that no sync could remove.
 */
export function renderTenant(declaration: TenantDeclaration): KubeObject {
  const { spec: schema } = tenantKind;
  const spec = normalizeEmbeddedObjects(schema, withoutEmptyMaps(schema, declaration.spec));
  return withoutEmptySpec(toTenantObject({ ...declaration, spec }));
}

/** Returns the TenantClass as it is in the cluster. */
export function toTenantClassObject(declaration: TenantClassDeclaration): KubeObject {
  return toObject(classKind, declaration);
}

/** Renders the TenantClass to apply: as `toTenantClassObject`, without an empty spec. */
export function renderTenantClass(declaration: TenantClassDeclaration): KubeObject {
  return withoutEmptySpec(toTenantClassObject(declaration));
}

/**
 * Removes an empty spec. Server-side apply sets a spec to null when its applier gives up all fields but keeps the spec.
 */
function withoutEmptySpec(object: KubeObject): KubeObject {
  const { spec, ...head } = object;
  return isMapping(spec) && Object.keys(spec).length === 0 ? head : object;
}

function toObject(
  { apiVersion, kind }: DeclaredKind,
  { name, labels, annotations, spec }: TenantDeclaration | TenantClassDeclaration,
): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  };
}

/**
 * Keys that appliers write on the objects that they apply. Other labels in Kubernetes' domains are kept, because
 * classes select tenants by them.
 */
const applierKeys = /^([^/]*\.)?(argoproj\.io|fluxcd\.io|helm\.sh|kpt\.dev)\//;

type StringMap = Readonly<Record<string, string>>;

/**
 * Extracts the declared metadata from a live object. It leaves out what kubectl, Argo CD, Flux and Helm write to the
 * objects that they apply, such as `last-applied-configuration` and `tracking-id`. These may not be declared
 * (`checkKeys`).
 */
export function extractDeclaredMetadata({
  labels,
  annotations,
}: {
  readonly labels?: StringMap | undefined;
  readonly annotations?: StringMap | undefined;
}): Pick<TenantDeclaration, 'labels' | 'annotations'> {
  const isOwn = (key: string): boolean => explainReservedKey(key) === undefined;
  return {
    ...(labels && { labels: filterKeys(labels, (key) => isOwn(key) && !applierKeys.test(key)) }),
    ...(annotations && {
      annotations: filterKeys(annotations, (key) => isOwn(key) && isOpenOnObjects(key)),
    }),
  };
}

function filterKeys(words: StringMap, isKept: (key: string) => boolean): StringMap {
  return Object.fromEntries(Object.entries(words).filter(([key]) => isKept(key)));
}

/** Validates the spec of a Tenant, which may come from elsewhere than a file, against its schema. */
export function validateTenantSpec({ spec }: TenantDeclaration): readonly Finding[] {
  return validateSpec(tenantKind, spec);
}

/** Validates the spec of a TenantClass against its schema. */
export function validateClassSpec({ spec }: TenantClassDeclaration): readonly Finding[] {
  return validateSpec(classKind, spec);
}

/**
 * Returns the spec of a Tenant without empty mappings. Server-side apply writes null for a mapping whose fields its
 * applier all gives up, and the API server refuses that. A Tenant whose `access` became `{}` would not sync until Git
 * changes.
 *
 * An absent mapping means the same as an empty one, except for selectors, where an empty one selects everything. Lists
 * without keys are applied as a whole, so nothing is left out of them. This is not for TenantClasses: an empty
 * `allowedTenants` allows nobody.
 */
export function withoutEmptyMaps(schema: JSONSchemaProps, spec: TenantSpec): TenantSpec {
  return stripFields(schema, spec as Record<string, unknown>) as TenantSpec;
}

/** Returns the value without empty mappings, or undefined if nothing is left. */
function stripFields(
  schema: JSONSchemaProps,
  value: Record<string, unknown>,
): Record<string, unknown> {
  let less: Record<string, unknown> | undefined;
  for (const [key, one] of Object.entries(value)) {
    const inner = schema.properties?.[key];
    if (!inner) continue;
    const left = stripValue(inner, one, schema.required?.includes(key));
    if (left === one) continue;
    less ??= { ...value };
    if (left === undefined) delete less[key];
    else less[key] = left;
  }
  return less ?? value;
}

function stripValue(schema: JSONSchemaProps, value: unknown, isRequired = false): unknown {
  if (Array.isArray(value)) return stripItems(schema, value);
  if (!isMapping(value) || isAtomic(schema)) return value;
  const left = stripFields(schema, value);
  return Object.keys(left).length === 0 && !isRequired ? undefined : left;
}

/** Strips the items of a list with keys, whose items are applied field by field. */
function stripItems(list: JSONSchemaProps, values: readonly unknown[]): readonly unknown[] {
  const { items } = list;
  if (!items || list['x-kubernetes-list-type'] !== 'map') return values;
  const left = values.map((one) => (isMapping(one) ? stripFields(items, one) : one));
  return left.every((one, i) => one === values[i]) ? values : left;
}

function isAtomic(schema: JSONSchemaProps): boolean {
  const { properties } = schema;
  const isSelector = properties !== undefined && 'matchLabels' in properties;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isSelector || isOpen || schema['x-kubernetes-map-type'] === 'atomic';
}
