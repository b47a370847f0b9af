import type { Finding } from '@tenantry/kube/finding';
import { validateDefinitionUpdate } from '@tenantry/crd/validation/update';
import { validateDefinition } from '@tenantry/crd/validation/validate';

/** What we say of a definition. */
export interface OurVerdict {
  readonly errors: readonly Finding[];
  /** What we leave to the API server. */
  readonly notChecked: readonly Finding[];
}

export function ourVerdict(manifest: unknown): OurVerdict {
  const { errors, notChecked } = validateDefinition(manifest);
  return { errors, notChecked };
}

/** What we say of a definition that is to take a stored one's place. */
export function ourVerdictOfUpdate(
  stored: unknown,
  manifest: unknown,
  established: boolean,
): OurVerdict {
  const { errors, notChecked } = validateDefinitionUpdate(stored, manifest, { established });
  return { errors, notChecked };
}
