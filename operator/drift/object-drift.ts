import {
  MAX_FIELD_LENGTH,
  MAX_NAME_LENGTH,
  MAX_VALUE_LENGTH,
  type DriftEntry,
} from '../../crds/tenant-status.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { truncate, escapeJsonForTerminal } from '@tenantry/kube/printable';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { normalizeContent } from '../stored/content.ts';
import { diffContent, formatSteps, type FieldDiff, type PathStep } from './difference.ts';
import { findFieldManager, maker, type FieldManager } from './managed-fields.ts';
import { redact } from './redact.ts';
import { diffMetadata } from './expected.ts';
import { diffFields } from './diff-fields.ts';
import { isAborted, ifGone, reactionTo } from '@tenantry/runtime/errors/reaction';
import {
  AccessDenied,
  Malformed,
  TooDeep,
  TooLarge,
  Unreachable,
} from '@tenantry/runtime/errors/client-errors';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { describeError } from '../cluster/unobserved.ts';

/** A drift entry without its `since`, which the tenant's status remembers. */
export type Drift = Omit<DriftEntry, 'since'>;

/** The identity of an object in a status entry. */
export type ObjectIdentity = Pick<Drift, 'kind' | 'group' | 'namespace' | 'name'>;

/** Returns the identity of an object as a status contains it. */
export function identifyObject({ apiVersion, kind, metadata }: KubeObject): ObjectIdentity {
  const group = groupOf(apiVersion);
  const { namespace, name } = metadata;
  return {
    kind,
    ...(group !== '' && { group }),
    ...(namespace !== undefined && { namespace }),
    name: truncate(name, MAX_NAME_LENGTH),
  };
}

/** Formats an object's name for people: `RoleBinding pay-prod/edit`. */
export function formatObjectName({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Builds the drift entry of a declared object that does not exist. */
export function buildMissingDrift(desired: KubeObject): Drift {
  return { type: 'Missing', ...identifyObject(desired) };
}

/**
 * Builds the entry of a live object that nobody declared.
 * @param live with its managedFields
 */
export function buildUndeclaredEntry(live: Live): Omit<Drift, 'type'> {
  return { ...identifyObject(live as KubeObject), ...writer(maker(live.metadata)) };
}

/**
 * Builds the entry of an undeclared part of an object's metadata: a label, an annotation or an owner.
 * @param live with its managedFields, where they could be read
 */
export function buildUndeclaredKeyEntry(
  live: Live,
  path: readonly PathStep[],
  value: string,
): Omit<Drift, 'type'> {
  const { live: redacted } = redact(live.kind ?? '', { path, live: value });
  return {
    ...identifyObject(live as KubeObject),
    field: fieldText(path),
    live: shown(redacted),
    ...writer(findFieldManager(live.metadata.managedFields, path)),
  };
}

/** Formats the path of a field as a status contains it. */
export function fieldText(path: readonly PathStep[]): string {
  return truncate(formatSteps(path), MAX_FIELD_LENGTH);
}

/**
 * Returns where an object differs from its declaration, field by field, and which field manager wrote each field.
 * Returns nothing if the API server treats both as equal.
 * @param live with its managedFields
 */
export function findObjectDrift(desired: KubeObject, live: Live): readonly Drift[] {
  const all = [...diffObject(desired, live as KubeObject), ...deletionDifferences(live)];
  return all.map((difference) => {
    const { path } = difference;
    const isThere = 'live' in difference;
    const owner = findFieldManager(live.metadata.managedFields, path, { isThere });
    return {
      type: classifyDifference(difference),
      ...identifyObject(desired),
      field: fieldText(path),
      ...('desired' in difference && { desired: shown(difference.desired) }),
      ...('live' in difference && { live: shown(difference.live) }),
      ...writer(owner),
    };
  });
}

/** Compares an object with its declaration, metadata included. */
export function diffObject(desired: KubeObject, live: KubeObject): readonly FieldDiff[] {
  const [wanted, there] = [normalizeContent(desired), normalizeContent(live)];
  const inside = wanted && there ? diffContent(wanted, there) : otherDifferences(desired, live);
  return [...diffMetadata(desired.metadata, live.metadata), ...inside];
}

/**
 * Returns the differences of an object that is being deleted, and which finalizers keep it. Nobody can undo a deletion, so healing does
 * not repair this drift. A Namespace reports its deletion in a condition.
 */
function deletionDifferences({ kind, metadata }: Live): readonly FieldDiff[] {
  const { deletionTimestamp, finalizers = [] } = metadata;
  if (deletionTimestamp === undefined || kind === 'Namespace') return [];
  return [
    { path: ['metadata', 'deletionTimestamp'], live: deletionTimestamp },
    ...(finalizers.length > 0 ? [{ path: ['metadata', 'finalizers'], live: finalizers }] : []),
  ];
}

/**
 * Compares objects of kinds that Tenantry does not render itself. They are redacted, since their secret fields are not
 * known.
 */
function otherDifferences(desired: KubeObject, live: KubeObject): readonly FieldDiff[] {
  return diffFields(desired, live as KubeObject & Live).map((one) => redact(desired.kind, one));
}

function classifyDifference(difference: FieldDiff): Drift['type'] {
  if (!('live' in difference)) return 'Missing';
  return 'desired' in difference ? 'Changed' : 'Extra';
}

function writer(owner: FieldManager | undefined): Partial<Drift> {
  if (!owner) return {};
  const { manager, operation, time } = owner;
  return omitUndefined({
    manager: truncate(manager, 128),
    operation,
    changed: time,
  });
}

function shown(value: unknown): string {
  return truncate(escapeJsonForTerminal(JSON.stringify(value)), MAX_VALUE_LENGTH);
}

/** An object could not be read, so its differences and field managers are not known. */
export class ReadFailure {
  readonly why: string;
  /** Whether a retry may succeed without a change by anybody. */
  readonly isPassing: boolean;

  constructor(error: unknown) {
    this.why = describeError(error);
    this.isPassing = reactionTo(error) === 'retry';
  }
}

/** Returns the current object with its managedFields; undefined if it is gone. */
export type ReadLive = (object: KubeObject) => Promise<Live | undefined | ReadFailure>;

/** An object that could not be read, and why. */
export interface UnreadObject extends ObjectIdentity {
  readonly why: string;
}

const answers = [ApiError, Unreachable, Malformed, TooDeep, TooLarge, AccessDenied] as const;

/** Creates a reader of objects. A failure for one object does not keep others from being reported. */
export function createLiveReader(
  get: (object: KubeObject) => Promise<Live | undefined>,
  signal: AbortSignal,
): ReadLive {
  return async (object) => {
    try {
      return await get(object).catch(ifGone);
    } catch (error) {
      const isAnswer = answers.some((one) => error instanceof one);
      if (!isAnswer || isAborted(error, signal)) throw error;
      return new ReadFailure(error);
    }
  };
}

/** Wraps a reader and records the objects that it could not read. */
export function recordUnread(read: ReadLive, unread: UnreadObject[]): ReadLive {
  return async (object) => {
    const answer = await read(object);
    if (answer instanceof ReadFailure) unread.push({ ...identifyObject(object), why: answer.why });
    return answer;
  };
}
