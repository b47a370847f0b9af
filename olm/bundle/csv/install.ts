/** How OLM installs an operator. */
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

const words = (description: string) => list(description, string('One of them.'));

const rule = named(
  'StrategyRule',
  object('A rule of RBAC.', {
    verbs: required(words('What may be done.')),
    apiGroups: words('The groups; empty for the core group.'),
    resources: words('The resources, in the plural.'),
    resourceNames: words('The objects, by name. Default: all.'),
    nonResourceURLs: words('Paths of the API server; in `clusterPermissions` alone.'),
  }),
);

const permissions = named(
  'StrategyPermissions',
  object('What a ServiceAccount may do.', {
    serviceAccountName: required(string('The ServiceAccount; OLM creates it.')),
    rules: required(list('What it may do.', rule)),
  }),
);

/** Kubernetes' own schema says what is in it; the API server asks for these two. */
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
  object('How an operator is installed.', {
    strategy: required(enumOf('OLM knows no other.', ['deployment'])),
    spec: named(
      'DeploymentStrategySpec',
      object('What OLM creates for an operator.', {
        deployments: required(list('What runs it.', deployment)),
        permissions: list('What it may do in the namespaces that it watches.', permissions),
        clusterPermissions: list('What it may do in the whole cluster.', permissions),
      }),
    ),
  }),
);
