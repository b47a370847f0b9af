import type { Live } from '../kinds/kind.ts';

/** The annotation of an object with which all controllers of this runtime leave it alone. */
export const PAUSED = 'tenantry.dev/paused';

/** Returns the annotation of an object with which this controller leaves it alone. */
function formatPauseAnnotation(controller: string): string {
  return `${controller}.${PAUSED}`;
}

/**
 * Returns the annotation that pauses the object. Any value but `false` pauses, so `True`, `yes` and an empty value work
 * as intended.
 */
export function findPauseAnnotation(controller: string, { metadata }: Live): string | undefined {
  const { annotations = {} } = metadata;
  return [PAUSED, formatPauseAnnotation(controller)].find(
    (name) => Object.hasOwn(annotations, name) && annotations[name] !== 'false',
  );
}
