import type { Client, Reader } from '../client/client.ts';
import { ApiError } from '../errors/api-error.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../kinds/admissionregistration.ts';
import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import type { Live } from '../kinds/kind.ts';
import type { Clock } from '../clock/clock.ts';

/** The object whose `caBundle` is maintained. */
export interface InjectionTarget {
  readonly kind:
    'CustomResourceDefinition' | 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly name: string;
  /** Only these webhooks of a configuration. @default - all */
  readonly webhooks?: readonly string[] | undefined;
}

export interface ReadTarget {
  readonly target: InjectionTarget;
  /** Undefined if the target does not exist or has no webhook. */
  readonly resourceVersion?: string | undefined;
  /** Why nothing can be injected, for the log. */
  readonly missing?: string | undefined;
  /** Whether every `caBundle` equals this one. */
  has(bundle: string): boolean;
  /** Writes only the `caBundle`. Rejects with a conflict if the target was written since it was read. */
  inject(bundle: string): Promise<void>;
}

/**
 * Reads a target. Its `caBundle` is written by a merge patch, as an update, not by server-side apply. If the field were
 * applied, a part of a webhook would stay when its owner removes the rest, and the API server would refuse that.
 */
export async function readTarget(client: Client, target: InjectionTarget): Promise<ReadTarget> {
  const missing = (why: string): ReadTarget => ({
    target,
    missing: why,
    has: () => false,
    inject: () => Promise.resolve(),
  });
  try {
    return (await targetReaders[target.kind](client, target)) ?? missing('it has no webhook');
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return missing('it is not there yet');
    throw error;
  }
}

type TargetReader = (client: Client, target: InjectionTarget) => Promise<ReadTarget | undefined>;

const targetReaders: Readonly<Record<InjectionTarget['kind'], TargetReader>> = {
  CustomResourceDefinition: readDefinition,
  ValidatingWebhookConfiguration: createConfigurationReader(ValidatingWebhookConfiguration),
  MutatingWebhookConfiguration: createConfigurationReader(MutatingWebhookConfiguration),
};

async function readDefinition(
  client: Client,
  target: InjectionTarget,
): Promise<ReadTarget | undefined> {
  const { spec, metadata } = await client.get(CustomResourceDefinition, { name: target.name });
  const config = spec.conversion?.webhook?.clientConfig;
  if (!config) return undefined;
  const { resourceVersion } = metadata;
  return {
    target,
    resourceVersion,
    has: (bundle) => config.caBundle === encodeBase64(bundle),
    inject: async (bundle) => {
      const clientConfig = { caBundle: encodeBase64(bundle) };
      const patch = {
        metadata: { resourceVersion },
        spec: { conversion: { webhook: { clientConfig } } },
      };
      await client.patch(CustomResourceDefinition, { name: target.name }, patch, patchOptions);
    },
  };
}

function createConfigurationReader(
  kind: typeof ValidatingWebhookConfiguration | typeof MutatingWebhookConfiguration,
): TargetReader {
  return async (client, target) => {
    const read: Live<typeof kind> = await client.get(kind, { name: target.name });
    const { resourceVersion } = read.metadata;
    const { webhooks = [] } = read;
    const isOurs = (name: string): boolean => target.webhooks?.includes(name) ?? true;
    const ours = webhooks.filter(({ name }) => isOurs(name));
    if (ours.length === 0) return undefined;
    return {
      target,
      resourceVersion,
      has: (bundle) =>
        ours.every(({ clientConfig }) => clientConfig.caBundle === encodeBase64(bundle)),
      inject: async (bundle) => {
        const caBundle = encodeBase64(bundle);
        // A merge patch replaces a list as a whole, so everything that was read is sent, on condition that it has not
        // changed.
        const all = webhooks.map((webhook) =>
          isOurs(webhook.name)
            ? { ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } }
            : webhook,
        );
        const patch = { metadata: { resourceVersion }, webhooks: all };
        await client.patch(kind, { name: target.name }, patch, patchOptions);
      },
    };
  };
}

/** The field manager of caBundle in managedFields. */
const patchOptions = { fieldManager: 'tenantry-cabundle' };

function encodeBase64(bundle: string): string {
  return Buffer.from(bundle).toString('base64');
}

const kinds = {
  CustomResourceDefinition,
  ValidatingWebhookConfiguration,
  MutatingWebhookConfiguration,
} as const;

interface WatchTargetProps {
  readonly reader: Pick<Reader, 'watch'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds until an ended watch is opened again. */
  readonly pause: number;
  /** Called when the target was written or created. */
  readonly changed: () => void;
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
  const options = { fieldSelector: `metadata.name=${name}`, metadataOnly: true, signal };
  while (!signal.aborted) {
    try {
      for await (const { type } of reader.watch(kinds[kind], options)) {
        if (type !== 'BOOKMARK') changed();
      }
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    await clock.sleep(pause, signal).catch(() => {});
  }
}
