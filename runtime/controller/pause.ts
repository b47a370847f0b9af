import type { Live } from '../kinds/kind.ts';

/** On an object: all controllers of this runtime leave it alone. */
export const PAUSED = 'tenantry.dev/paused';

/** On an object: this controller leaves it alone. */
function formatPauseAnnotation(controller: string): string {
  return `${controller}.${PAUSED}`;
}

/**
 * The annotation by which a controller leaves the object alone. Whatever it says but `false` pauses, so
 * that `True`, `yes` and nothing at all do what was meant.
 */
export function findPauseAnnotation(controller: string, { metadata }: Live): string | undefined {
  const { annotations = {} } = metadata;
  return [PAUSED, formatPauseAnnotation(controller)].find(
    (name) => Object.hasOwn(annotations, name) && annotations[name] !== 'false',
  );
}
