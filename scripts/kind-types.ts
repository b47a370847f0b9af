/** Generates readable TypeScript types from Tenantry's schemas. */
import { listVersions, type Definition } from '@tenantry/crd/definition';
import { nameOf } from '@tenantry/crd/type-name';
import { platform } from '../crds/platform.ts';
import { quota } from '../crds/quota.ts';
import { layer } from '../crds/settings.ts';
import { tenant } from '../crds/tenant.ts';
import { tenantClass } from '../crds/tenant-class.ts';
import { catalogSource } from '@tenantry/olm/api/catalog-source';
import { clusterCatalog } from '@tenantry/olm/api/cluster-catalog';
import { clusterExtension } from '@tenantry/olm/api/cluster-extension';
import { clusterServiceVersionKind } from '@tenantry/olm/api/cluster-service-version';
import { installPlan } from '@tenantry/olm/api/install-plan';
import { operatorCondition } from '@tenantry/olm/api/operator-condition';
import { operatorGroup } from '@tenantry/olm/api/operator-group';
import { subscription } from '@tenantry/olm/api/subscription';
import { spec as serviceVersionSpec } from '@tenantry/olm/bundle/csv/spec';
import { builtinGroups, builtinResources } from '@tenantry/kube/builtin-kinds';
import { objectVerbs } from '@tenantry/kube/cluster-roles';
import { countedKeys, measuredKeys } from '@tenantry/kube/quota-keys';
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
  for (const { spec } of [tenant, tenantClass, platform]) kinds.formatType(spec);
  const bundles = new TypeWriter(knownOfBundles, []);
  bundles.formatType(serviceVersionSpec);
  const onClusters = new TypeWriter(knownOfOlm, []);
  for (const { properties = {} } of olmKinds.flatMap(listVersions).map(({ schema }) => schema)) {
    // The spec of a ClusterServiceVersion is in the module of bundles.
    if (nameOf(properties['spec']!)?.name !== nameOf(serviceVersionSpec)?.name) {
      onClusters.formatType(properties['spec']!);
    }
    onClusters.formatType(properties['status']!);
  }
  return [
    await renderModule('crds', kinds.declarations, [
      'from the schemas of our kinds',
      "import type { KubeObject } from '@tenantry/kube/object';",
      "import type { JSONSchemaProps, LabelSelector } from '@tenantry/crd/schema/language';",
    ]),
    await renderModule('packages/olm/bundle/csv', bundles.declarations, [
      'from the schemas of the ClusterServiceVersion',
      "import type { DeploymentSpec } from '@tenantry/kube/api/apps';",
      "import type { Immutable } from '@tenantry/kube/immutable';",
      "import type { LabelSelector } from '@tenantry/crd/schema/language';",
    ]),
    await renderModule('packages/olm/api', onClusters.declarations, [
      "from the schemas of OLM's kinds",
      "import type { Affinity, EnvFromSource, EnvVar, Toleration, Volume, VolumeMount } from '@tenantry/kube/api/core';",
      "import type { Immutable } from '@tenantry/kube/immutable';",
      "import type { Condition, LabelSelector } from '@tenantry/crd/schema/language';",
    ]),
  ];
}

async function renderModule(
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
