import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hook } from '../../crds/types.ts';
import type { Clock } from '@tenantry/runtime/clock/clock';
import { NodeHttp } from './http.ts';
import { HookRefused, type HookCall, type Sender, type HookContext } from './sender.ts';
import { resolveHookUrl } from '../../model/operator/hooks.ts';
import { jenkinsSender } from './jenkins/jenkins-sender.ts';
import { slackSender } from './slack/slack-sender.ts';
import { webhookSender } from './webhook.ts';

/** Milliseconds that a running attempt may still take when the operator stops. */
const GRACE = 5000;

/** The dependencies of delivery attempts. */
export interface AttemptProps {
  /** The folder that contains a folder for each hook, in which its Secret is mounted. */
  readonly credentials: string;
  /** The environment whose HTTPS_PROXY and NO_PROXY apply. @default - no proxy */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Returns the receiver that delivers for a hook. @default - the receiver that the hook declares */
  readonly receiverOf?: ((hook: Hook, clock: Clock) => Receiver) | undefined;
}

/** One attempt at a call. */
export interface DeliveryAttempt {
  readonly hook: Hook;
  readonly call: HookCall;
  /** Whether there was an earlier attempt, which may have reached the receiver. */
  readonly isAgain: boolean;
  /** The most milliseconds that it may take. */
  readonly time: number;
  readonly clock: Clock;
  /** Aborts when the operator stops. */
  readonly stop: AbortSignal;
}

/**
 * Delivers a call within its time.
 * @returns the reference
 * @throws {HookRefused} if the receiver refused the call, or if its outcome is unknown
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
    // The original error may contain anything, so its text must not reach a status.
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

/** The sender of a hook, and the address whose origin it calls. */
export interface Receiver {
  readonly sender: Sender;
  readonly address: URL;
}

/** @throws {Error} for a hook that does not fit its schema */
export function createReceiver(hook: Hook, clock: Clock): Receiver {
  return { sender: createSender(hook, clock), address: resolveHookUrl(hook) };
}

function createSender({ name, webhook, jenkins, slack }: Hook, clock: Clock): Sender {
  if (webhook) return webhookSender(webhook, clock);
  if (jenkins) return jenkinsSender(jenkins, clock);
  if (slack) return slackSender(slack);
  throw new Error(`hook ${name} must have a receiver`);
}

/**
 * Reads the keys of a hook's Secret from files. The kubelet mounts the Secret as a folder and updates it when it
 * changes. Each key is read when it is used, so the operator needs no right to read Secrets.
 */
function mountedCredentials(
  folder: string,
  hook: { readonly name: string; readonly secret: string },
): Pick<HookContext, 'credential' | 'optionalCredential'> {
  const optionalCredential = async (key: string): Promise<string | undefined> => {
    try {
      const text = await readFile(join(folder, hook.name, key), 'utf8');
      return text.replace(/\r?\n$/, '') || undefined;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      const message = `the key '${key}' of Secret ${hook.secret} could not be read (${code})`;
      throw new HookRefused(message, { final: false, cause });
    }
  };
  return {
    optionalCredential,
    credential: async (key) => {
      const value = await optionalCredential(key);
      if (value !== undefined) return value;
      const message = `Secret ${hook.secret} must have the key '${key}', and it is not there, or empty`;
      throw new HookRefused(message, { final: false });
    },
  };
}
