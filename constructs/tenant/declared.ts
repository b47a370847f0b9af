import type { DeclaredKind } from '../../crds/tenantry/declared-kind.ts';
import { tenant as tenantKind } from '../../crds/tenantry/tenant.ts';
import { tenantClass as classKind } from '../../crds/tenantry/tenant-class.ts';
import { validateSpec } from '../../crds/tenantry/valid.ts';
import type { Finding } from '../../kube/finding.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import { normalizeEmbeddedObjects } from '../../schema/admission.ts';
import { withoutEmptyMaps } from './empty-maps.ts';
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
