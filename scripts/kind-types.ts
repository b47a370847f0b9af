/** Generates readable TypeScript types from Tenantry's schemas. */
import { versionsOf, type Definition } from '../crds/definition.ts';
import { nameOf } from '../crds/type-name.ts';
import { platform } from '../crds/tenantry/platform.ts';
import { quota } from '../crds/tenantry/quota.ts';
import { layer } from '../crds/tenantry/settings.ts';
import { tenant } from '../crds/tenantry/tenant.ts';
import { tenantClass } from '../crds/tenantry/tenant-class.ts';
import { catalogSource } from '../olm/api/catalog-source.ts';
import { clusterCatalog } from '../olm/api/cluster-catalog.ts';
import { clusterExtension } from '../olm/api/cluster-extension.ts';
import { clusterServiceVersionKind } from '../olm/api/cluster-service-version.ts';
import { installPlan } from '../olm/api/install-plan.ts';
import { operatorCondition } from '../olm/api/operator-condition.ts';
import { operatorGroup } from '../olm/api/operator-group.ts';
import { subscription } from '../olm/api/subscription.ts';
import { spec as serviceVersionSpec } from '../olm/bundle/csv/spec.ts';
import { builtinGroups, builtinResources } from '../kube/builtin-kinds.ts';
import { objectVerbs } from '../kube/cluster-roles.ts';
import { countedKeys, measuredKeys } from '../kube/quota-keys.ts';
import { formatted, open, TypeWriter, union, type KnownTypes } from './type-writer.ts';

/** A type of amounts by key: known keys, and patterns of keys. */
const amounts = (words: Iterable<string>, patterns: readonly string[]): string =>
  `{ readonly [K in ${union(words)}]?: number | string } & ` +
  `{ readonly [K in ${patterns.map((one) => `\`${one}\``).join(' | ')}]: number | string }`;

const ANY = '${string}';

/** Types with more detail than the schema has, such as the known values of a string. */
const knownOfKinds: KnownTypes = {
  ApiGroup: ["An API group: one of Kubernetes' own, or any other.", open(builtinGroups())],
  ResourceName: [
    "A resource in the plural: one of Kubernetes' own, or any other.",
    open(
      builtinGroups()
        .flatMap((group) => [...builtinResources(group)!])
        .toSorted(),
    ),
  ],
  Verb: ['A verb of RBAC: one for objects, or any other.', open(objectVerbs)],
  QuotaAmounts: [
    'Amounts by the keys of a ResourceQuota: what Kubernetes measures and counts by a name of its own, `count/<resource>.<group>`, huge pages, storage classes and extended resources such as `requests.nvidia.com/gpu`.',
    amounts(
      [...measuredKeys, ...countedKeys],
      [`hugepages-${ANY}`, `requests.hugepages-${ANY}`, `${ANY}/${ANY}`],
    ),
  ],
  ParameterSchema: ['The schema of the parameters of a preset.', 'JSONSchemaProps'],
  LimitAmounts: [
    'Amounts by the resources of a container, a pod or a volume claim, huge pages and extended resources such as `nvidia.com/gpu` among them.',
    amounts(
      ['cpu', 'memory', 'ephemeral-storage', 'storage'],
      [`hugepages-${ANY}`, `${ANY}/${ANY}`],
    ),
  ],
};

const knownOfBundles: KnownTypes = {
  StrategyDeploymentSpec: ['The spec of a Deployment of apps/v1.', 'Immutable<DeploymentSpec>'],
};

/** Fields of pods that kinds of OLM contain. */
const knownOfOlm: KnownTypes = {
  OlmAffinity: ['The affinity of pods, as in the spec of a pod.', 'Immutable<Affinity>'],
  OlmTolerations: ['The tolerations of pods, as in the spec of a pod.', listed('Toleration')],
  OlmVariables: [
    'The environment variables of containers, as in the spec of a pod.',
    listed('EnvVar'),
  ],
  OlmVariableSources: [
    'The ConfigMaps and Secrets of environment variables, as in the spec of a pod.',
    listed('EnvFromSource'),
  ],
  OlmVolumes: ['The volumes of pods, as in the spec of a pod.', listed('Volume')],
  OlmVolumeMounts: [
    'The volume mounts of containers, as in the spec of a pod.',
    listed('VolumeMount'),
  ],
};

function listed(type: string): string {
  return `readonly Immutable<${type}>[]`;
}

/** A module of types, and the module that exports them by name. */
export interface TypesModule {
  readonly folder: string;
  readonly types: string;
  readonly names: string;
}

const olmKinds: readonly Definition[] = [
  catalogSource,
  subscription,
  operatorGroup,
  installPlan,
  operatorCondition,
  clusterServiceVersionKind,
  clusterCatalog,
  clusterExtension,
];

/** Returns the modules types.ts and types-by-name.ts of each folder that has them. */
export async function typesModules(): Promise<readonly TypesModule[]> {
  const kinds = new TypeWriter(knownOfKinds, [layer, quota]);
  for (const { spec } of [tenant, tenantClass, platform]) kinds.typeOf(spec);
  const bundles = new TypeWriter(knownOfBundles, []);
  bundles.typeOf(serviceVersionSpec);
  const onClusters = new TypeWriter(knownOfOlm, []);
  for (const { properties = {} } of olmKinds.flatMap(versionsOf).map(({ schema }) => schema)) {
    // The spec of a ClusterServiceVersion is in the module of bundles.
    if (nameOf(properties['spec']!)?.name !== nameOf(serviceVersionSpec)?.name) {
      onClusters.typeOf(properties['spec']!);
    }
    onClusters.typeOf(properties['status']!);
  }
  return [
    await moduleOf('crds/tenantry', kinds.declarations, [
      'from the schemas of our kinds',
      "import type { KubeObject } from '../../kube/object.ts';",
      "import type { JSONSchemaProps, LabelSelector } from '../../schema/language.ts';",
    ]),
    await moduleOf('olm/bundle/csv', bundles.declarations, [
      'from the schemas of the ClusterServiceVersion',
      "import type { DeploymentSpec } from '../../../kube/api/apps.ts';",
      "import type { Immutable } from '../../../kube/immutable.ts';",
      "import type { LabelSelector } from '../../../schema/language.ts';",
    ]),
    await moduleOf('olm/api', onClusters.declarations, [
      "from the schemas of OLM's kinds",
      "import type { Affinity, EnvFromSource, EnvVar, Toleration, Volume, VolumeMount } from '../../kube/api/core.ts';",
      "import type { Immutable } from '../../kube/immutable.ts';",
      "import type { Condition, LabelSelector } from '../../schema/language.ts';",
    ]),
  ];
}

async function moduleOf(
  folder: string,
  declared: ReadonlyMap<string, string>,
  [source = '', ...imports]: readonly string[],
): Promise<TypesModule> {
  const note = `// Generated by \`npm run gen\` ${source}.`;
  const types = [note, ...imports, '', ...declared.values()];
  const names = [
    note,
    "import type * as types from './types.ts';",
    '',
    '/** The types of ./types.ts by their names. */',
    'export interface TypesByName {',
    ...[...declared.keys()].map((name) => `  readonly ${name}: types.${name};`),
    '}',
  ];
  return { folder, types: await formatted(types), names: await formatted(names) };
}
