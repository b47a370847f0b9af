import { listed, show, type Path } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';

/** Settings, who says them, and where they stand in the Tenant (for what comes from a class: its name). */
export interface Layer {
  readonly settings: Settings;
  readonly path: Path;
  readonly byTenant: boolean;
}

/** Told of a preset that the class does not have. */
export type UnknownPreset = (path: Path, name: string, known: readonly string[]) => void;

/** What is said of one. */
export function unknownPresetWords(
  klass: string,
  preset: string,
  known: readonly string[],
): string {
  const hint = known.length > 0 ? `one of ${listed(known)}` : 'left out: it has none';
  return `must be a preset of class ${klass} (${hint}), got ${show(preset)}`;
}
