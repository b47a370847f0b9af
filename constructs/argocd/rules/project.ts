import type { Finding } from '../../../kube/finding.ts';
import type { AppProjectSpec } from '../api/types.ts';
import type { ProjectOpening } from './opening.ts';
import { validateAllowLists } from './project-lists.ts';
import { validateProjectFields } from './project-validity.ts';

/** Validates an AppProject: Argo CD can use it, and it allows only what its lists show. */
export function validateProject(
  { metadata, spec }: ProjectManifest,
  opens: ReadonlySet<ProjectOpening> = new Set(),
): readonly Finding[] {
  const { name, namespace } = metadata;
  return [...validateProjectFields(name, spec), ...validateAllowLists({ spec, namespace, opens })];
}

/** The parts of an AppProject that are validated. */
export interface ProjectManifest {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: AppProjectSpec;
}
