import { omitUndefined } from '@tenantry/kube/mapping';
import { A_QUALIFIED_NAME, isQualifiedName, isSubdomain } from '@tenantry/kube/names';
import { show } from '@tenantry/kube/problem';
import type { Event } from '../kinds/events.ts';
import type { ObjectReference } from '../kinds/core.ts';
import type { Immutable, ObjectMeta } from '../kinds/kind.ts';
import type { Clock, Random } from '../clock/clock.ts';

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
    metadata: omitUndefined({ name, namespace, uid, resourceVersion }),
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
const maxWordLength = 128;
const maxNoteLength = 1024;

/**
 * Creates a reporter.
 * @param instance the replica, such as the name of its pod
 * @throws {Error} if the controller is not a qualified name, or the instance is empty
 */
export function createReporter(controller: string, instance: string): Reporter {
  if (!isQualifiedName(controller)) {
    throw new Error(
      `the reporting controller must be ${A_QUALIFIED_NAME}, got ${show(controller)}`,
    );
  }
  if (instance === '') throw new Error('the instance that reports events must have a name');
  const reportingInstance = truncateUtf8(`${controller}-${instance}`, maxWordLength, '');
  return { reportingController: controller, reportingInstance };
}

/** Returns why an API server would reject the event: `must be ..., got ...`; undefined if it would not. */
export function validateEvent({ type, reason, action, regarding }: EventInput): string | undefined {
  if (type !== 'Normal' && type !== 'Warning') {
    return `type must be Normal or Warning, got ${show(type)}`;
  }
  for (const [field, text] of Object.entries({ reason, action })) {
    const length = Buffer.byteLength(text);
    if (length < 1 || length > maxWordLength) {
      return `${field} must have 1 to ${maxWordLength} bytes, got ${show(text)}`;
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
  return omitUndefined({
    ...reporter,
    type,
    reason,
    action,
    note: truncateUtf8(prefix + note, maxNoteLength, '...'),
    regarding: omitUndefined({ ...buildReference(regarding), fieldPath }),
    related: related && buildReference(related),
  });
}

/** Returns the only namespace in which the API server accepts the event. */
export function namespaceOf({ metadata }: EventSubject): string {
  return metadata.namespace || 'default';
}

function buildReference({ apiVersion, kind, metadata }: EventSubject): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return omitUndefined({
    apiVersion,
    kind,
    name,
    namespace: namespace || undefined,
    uid,
    resourceVersion,
  });
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

const perMillisecond = 1_000_000;

/**
 * Generates names of events as client-go does: the name of the object and the nanoseconds since 1970 in hexadecimal
 * digits. The digits below a millisecond are random, so that two programs do not collide.
 */
export class EventNameGenerator {
  readonly #clock: Clock;
  readonly #random: Random;
  #last = 0n;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Returns a new name, which sorts after all earlier ones. It contains the kind instead of the object's name if that
   * is too long or not a DNS subdomain, such as the name of a role.
   */
  next({ kind, metadata }: EventSubject): string {
    const chance = Math.floor(this.#random() * perMillisecond);
    const now = BigInt(this.#clock.date().getTime()) * BigInt(perMillisecond) + BigInt(chance);
    this.#last = now > this.#last ? now : this.#last + 1n;
    const time = this.#last.toString(16);
    const names = [metadata.name, kind.toLowerCase()].map((begin) => `${begin}.${time}`);
    return names.find(isSubdomain) ?? `event.${time}`;
  }
}

/**
 * Why an event is lost:
 *
 * - `invalid`: no API server would accept it, for the reason in the error. A programming error.
 * - `limited`: there were too many of this type about this object: 25 at once, then one every 5 minutes.
 * - `full`: too many events are pending.
 * - `refused`: the API server refused it, for example in a terminating namespace or without the access.
 * - `unreachable`: there was no answer, twelve times in two minutes.
 * - `stopped`: it came after the end, or there was no time to write it.
 */
export type LossCause = 'invalid' | 'limited' | 'full' | 'refused' | 'unreachable' | 'stopped';

/** An event that was not written. */
export interface LostEvent {
  readonly cause: LossCause;
  readonly event: EventInput;
  /** Absent if there was no error. */
  readonly error?: unknown;
}

/** Observes the delivery of events, for metrics and logs. Its methods must not throw. */
export interface EventsObserver {
  /** Called when an event was created, or when it became a series or a longer one. */
  written?(how: 'created' | 'counted'): void;
  /** Called when an event, or the count of a series, is lost. */
  lost?(lost: LostEvent): void;
}
