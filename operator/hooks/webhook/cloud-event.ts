import type { HookCall, HookEvent } from '../sender.ts';

const types: Readonly<Record<HookEvent, string>> = {
  Onboarded: 'dev.tenantry.tenant.onboarded',
  Offboarding: 'dev.tenantry.tenant.offboarding',
};

/**
 * Formats a call as a CloudEvent 1.0 in JSON. Its `id` is the key, which no other source uses.
 *
 * Source: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
export function cloudEvent({ key, event, at, tenant }: HookCall): string {
  return JSON.stringify({
    specversion: '1.0',
    id: key,
    source: `/clusters/${encodeURIComponent(tenant.cluster)}`,
    type: types[event],
    subject: tenant.name,
    time: at,
    datacontenttype: 'application/json',
    data: { tenant },
  });
}
