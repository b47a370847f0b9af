import type { KubeObject } from '../../../kube/object.ts';
import { show } from '../../../kube/problem.ts';
import { byteLength, MAX_ANNOTATIONS } from '../../../kube/names.ts';
import type { TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { SettingLocation, TenantReporter, RuleContext } from './context.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';

/**
 * Bytes of an object as JSON, 384 KiB. etcd takes 1.5 MiB in a request, and the API server adds,
 * for everyone who applies an object, which fields are theirs, which can be more than the object
 * itself: this leaves room for two.
 * Source: https://etcd.io/docs/v3.6/dev-guide/limit/
 */
export const MAX_OBJECT = 393_216;

type Annotations = Readonly<Record<string, string>>;

/** The Tenant itself, which the cluster keeps with all that it holds. */
export function checkTenantSize({ declaration }: ResolvedTenant, report: TenantReporter): void {
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

/** The annotations of whatever in a namespace may have any, except `resources`, which are small. */
export function checkAnnotationSizes({ namespace, where, report }: RuleContext): void {
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

/** The annotations of a Namespace: the tenant's, and what the admission policies read there. */
export function checkNamespaceSize(
  { namespace, where, report }: RuleContext,
  { metadata }: KubeObject,
): void {
  const fault = findAnnotationsFault(metadata.annotations);
  if (!fault) return;
  const message = `${fault} on namespace ${namespace.name}, whose annotations name its members and objects too`;
  report(where('annotations'), message, 'annotations-size');
}

/** Before anything is counted in bytes: a character has at most three, and our own are few. */
function mayExceed(annotations: Annotations): boolean {
  const characters = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + key.length + value.length + 317,
    1024,
  );
  return characters * 3 > MAX_ANNOTATIONS;
}

/** Source: k8s.io/apimachinery pkg/api/validation ValidateAnnotationsSize */
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
 * A declaration this small gives no object that is too large: a name of one letter becomes a
 * subject of 70.
 */
const SMALL = 16_384;

/** The objects that a tenant gives: short names can make long lists. */
export function checkObjectSizes(
  { declaration, klass }: ResolvedTenant,
  objects: readonly KubeObject[],
  report: TenantReporter,
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

/** What the cluster keeps of a declaration. */
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
