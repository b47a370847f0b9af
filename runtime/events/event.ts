import { A_QUALIFIED_NAME, isQualifiedName } from '../../kube/names.ts';
import { show } from '../../kube/problem.ts';
import type { Event } from '../kinds/events.ts';
import type { ObjectReference } from '../kinds/core.ts';
import type { Immutable, ObjectMeta } from '../kinds/kind.ts';

/** The subject of an event: an object from the API server, or as much as is known of it. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, 'name'> &
    Partial<Pick<ObjectMeta, 'namespace' | 'uid' | 'resourceVersion'>>;
}

/** An event for the people whose object it concerns. */
export interface EventInput {
  /** `Warning` if somebody should look at it. */
  readonly type: 'Normal' | 'Warning';
  /** The cause, as one word in CamelCase for programs: `QuotaExceeded`. 1 to 128 bytes. */
  readonly reason: string;
  /** The action that was taken or tried, as one word in CamelCase: `CreateNamespace`. 1 to 128 bytes. */
  readonly action: string;
  /** The text for people. Beyond 1,024 bytes in UTF-8 the end is replaced by `...`. */
  readonly note: string;
  /** The object under which people find it: `kubectl describe` shows it there. */
  readonly regarding: EventSubject;
  /** A part of the object, such as `spec.containers{web}`. @default - the whole object */
  readonly fieldPath?: string | undefined;
  /** Another object that is involved. @default - none */
  readonly related?: EventSubject | undefined;
}

/** Returns the event with only the identifying fields of its objects. */
export function trimEventObjects(event: EventInput): EventInput {
  const { regarding, related } = event;
  return { ...event, regarding: trimSubject(regarding), related: related && trimSubject(related) };
}

function trimSubject({ apiVersion, kind, metadata }: EventSubject): EventSubject {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

/** The reporter of an event. */
export interface Reporter {
  readonly reportingController: string;
  readonly reportingInstance: string;
}

/** An event without the fields that are set when it occurs: its name, its time and its count. */
export type EventTemplate = Immutable<Omit<Event, 'eventTime' | 'series'>> & Reporter;

/** Bytes, as in the API server (Kubernetes 1.36, pkg/apis/core/validation/events.go). */
const longestWord = 128;
const longestNote = 1024;

/**
 * Creates a reporter.
 * @param instance the replica, such as the name of its pod
 * @throws {Error} if the controller is not a qualified name, or the instance is empty
 */
export function createReporter(controller: string, instance: string): Reporter {
  if (!isQualifiedName(controller)) {
    throw new Error(`who reports events must be ${A_QUALIFIED_NAME}, got ${show(controller)}`);
  }
  if (instance === '') throw new Error('the instance that reports events must have a name');
  const reportingInstance = truncateUtf8(`${controller}-${instance}`, longestWord, '');
  return { reportingController: controller, reportingInstance };
}

/** Returns why an API server would reject the event: `must be ..., got ...`; undefined if it would not. */
export function validateEvent({ type, reason, action, regarding }: EventInput): string | undefined {
  if (type !== 'Normal' && type !== 'Warning') {
    return `type must be Normal or Warning, got ${show(type)}`;
  }
  for (const [field, text] of Object.entries({ reason, action })) {
    const length = Buffer.byteLength(text);
    if (length < 1 || length > longestWord) {
      return `${field} must have 1 to ${longestWord} bytes, got ${show(text)}`;
    }
  }
  const { apiVersion, kind, metadata } = regarding;
  const isWhole = apiVersion !== '' && kind !== '' && metadata.name !== '';
  return isWhole ? undefined : 'regarding must have an apiVersion, a kind and a name';
}

/** Builds the event to send. Events about objects without a namespace are in `default`. */
export function buildEventTemplate(
  event: EventInput,
  reporter: Reporter,
  prefix = '',
): EventTemplate {
  const { type, reason, action, note, regarding, fieldPath, related } = event;
  return {
    ...reporter,
    type,
    reason,
    action,
    note: truncateUtf8(prefix + note, longestNote, '...'),
    regarding: { ...buildReference(regarding), ...(fieldPath !== undefined && { fieldPath }) },
    ...(related && { related: buildReference(related) }),
  };
}

/** Returns the only namespace in which the API server accepts the event. */
export function namespaceOf({ metadata }: EventSubject): string {
  return metadata.namespace || 'default';
}

function buildReference({ apiVersion, kind, metadata }: EventSubject): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** Truncates a text to so many bytes of UTF-8, between characters, and appends an ending. */
function truncateUtf8(text: string, most: number, ending: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most - ending.length;
  // A byte that begins with the bits 10 continues a character.
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end) + ending;
}
