import type { PolicyRule } from '../../../kube/access.ts';
import { application } from '../api/application.ts';
import { applicationSet } from '../api/application-set.ts';
import { appProject } from '../api/app-project.ts';

/** Argo CD's own kinds, which Applications that keep others apply. */
export const ownKinds = [application, applicationSet, appProject];

/**
 * Builds the access to read its own kinds in all namespaces of the cluster where Argo CD runs. Its installation
 * contains a Role to write them in its own namespace.
 */
export function buildOwnAccess(runsHere: boolean): PolicyRule[] {
  if (!runsHere) return [];
  return [
    {
      apiGroups: [application.group],
      resources: ownKinds.map(({ plural }) => plural),
      verbs: ['get', 'list', 'watch'],
    },
  ];
}
