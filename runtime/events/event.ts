import { A_QUALIFIED_NAME, isQualifiedName } from '../../kube/names.ts';
import { show } from '../../kube/problem.ts';
import type { Event } from '../kinds/events.ts';
import type { ObjectReference } from '../kinds/core.ts';
import type { Immutable, ObjectMeta } from '../kinds/kind.ts';

/** What an event is about: an object as the API server gives it, or as much as is known of one. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, 'name'> &
    Partial<Pick<ObjectMeta, 'namespace' | 'uid' | 'resourceVersion'>>;
}

/** Something that happened, for the people whose object it is. */
export interface EventInput {
  /** `Warning` is what somebody should look at. */
  readonly type: 'Normal' | 'Warning';
  /** Why, as one word in CamelCase for programs: `QuotaExceeded`. 1 to 128 bytes. */
  readonly reason: string;
  /** What was done or tried, as one word in CamelCase: `CreateNamespace`. 1 to 128 bytes. */
  readonly action: string;
  /** For people. Of more than 1,024 bytes in UTF-8 the end is cut off, and becomes `...`. */
  readonly note: string;
  /** The object by which people find it: `kubectl describe` shows it there. */
  readonly regarding: EventSubject;
  /** The part of it, such as `spec.containers{web}`. @default - the whole */
  readonly fieldPath?: string | undefined;
  /** Another object that has a part in it. @default - none */
  readonly related?: EventSubject | undefined;
}

/** The same event, which keeps of its objects no more than says which they are. */
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

/** Who says it. */
export interface Reporter {
  readonly reportingController: string;
  readonly reportingInstance: string;
}

/** An event without what is found out when it happens: its name, its time, how often. */
export type EventTemplate = Immutable<Omit<Event, 'eventTime' | 'series'>> & Reporter;

/** Bytes, by the API server (Kubernetes 1.36, pkg/apis/core/validation/events.go). */
const longestWord = 128;
const longestNote = 1024;

/**
 * @param instance the replica, such as the name of its pod
 * @throws {Error} where the controller is no qualified name, or there is no instance
 */
export function createReporter(controller: string, instance: string): Reporter {
  if (!isQualifiedName(controller)) {
    throw new Error(`who reports events must be ${A_QUALIFIED_NAME}, got ${show(controller)}`);
  }
  if (instance === '') throw new Error('the instance that reports events must have a name');
  const reportingInstance = truncateUtf8(`${controller}-${instance}`, longestWord, '');
  return { reportingController: controller, reportingInstance };
}

/** Why no API server would take the event: `must be ..., got ...`; undefined where one would. */
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

/** The event as it is sent. Those about objects without a namespace lie in `default`. */
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

/** Where the event must lie: the API server takes it nowhere else. */
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

/** The text, in so many bytes of UTF-8: cut between characters, and then with an ending. */
function truncateUtf8(text: string, most: number, ending: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most - ending.length;
  // What begins with the bits 10 is in the middle of a character.
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end) + ending;
}
