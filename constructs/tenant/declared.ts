import type { DeclaredKind } from '../../crds/tenantry/declared-kind.ts';
import { tenant as tenantKind } from '../../crds/tenantry/tenant.ts';
import { tenantClass as classKind } from '../../crds/tenantry/tenant-class.ts';
import { validateSpec } from '../../crds/tenantry/valid.ts';
import type { Finding } from '../../kube/finding.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import { normalizeEmbeddedObjects } from '../../schema/admission.ts';
import { withoutEmptyMaps } from './empty-maps.ts';
import { explainReservedKey } from './rules/keys.ts';
import { isOpenOnObjects } from './rules/open-keys.ts';
import type { TenantClassDeclaration, TenantDeclaration } from './declaration.ts';

/** The Tenant as the operator reads it: what was declared, nothing filled in. */
export function toTenantObject(declaration: TenantDeclaration): KubeObject {
  return toObject(tenantKind, declaration);
}

/**
 * The Tenant as it is written for whoever applies it: as it was declared, but for mappings that say nothing, an empty spec
 * among them, and with manifests as the API server stores them. They stand in lists, which are applied as a whole: what it
 * leaves out of their metadata would be a difference that no sync ends.
 */
export function renderTenant(declaration: TenantDeclaration): KubeObject {
  const { spec: schema } = tenantKind;
  const spec = normalizeEmbeddedObjects(schema, withoutEmptyMaps(schema, declaration.spec));
  return withoutEmptySpec(toTenantObject({ ...declaration, spec }));
}

/** The TenantClass as the cluster has it. */
export function toTenantClassObject(declaration: TenantClassDeclaration): KubeObject {
  return toObject(classKind, declaration);
}

/** Builds the TenantClass to render: as `toTenantClassObject`, without an empty spec. */
export function renderTenantClass(declaration: TenantClassDeclaration): KubeObject {
  return withoutEmptySpec(toTenantClassObject(declaration));
}

/** Server-side apply makes null of a spec whose fields its applier all gives up, unless the spec is left out. */
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

/** Whose keys stand on what they apply. Of labels classes choose tenants by others of Kubernetes' domains. */
const applierKeys = /^([^/]*\.)?(argoproj\.io|fluxcd\.io|helm\.sh|kpt\.dev)\//;

type StringMap = Readonly<Record<string, string>>;

/**
 * The metadata of a live object as it was declared: without what kubectl, Argo CD, Flux and Helm keep on what they
 * apply, such as `last-applied-configuration` and `tracking-id`, which nobody may declare (`checkKeys`).
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

/** What the schema says against the spec of a Tenant that need not have come from a file. */
export function validateTenantSpec({ spec }: TenantDeclaration): readonly Finding[] {
  return validateSpec(tenantKind, spec);
}

/** The same of a class. */
export function validateClassSpec({ spec }: TenantClassDeclaration): readonly Finding[] {
  return validateSpec(classKind, spec);
}
