import type { Hook } from '../../crds/tenantry/types.ts';
import type { Clock } from '../../runtime/clock/clock.ts';
import { mountedCredentials } from './credentials.ts';
import { NodeHttp } from './http.ts';
import { HookRefused, type HookCall, type Sender } from './sender.ts';
import { createReceiver, type Receiver } from './senders.ts';

/** Milliseconds that an attempt still has when the operator is to stop. */
const GRACE = 5000;

/** With what calls are delivered. */
export interface AttemptProps {
  /** The folder with a folder for each hook, in which its Secret is mounted. */
  readonly credentials: string;
  /** Whose HTTPS_PROXY and NO_PROXY hold. @default - no proxy */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Who delivers for a hook. @default - what the hook says */
  readonly receiverOf?: ((hook: Hook, clock: Clock) => Receiver) | undefined;
}

/** One attempt at a call. */
export interface DeliveryAttempt {
  readonly hook: Hook;
  readonly call: HookCall;
  /** Whether there was one before, which may have come through. */
  readonly isAgain: boolean;
  /** Milliseconds that it may take. */
  readonly time: number;
  readonly clock: Clock;
  /** When the operator is to stop. */
  readonly stop: AbortSignal;
}

/**
 * Delivers, within its time.
 * @returns the reference
 * @throws {HookRefused} where it was not taken, or nobody knows
 */
export async function attemptDelivery(props: AttemptProps, one: DeliveryAttempt): Promise<string> {
  const { hook, call, isAgain, time, clock, stop } = one;
  const over = new AbortController();
  const end = (): void => over.abort(new Error('the time of the attempt is over'));
  const timers = [clock.after(time, end)];
  const soon = (): void => void timers.push(clock.after(GRACE, end));
  if (stop.aborted) soon();
  else stop.addEventListener('abort', soon, { once: true });
  try {
    const { environment, receiverOf: receiver = createReceiver } = props;
    const { sender, address } = receiver(hook, clock);
    const { signal } = over;
    const { authorities } = hook;
    const context = {
      signal,
      http: new NodeHttp({ address, authorities, signal, clock, environment }),
      ...mountedCredentials(props.credentials, hook),
    };
    return await found(sender, isAgain, call, context);
  } catch (error) {
    if (error instanceof HookRefused) throw error;
    // What went wrong may have anything in it: it is no text for a status.
    throw new HookRefused('the call could not be made', { final: false, cause: error });
  } finally {
    stop.removeEventListener('abort', soon);
    for (const cancel of timers) cancel();
  }
}

async function found(
  sender: Sender,
  isAgain: boolean,
  call: HookCall,
  context: Parameters<Sender['send']>[1],
): Promise<string> {
  const known = isAgain ? await sender.find?.(call, context) : undefined;
  return known ?? (await sender.send(call, context));
}
