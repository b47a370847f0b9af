import { listVersions, type Definition } from '@tenantry/crd/definition';
import { RESOURCES_FINALIZER } from '@tenantry/kube/argocd-directives';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { isMapping } from '@tenantry/kube/mapping';

/** The default namespace of Argo CD. */
export const ARGO_CD_NAMESPACE = 'argocd';

/** The identity of an object of Argo CD. */
export interface ArgoCdMetadata {
  readonly name: string;
  /** @default 'argocd' */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An object of Argo CD as it is in Git. */
export interface ArgoCdObject<Spec> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ArgoCdMetadata & {
    readonly namespace: string;
    readonly finalizers?: string[];
  };
  readonly spec: Spec;
}

/** Builds an object of one of Argo CD's kinds, without what Argo CD would leave out of it. */
export function buildArgoCdObject<Spec>(
  definition: Definition,
  metadata: ArgoCdMetadata,
  spec: Spec,
  finalizers: readonly string[] = [],
): ArgoCdObject<Spec> {
  const [version] = listVersions(definition);
  const { apiVersion, schema } = version!;
  const { name, namespace = ARGO_CD_NAMESPACE, labels, annotations } = metadata;
  return {
    apiVersion,
    kind: definition.kind,
    metadata: {
      name,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
    },
    spec: omitZeros(schema.properties!['spec']!, spec),
  };
}

/**
 * What happens to the objects of an Application that is deleted. `Cascade`: they are deleted first, and objects wait
 * for their dependents. `CascadeInBackground`: they are deleted first, and the garbage collector deletes their
 * dependents. `Orphan`: they stay as they are and nobody removes them, access included.
 */
export type ApplicationDeletion = 'Cascade' | 'CascadeInBackground' | 'Orphan';

/** Returns the finalizers of an Application for a kind of deletion. */
export function listFinalizers(deletion: ApplicationDeletion): readonly string[] {
  if (deletion === 'Orphan') return [];
  return [deletion === 'Cascade' ? RESOURCES_FINALIZER : `${RESOURCES_FINALIZER}/background`];
}

/** The finalizers that keep a project as long as an Application names it. */
export const PROJECT_FINALIZERS: readonly string[] = [RESOURCES_FINALIZER];

/** Fields whose presence has a meaning even if they are empty. */
const MEANINGFUL_WHEN_EMPTY: ReadonlySet<string> = new Set([
  'automated',
  'retry',
  'orphanedResources',
  'plugin',
  'list',
  'clusters',
  'scmProvider',
  'pullRequest',
  'awsCodeCommit',
]);

/** Fields for which false or 0 differs from an absent value. */
const MEANINGFUL_ZEROS: ReadonlySet<string> = new Set([
  'enabled',
  'warn',
  'revisionHistoryLimit',
  'requeueAfterSeconds',
  'maxUpdate',
  'factor',
  'includeSharedProjects',
]);

/** Fields of a source's `kustomize` that only modify others. If there are no others, Argo CD treats it as empty. */
const KUSTOMIZE_MODIFIERS: ReadonlySet<string> = new Set([
  'commonAnnotationsEnvsubst',
  'forceCommonAnnotations',
  'forceCommonLabels',
  'labelIncludeTemplates',
  'labelWithoutSelector',
]);

/**
 * Removes from a value of one of Argo CD's kinds what Argo CD leaves out when it writes the object back: empty texts,
 * lists and mappings, and zeros and false if they mean the same as an absent value. A field that is in Git and never in
 * the cluster stays OutOfSync for ever. Values of free form are not changed.
 */
export function omitZeros<T>(schema: JSONSchemaProps, value: T): T;
export function omitZeros(schema: JSONSchemaProps, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((one: unknown) => omitZeros(items, one)) : value;
  }
  if (!isPlain(value)) return value;
  const { properties, additionalProperties, required = [] } = schema;
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const of = properties?.[name] ?? additionalProperties;
    const inner = typeof of === 'object' ? omitZeros(of, field) : field;
    const isKept = !properties?.[name] || required.includes(name) || !isZero(name, inner);
    if (isKept) kept[name] = inner;
  }
  return kept;
}

function isZero(name: string, value: unknown): boolean {
  if (value === false || value === 0) return !MEANINGFUL_ZEROS.has(name);
  if (value === '' || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isPlain(value) || MEANINGFUL_WHEN_EMPTY.has(name)) return false;
  const keys = Object.keys(value);
  return name === 'kustomize'
    ? keys.every((key) => KUSTOMIZE_MODIFIERS.has(key))
    : keys.length === 0;
}

/** Whether a value is plain data. Lazy values of cdk8s are objects of a class, whose content is known later. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    isMapping(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  );
}
