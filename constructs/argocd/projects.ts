import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { within, type Finding } from '../../kube/finding.ts';
import { clusterOf } from '../clusterof.ts';
import { appProject } from './api/appproject.ts';
import type { ApplicationSpec, AppProjectSpec } from './api/types.ts';
import type { ArgoCdObject } from './object.ts';
import { permittedFindings } from './rules/permitted.ts';

/**
 * What an Application asks for that its project does not let in, where the project is in the same app: in the
 * namespace of the Application and for the same cluster.
 * @param path where the spec stands
 */
export function ofProject(
  made: IConstruct,
  namespace: string,
  spec: ApplicationSpec,
  path: readonly string[],
): Finding[] {
  const cluster = clusterOf(made);
  return made.node.root.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one) && isProject(one))
    .filter((one) => clusterOf(one) === cluster)
    .map((one) => one.toJson() as ArgoCdObject<AppProjectSpec>)
    .filter(({ metadata }) => metadata.name === spec.project && metadata.namespace === namespace)
    .flatMap((one) => permittedFindings(spec, one.spec, one.metadata.name))
    .map((finding) => within(path, finding));
}

function isProject({ apiGroup, kind }: ApiObject): boolean {
  return apiGroup === appProject.group && kind === appProject.kind;
}
