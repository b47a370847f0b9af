import type { Reader } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../kinds/admissionregistration.ts';
import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import type { InjectionTarget } from './injection.ts';

const kinds = {
  CustomResourceDefinition,
  ValidatingWebhookConfiguration,
  MutatingWebhookConfiguration,
} as const;

export interface WatchTargetProps {
  readonly reader: Pick<Reader, 'watch'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds until an ended watch is opened again. */
  readonly pause: number;
  /** Called when the target was written or created. */
  readonly changed: () => void;
  /** Called when the target cannot be watched. */
  readonly failed: (error: unknown) => void;
}

/**
 * Calls back when a target is written, until the signal aborts. This is a hint only: a watch may stay silent, so the
 * caller must also poll.
 */
export async function watchTarget(
  { kind, name }: InjectionTarget,
  { reader, clock, signal, pause, changed, failed }: WatchTargetProps,
): Promise<void> {
  const asked = { fieldSelector: `metadata.name=${name}`, metadataOnly: true, signal };
  while (!signal.aborted) {
    try {
      for await (const { type } of reader.watch(kinds[kind], asked)) {
        if (type !== 'BOOKMARK') changed();
      }
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    await clock.sleep(pause, signal).catch(() => {});
  }
}
