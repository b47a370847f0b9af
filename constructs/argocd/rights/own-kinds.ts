import type { PolicyRule } from '../../../kube/access.ts';
import { application } from '../api/application.ts';
import { applicationSet } from '../api/application-set.ts';
import { appProject } from '../api/app-project.ts';

/** The kinds by which Argo CD is told what to do: Applications that hold others apply them. */
export const ownKinds = [application, applicationSet, appProject];

/**
 * What it reads of them in the cluster where it runs, in all namespaces. To write those in its own it has a Role of
 * its installation.
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
