import type { EventSubject, EventInput } from '../events/event.ts';

/** What a controller says of an object, for the people who look at it. */
export interface ObjectEvent extends Pick<EventInput, 'note' | 'fieldPath' | 'related'> {
  /** `Warning` is what somebody should look at. @default Normal */
  readonly type?: EventInput['type'] | undefined;
  /** Why, as one word in CamelCase for programs: `QuotaExceeded`. 1 to 128 bytes. */
  readonly reason: string;
  /** What was done or tried, as one word in CamelCase: `CreateNamespace`. @default - the reason */
  readonly action?: string | undefined;
  /** By which object people find it. @default - the one that is reconciled */
  readonly regarding?: EventSubject | undefined;
}
