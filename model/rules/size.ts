import { show } from '@tenantry/kube/problem';
import { byteLength, MAX_ANNOTATIONS } from '@tenantry/kube/names';
import type { TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { SettingLocation, TenantReporter, RuleContext } from './context.ts';
import {
  defineNamespaceCheck,
  defineRenderedNamespaceCheck,
  defineRenderedTenantCheck,
  defineTenantCheck,
  type RenderedTenant,
} from './check.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';

/**
 * The maximum size of an object as JSON in bytes, 384 KiB. etcd accepts 1.5 MiB in a request. The API server adds the
 * managed fields of each applier, which can be larger than the object itself: this leaves room for two.
 * Source: https://etcd.io/docs/v3.6/dev-guide/limit/
 */
export const MAX_OBJECT = 393_216;

type Annotations = Readonly<Record<string, string>>;

/** Validates the size of the Tenant itself, which the cluster stores with all of its content. */
export const tenantSize = defineTenantCheck(['annotations-size', 'object-size'], checkTenantSize);

function checkTenantSize(
  { declaration }: ResolvedTenant,
  report: TenantReporter<'annotations-size' | 'object-size'>,
): void {
  const { annotations, spec } = declaration;
  const fault = findAnnotationsFault(annotations);
  if (fault) report(['metadata', 'annotations'], fault, 'annotations-size');
  const size = computeDeclaredSize(declaration);
  if (size <= MAX_OBJECT) return;
  const parts = Object.entries(spec)
    .map(([field, value]) => [field, computeSize(value)] as const)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([field, bytes]) => `${field} ${bytes}`);
  const message = `must be at most ${MAX_OBJECT} bytes, so that the cluster can keep the Tenant, got ${size} (${parts.join(', ')})`;
  report(['spec'], message, 'object-size');
}

/** Validates the annotations of all objects in a namespace, except `resources`, which are small. */
export const annotationSizes = defineNamespaceCheck(['annotations-size'], checkAnnotationSizes);

function checkAnnotationSizes(
  { namespace, where }: RuleContext,
  report: TenantReporter<'annotations-size'>,
): void {
  const { serviceAccounts, network } = namespace.settings;
  for (const field of ['serviceAccounts', 'network'] as const) {
    const [list, at]: [readonly { name: string; annotations?: Annotations }[], SettingLocation] =
      field === 'network'
        ? [network.policies ?? [], where('network', 'policies')]
        : [serviceAccounts, where('serviceAccounts')];
    for (const item of list) {
      const fault = findAnnotationsFault(item.annotations);
      if (fault) report(at, `${fault} of ${show(item.name)}`, 'annotations-size');
    }
  }
}

/** Validates the size of a Namespace's annotations: the tenant's, and those that the admission policies read. */
export const namespaceSize = defineRenderedNamespaceCheck(
  ['annotations-size'],
  ({ namespace, where, objects }, report) => {
    const fault = findAnnotationsFault(objects[0]!.metadata.annotations);
    if (!fault) return;
    const message = `${fault} on namespace ${namespace.name}, whose annotations name its members and objects too`;
    report(where('annotations'), message, 'annotations-size');
  },
);

/**
 * Whether annotations may be too large, before bytes are counted: a character has at most three, and Tenantry's own are
 * few.
 */
function mayExceed(annotations: Annotations): boolean {
  const characters = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + key.length + value.length + 317,
    1024,
  );
  return characters * 3 > MAX_ANNOTATIONS;
}

/** Finds annotations that are too large. Source: k8s.io/apimachinery pkg/api/validation ValidateAnnotationsSize */
export function findAnnotationsFault(annotations: Annotations = {}): string | undefined {
  if (!mayExceed(annotations)) return undefined;
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + byteLength(key) + byteLength(value),
    0,
  );
  if (size <= MAX_ANNOTATIONS) return undefined;
  return `must have at most ${MAX_ANNOTATIONS} bytes of annotations, got ${size}`;
}

/**
 * The size up to which a declaration renders no object that is too large: a name of one letter becomes a subject of 70.
 */
const SMALL = 16_384;

/** Validates the sizes of a tenant's objects: short names can make long lists. */
export const objectSizes = defineRenderedTenantCheck(['object-size'], checkObjectSizes);

function checkObjectSizes(
  { tenant: { declaration, klass }, objects }: RenderedTenant,
  report: TenantReporter<'object-size'>,
): void {
  if (computeDeclaredSize(declaration) + computeClassSize(klass) <= SMALL) return;
  for (const object of objects) {
    const size = computeSize(object);
    if (size <= MAX_OBJECT) continue;
    const { kind, metadata } = object;
    const message = `must give objects of at most ${MAX_OBJECT} bytes, got ${size} in ${kind} ${show(metadata.name)} of namespace ${metadata.namespace}`;
    report(['spec'], message, 'object-size');
  }
}

function computeClassSize(klass: TenantClassDeclaration): number {
  return computeDeclaredSize(klass) + (klass.base ? computeClassSize(klass.base) : 0);
}

const sizes = new WeakMap<TenantDeclaration | TenantClassDeclaration, number>();

/** Computes the size of what the cluster stores of a declaration. */
export function computeDeclaredSize(declared: TenantDeclaration | TenantClassDeclaration): number {
  const known = sizes.get(declared);
  if (known !== undefined) return known;
  const { name, labels, annotations, spec } = declared;
  const size = computeSize({ metadata: { name, labels, annotations }, spec });
  sizes.set(declared, size);
  return size;
}

function computeSize(value: unknown): number {
  return byteLength(JSON.stringify(value));
}
