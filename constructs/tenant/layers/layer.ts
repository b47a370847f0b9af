import { formatList, show, type Path } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';

/** Settings, with their origin and place. */
export interface Layer {
  readonly settings: Settings;
  readonly byTenant: boolean;
  /** Returns the place of a setting in what is validated; see `ClassPathResolver`. */
  at(...setting: Path): Path;
}

/**
 * Returns the place of findings about a setting of a class. In a Tenant it is the name of the class; in the class it is
 * the place below its spec.
 * @param isBase whether the parent of the class contains the setting
 */
export type ClassPathResolver = (isBase: boolean, ...place: Path) => Path;

/** Receives a preset name that the class does not have. */
export type UnknownPresetReporter = (path: Path, name: string, known: readonly string[]) => void;

/** Formats the message about an unknown preset. */
export function formatUnknownPreset(
  klass: string,
  preset: string,
  known: readonly string[],
): string {
  const hint = known.length > 0 ? `one of ${formatList(known)}` : 'left out: it has none';
  return `must be a preset of class ${klass} (${hint}), got ${show(preset)}`;
}
