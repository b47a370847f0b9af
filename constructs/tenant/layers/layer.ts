import { formatList, show, type Path } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';

/** Settings, who says them, and where. */
export interface Layer {
  readonly settings: Settings;
  readonly byTenant: boolean;
  /** Where a part of the settings stands in what is checked; see `ClassPathResolver`. */
  at(...setting: Path): Path;
}

/**
 * Where findings about what a class says stand: in a Tenant at the name of the class, in the class
 * itself at the place below its spec.
 * @param isBase whether the class that it extends says it
 */
export type ClassPathResolver = (isBase: boolean, ...place: Path) => Path;

/** Told of a preset that the class does not have. */
export type UnknownPresetReporter = (path: Path, name: string, known: readonly string[]) => void;

/** What is said of one. */
export function formatUnknownPreset(
  klass: string,
  preset: string,
  known: readonly string[],
): string {
  const hint = known.length > 0 ? `one of ${formatList(known)}` : 'left out: it has none';
  return `must be a preset of class ${klass} (${hint}), got ${show(preset)}`;
}
