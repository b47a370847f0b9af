/** Schemas of how OLM installs an operator. */
import type { DeploymentSpec } from '../../../kube/api/apps.ts';
import type { Immutable } from '../../../kube/immutable.ts';
import { builtinSchema } from '../../../schema/builtin-object.ts';
import {
  enumOf,
  list,
  map,
  object,
  required,
  string,
  type Schema,
} from '../../../schema/language.ts';
import { named } from './named.ts';

const words = (description: string) => list(description, string('An entry.'));

const rule = named(
  'StrategyRule',
  object('A rule of RBAC.', {
    verbs: required(words('The allowed verbs.')),
    apiGroups: words('The API groups; empty for the core group.'),
    resources: words('The resources, in the plural.'),
    resourceNames: words('The objects, by name. Default: all.'),
    nonResourceURLs: words('Paths of the API server; only in `clusterPermissions`.'),
  }),
);

const permissions = named(
  'StrategyPermissions',
  object('The permissions of a ServiceAccount.', {
    serviceAccountName: required(string('The ServiceAccount; OLM creates it.')),
    rules: required(list('The rules.', rule)),
  }),
);

/** The spec of a Deployment, by Kubernetes' own schema. The API server requires these two fields. */
const deploymentSpec: Schema<Immutable<DeploymentSpec>> = {
  ...builtinSchema('DeploymentSpec'),
  description: 'The spec of a Deployment.',
  required: ['selector', 'template'],
};

const deployment = named(
  'StrategyDeployment',
  object('A Deployment that OLM creates.', {
    name: required(string('Its name.')),
    spec: required(named('StrategyDeploymentSpec', deploymentSpec)),
    label: map('Labels of the Deployment.', string('A value.')),
  }),
);

export const install = named(
  'InstallStrategy',
  object('The installation of an operator.', {
    strategy: required(enumOf('The only strategy of OLM.', ['deployment'])),
    spec: named(
      'DeploymentStrategySpec',
      object('The objects that OLM creates for an operator.', {
        deployments: required(list('The Deployments of the operator.', deployment)),
        permissions: list('The permissions in the namespaces that it watches.', permissions),
        clusterPermissions: list('The permissions in the whole cluster.', permissions),
      }),
    ),
  }),
);
