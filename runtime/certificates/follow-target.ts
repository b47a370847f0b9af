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
  /** Milliseconds until a watch that ended is opened anew. */
  readonly pause: number;
  /** Somebody wrote it, or it is there. */
  readonly changed: () => void;
  /** It cannot be watched. */
  readonly failed: (error: unknown) => void;
}

/**
 * Tells when a target is written, until the signal aborts. It is a hint: a watch may be silent, and whoever
 * follows looks now and then all the same.
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
