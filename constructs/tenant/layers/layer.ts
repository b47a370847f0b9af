import type { Path } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';

/** Settings, who says them, and where they stand in the Tenant (for what comes from a class: its name). */
export interface Layer {
  readonly settings: Settings;
  readonly path: Path;
  readonly byTenant: boolean;
}

/** Told of a preset that the class does not have. */
export type UnknownPreset = (path: Path, name: string, known: readonly string[]) => void;
