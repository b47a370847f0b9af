import { isDeepEqual } from '@tenantry/kube/json';
import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import type { Random } from '@tenantry/runtime/clock/clock';
import type { Kind, ObjectMeta } from '@tenantry/runtime/kinds/kind';
import { badRequest, invalid } from './errors.ts';
import type { ServedKind } from './served-kinds.ts';
import type { Fields, StoredObject } from './object-store.ts';

/** Formats a time to the second, as metav1.Time does. */
export function formatTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function newUid(random: Random): string {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  return [hex(8), hex(4), `4${hex(3)}`, `8${hex(3)}`, hex(12)].join('-');
}

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Generates a name with a prefix, which is cut to 58 characters. */
export function generateObjectName(prefix: string, random: Random): string {
  const letter = (): string => letters.charAt(Math.floor(random() * letters.length));
  return prefix.slice(0, 58) + Array.from({ length: 5 }, letter).join('');
}

/** Reads the metadata of a request, before any validation. */
export function readMetadata(object: Fields): Partial<ObjectMeta> {
  const metadata = object['metadata'];
  return isMapping(metadata) ? metadata : {};
}

type UserMetadata = Pick<
  ObjectMeta,
  'labels' | 'annotations' | 'finalizers' | 'ownerReferences' | 'generateName'
>;

/** Picks the metadata that users can set; the server sets the rest. */
function pickUserMetadata({
  labels,
  annotations,
  finalizers,
  ownerReferences,
  generateName,
}: Partial<ObjectMeta>): UserMetadata {
  return omitUndefined({
    generateName,
    labels: isMapping(labels) && Object.keys(labels).length > 0 ? labels : undefined,
    annotations:
      isMapping(annotations) && Object.keys(annotations).length > 0 ? annotations : undefined,
    finalizers: finalizers && finalizers.length > 0 ? [...new Set(finalizers)] : undefined,
    ownerReferences: ownerReferences && ownerReferences.length > 0 ? ownerReferences : undefined,
  });
}

export interface NewMetadata {
  readonly kind: Kind;
  readonly served: ServedKind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly random: Random;
  readonly date: Date;
}

/** Builds the metadata of a new object. @throws {ApiError} */
export function buildNewMetadata(given: Partial<ObjectMeta>, made: NewMetadata): ObjectMeta {
  const { kind, served, name, namespace, random, date } = made;
  checkOwners(kind, name, given);
  if (given.resourceVersion) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  return omitUndefined({
    name,
    namespace,
    ...pickUserMetadata(given),
    uid: newUid(random),
    resourceVersion: '',
    generation: served.hasGeneration ? 1 : undefined,
    creationTimestamp: formatTime(date),
  });
}

/** Builds the metadata after an update, without increasing the generation. @throws {ApiError} */
export function buildChangedMetadata(
  kind: Kind,
  given: Partial<ObjectMeta>,
  { metadata }: StoredObject,
): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp } = metadata;
  const { deletionTimestamp, deletionGracePeriodSeconds, managedFields } = metadata;
  checkOwners(kind, name, given);
  const added = (given.finalizers ?? []).filter((one) => !metadata.finalizers?.includes(one));
  if (deletionTimestamp !== undefined && added.length > 0) {
    const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((one) => JSON.stringify(one)).join(', ')}}`;
    throw invalid(kind, name, [{ field: 'metadata.finalizers', message }]);
  }
  const generateName = metadata.generateName ?? given.generateName;
  return omitUndefined({
    name,
    namespace,
    ...pickUserMetadata(omitUndefined({ ...given, generateName })),
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    managedFields,
  });
}

/** Checks that an object has at most one controller, and no owner without a name. */
function checkOwners(
  kind: Kind,
  name: string,
  { ownerReferences = [] }: Partial<ObjectMeta>,
): void {
  const field = 'metadata.ownerReferences';
  const controllers = ownerReferences.filter(({ controller }) => controller === true);
  if (controllers.length > 1) {
    const message = `Invalid value: Only one reference can have Controller set to true`;
    throw invalid(kind, name, [{ field, message }]);
  }
  for (const owner of ownerReferences) {
    for (const part of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (owner[part]) continue;
      throw invalid(kind, name, [{ field: `${field}[0].${part}`, message: 'Required value' }]);
    }
  }
}

/** Whether a change affects the part of an object that increases the generation. */
export function changesGeneration(now: Fields, old: Fields, { hasStatus }: ServedKind): boolean {
  const counted = (object: Fields): Fields => ({
    ...object,
    metadata: undefined,
    ...(hasStatus && { status: undefined }),
  });
  return !isDeepEqual(counted(now), counted(old));
}
