// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/events.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/events.ts';

/** Event is a report of an event somewhere in the cluster. */
export const Event: Kind<Event, 'events.k8s.io', 'Event'> = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
};

export type Event = api.Event;
