import { NodeHttp } from '../../../operator/hooks/http.ts';
import type { HookCall, HookContext, Sender } from '../../../operator/hooks/sender.ts';
import { systemClock } from '@tenantry/runtime/clock/clock';

/** The operator was killed, so nothing after this is observed. */
export class Killed extends Error {}

export const call: HookCall = {
  key: 'k-3f9a',
  event: 'Onboarded',
  at: '2026-03-01T12:00:00Z',
  tenant: {
    name: 'acme',
    uid: '0a1b2c3d-0000-4000-8000-000000000001',
    className: 'standard',
    cluster: 'eu1',
    namespaces: ['acme-dev', 'acme-prod'],
    contact: { team: 'Payments & <Friends>', email: 'ann@example.com' },
    labels: { 'example.com/zone': 'a' },
  },
};

/** Returns the context of an attempt with these credentials; the operator is killed after the nth answer. */
export function contextWith(
  credentials: Readonly<Record<string, string>>,
  killedAfter = Infinity,
): HookContext {
  let left = killedAfter;
  const { signal } = new AbortController();
  return {
    signal,
    credential: (key) => Promise.resolve(credentials[key] ?? ''),
    optionalCredential: (key) => Promise.resolve(credentials[key]),
    http: {
      async exchange(request) {
        if (left <= 0) throw new Killed();
        const address = new URL(request.url.origin);
        const http = new NodeHttp({ address, signal, clock: systemClock });
        const answer = await http.exchange(request);
        left -= 1;
        if (left <= 0) throw new Killed();
        return answer;
      },
    },
  };
}

/** Delivers as the engine does: every attempt after the first starts with a search for an earlier result. */
export async function deliver(
  sender: Sender,
  of: HookCall,
  context: HookContext,
  attempt: number,
): Promise<string> {
  const found = attempt > 0 ? await sender.find?.(of, context) : undefined;
  return found ?? sender.send(of, context);
}

/**
 * Delivers while the operator is killed after the given answers of its first and its second attempt. Returns the
 * result, and whether it was killed at all.
 */
export async function deliverThoughKilled(
  sender: Sender,
  of: HookCall,
  credentials: Readonly<Record<string, string>>,
  kills: readonly number[],
): Promise<{ readonly reference: string; readonly killed: number }> {
  for (let attempt = 0; ; attempt++) {
    try {
      const context = contextWith(credentials, kills[attempt]);
      return { reference: await deliver(sender, of, context, attempt), killed: attempt };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}
