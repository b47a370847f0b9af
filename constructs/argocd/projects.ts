import type { IConstruct } from 'constructs';
import { prefixFinding, type Finding } from '../../kube/finding.ts';
import { findSameClusterObjects } from '../beside.ts';
import { appProject } from './api/app-project.ts';
import type { ApplicationSpec, AppProjectSpec } from './api/types.ts';
import type { ArgoCdObject } from './object.ts';
import { validateAgainstProject } from './rules/permitted.ts';

/**
 * Validates that the project of an Application allows what it requests, if the project is in the same app: in the
 * namespace of the Application and for the same cluster.
 * @param path the path of the spec
 */
export function validateAgainstProjects(
  made: IConstruct,
  namespace: string,
  spec: ApplicationSpec,
  path: readonly string[],
): Finding[] {
  return findSameClusterObjects(made, appProject)
    .map((one) => one.toJson() as ArgoCdObject<AppProjectSpec>)
    .filter(({ metadata }) => metadata.name === spec.project && metadata.namespace === namespace)
    .flatMap((one) => validateAgainstProject(spec, one.spec, one.metadata.name))
    .map((finding) => prefixFinding(path, finding));
}
