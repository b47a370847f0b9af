import type { EventSubject, EventInput } from '../events/event.ts';

/** An event that a controller emits about an object, for the people who look at it. */
export interface ObjectEvent extends Pick<EventInput, 'note' | 'fieldPath' | 'related'> {
  /** `Warning` if somebody should look at it. @default Normal */
  readonly type?: EventInput['type'] | undefined;
  /** The cause, as one word in CamelCase for programs: `QuotaExceeded`. 1 to 128 bytes. */
  readonly reason: string;
  /** The action that was taken or tried, as one word in CamelCase: `CreateNamespace`. @default - the reason */
  readonly action?: string | undefined;
  /** The object under which people find it. @default - the reconciled object */
  readonly regarding?: EventSubject | undefined;
}
