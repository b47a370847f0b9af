import { show } from '../../../kube/problem.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const noDeployment: BundleRule = {
  id: 'deployments',
  severity: 'error',
  validators: ['good-practices'],
  description: 'the ClusterServiceVersion installs deployments',
};

const noRequests: BundleRule = {
  id: 'resource-requests',
  severity: 'warning',
  validators: ['good-practices'],
  description: 'each container of a deployment requests resources',
};

/** The rules for the Deployments of an operator and their resource requests. */
export const deployments: BundleCheck = {
  rules: [noDeployment, noRequests],
  check(bundle, say) {
    const list = bundle.csv.value.spec?.install?.spec?.deployments;
    const path = ['spec', 'install', 'spec', 'deployments'];
    if (list === undefined) {
      return say(noDeployment, locateInCsv(bundle, ...path), 'must have a deployment, got none');
    }
    for (const [i, { spec }] of list.entries()) {
      const { containers = [] } = spec?.template?.spec ?? {};
      for (const [j, { name, resources }] of containers.entries()) {
        if (resources?.requests !== undefined) continue;
        const at = [...path, i, 'spec', 'template', 'spec', 'containers', j, 'resources'];
        const message = `must request cpu and memory, got nothing in container ${show(name)}`;
        say(noRequests, locateInCsv(bundle, ...at), message);
      }
    }
  },
};
