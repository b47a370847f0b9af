import { SLACK_API } from '../../crds/hook-services.ts';
import type { Hook } from '../../crds/types.ts';
import type { Platform } from '../declaration.ts';

/** The hooks that the operator of a cluster calls. */
export function findHooks(
  { declared }: Pick<Platform, 'declared'>,
  cluster: string,
): readonly Hook[] {
  const { hooks = [] } = declared.operator ?? {};
  return hooks.filter(({ clusters }) => clusters?.includes(cluster) ?? true);
}

/** Returns the URL of a hook. @throws {Error} for a hook that its schema refuses */
export function resolveHookUrl({ name, webhook, jenkins, slack }: Hook): URL {
  const url = webhook?.url ?? jenkins?.url ?? (slack && (slack.url ?? SLACK_API));
  if (url === undefined) throw new Error(`hook ${name} must have a receiver`);
  return new URL(url);
}

/** The ports at which hooks are called, as a network policy has to open them. */
export function listHookPorts(hooks: readonly Hook[]): readonly number[] {
  return hooks.map((hook) => {
    const { port, protocol } = resolveHookUrl(hook);
    return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  });
}
