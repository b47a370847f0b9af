import type { Finding } from '../../../kube/finding.ts';
import type { AppProjectSpec } from '../api/types.ts';
import type { ProjectOpening } from './opening.ts';
import { validateAllowLists } from './project-lists.ts';
import { validateProjectFields } from './project-validity.ts';

/** What is wrong with an AppProject: Argo CD would not use it, or it lets in more than somebody wrote down. */
export function validateProject(
  { metadata, spec }: ProjectManifest,
  opens: ReadonlySet<ProjectOpening> = new Set(),
): readonly Finding[] {
  const { name, namespace } = metadata;
  return [...validateProjectFields(name, spec), ...validateAllowLists({ spec, namespace, opens })];
}

/** An AppProject, as far as it is asked. */
export interface ProjectManifest {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: AppProjectSpec;
}
