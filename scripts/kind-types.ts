/** Generates readable TypeScript types from Tenantry's schemas. */
import { format, resolveConfig } from 'prettier';
import { join } from 'node:path';
import { comment } from '../crds/import/comment.ts';
import { propertyName, quoted } from '../crds/import/identifiers-and-literals.ts';
import { application } from '../constructs/argocd/api/application.ts';
import { applicationSet } from '../constructs/argocd/api/application-set.ts';
import { appProject } from '../constructs/argocd/api/app-project.ts';
import { gitRepository } from '../constructs/flux/api/git-repository.ts';
import { kustomization } from '../constructs/flux/api/kustomization.ts';
import { terminalGenerator } from '../constructs/argocd/api/generators.ts';
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
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { isDeepEqual } from '../kube/equality.ts';
import { condition, labelSelector } from '../schema/language.ts';

import { wordsOf } from '../schema/words.ts';
import { root } from './steps.ts';

const selector = labelSelector();
const foundCondition = condition();

const union = (words: Iterable<string>): string => [...new Set(words)].map(quoted).join(' | ');

/** A type that completes in an editor, and accepts any other string too. */
const open = (words: Iterable<string>): string => `${union(words)} | (string & {})`;

/** A type of amounts by key: known keys, and patterns of keys. */
const amounts = (words: Iterable<string>, patterns: readonly string[]): string =>
  `{ readonly [K in ${union(words)}]?: number | string } & ` +
  `{ readonly [K in ${patterns.map((one) => `\`${one}\``).join(' | ')}]: number | string }`;

const ANY = '${string}';

type Known = Readonly<Record<string, readonly [what: string, text: string]>>;

/** Types with more detail than the schema has, such as the known values of a string. */
const knownOfKinds: Known = {
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

const knownOfBundles: Known = {
  StrategyDeploymentSpec: ['The spec of a Deployment of apps/v1.', 'Immutable<DeploymentSpec>'],
};

/** Fields of pods that kinds of OLM contain. */
const knownOfOlm: Known = {
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

/** Fields that Argo CD's definitions leave open. */
const knownOfArgoCd: Known = {
  SyncOption: [
    'An option of a sync: one of those that Argo CD knows, or any other.',
    open([
      'ApplyOutOfSyncOnly=true',
      'ClientSideApplyMigration=false',
      'CreateNamespace=true',
      'Delete=false',
      'Delete=confirm',
      'FailOnSharedResource=true',
      'Force=true',
      'Prune=false',
      'Prune=confirm',
      'PruneLast=true',
      'PrunePropagationPolicy=background',
      'PrunePropagationPolicy=foreground',
      'PrunePropagationPolicy=orphan',
      'Replace=true',
      'RespectIgnoreDifferences=true',
      'ServerSideApply=true',
      'SkipDryRunOnMissingResource=true',
      'Validate=false',
    ]),
  ],
  NestedMatrixGenerator: [
    'Each set of one generator with each of another.',
    '{ readonly generators: readonly ApplicationSetTerminalGenerator[] }',
  ],
  NestedMergeGenerator: [
    'Sets of several generators that agree, made one.',
    '{ readonly generators: readonly ApplicationSetTerminalGenerator[]; readonly mergeKeys: readonly string[] }',
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

const argoCdKinds: readonly Definition[] = [appProject, application, applicationSet];

const fluxKinds: readonly Definition[] = [gitRepository, kustomization];

/** Returns the modules types.ts and types-by-name.ts of each folder that has them. */
export async function typesModules(): Promise<readonly TypesModule[]> {
  const kinds = new Writer(knownOfKinds, [layer, quota]);
  for (const { spec } of [tenant, tenantClass, platform]) kinds.typeOf(spec);
  const bundles = new Writer(knownOfBundles, []);
  bundles.typeOf(serviceVersionSpec);
  const onClusters = new Writer(knownOfOlm, []);
  for (const { properties = {} } of olmKinds.flatMap(versionsOf).map(({ schema }) => schema)) {
    // The spec of a ClusterServiceVersion is in the module of bundles.
    if (nameOf(properties['spec']!)?.name !== nameOf(serviceVersionSpec)?.name) {
      onClusters.typeOf(properties['spec']!);
    }
    onClusters.typeOf(properties['status']!);
  }
  const ofArgoCd = new Writer(knownOfArgoCd, []);
  writePartsOf(argoCdKinds, ofArgoCd);
  ofArgoCd.typeOf(terminalGenerator);
  const ofFlux = new Writer({}, []);
  writePartsOf(fluxKinds, ofFlux);
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
    await moduleOf('constructs/argocd/api', ofArgoCd.declarations, [
      "from the schemas of Argo CD's kinds",
      "import type { LabelSelector } from '../../../schema/language.ts';",
    ]),
    await moduleOf('constructs/flux/api', ofFlux.declarations, [
      "from the schemas of Flux' kinds",
      "import type { Condition } from '../../../schema/language.ts';",
    ]),
  ];
}

/** Writes the types of the fields that objects of these kinds have besides their metadata. */
function writePartsOf(kinds: readonly Definition[], types: Writer): void {
  for (const { properties = {} } of kinds.flatMap(versionsOf).map(({ schema }) => schema)) {
    for (const field of ['spec', 'operation', 'status']) {
      if (properties[field]) types.typeOf(properties[field]);
    }
  }
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

async function formatted(lines: readonly string[]): Promise<string> {
  const options = await resolveConfig(join(root, 'package.json'));
  return format(lines.join('\n'), { ...options, parser: 'typescript' });
}

class Writer {
  /** The declarations by name, in the order of their first use. */
  readonly declarations = new Map<string, string>();
  readonly #known: Known;
  /** Types that others extend. */
  readonly #bases: readonly JSONSchemaProps[];

  constructor(known: Known, bases: readonly JSONSchemaProps[]) {
    this.#known = known;
    this.#bases = bases;
  }

  /** Returns the TypeScript type of a schema. */
  typeOf(schema: JSONSchemaProps): string {
    const found = nameOf(schema);
    if (found === undefined) return this.#plain(schema);
    const { name, what } = found;
    const before = this.declarations.get(name);
    // Reserves its place before the types that it consists of.
    if (before === undefined) this.declarations.set(name, '');
    const text = this.#declaration(name, what, schema);
    if (before !== undefined && before !== '' && before !== text) {
      throw new Error(`${name} must name one type, got\n${before}and\n${text}`);
    }
    this.declarations.set(name, text);
    return name;
  }

  #declaration(name: string, what: string, schema: JSONSchemaProps): string {
    const words = this.#known[name];
    if (words) return `${comment([words[0]], '')}export type ${name} = ${words[1]};\n`;
    const head = comment([what], '');
    if (!schema.properties) return `${head}export type ${name} = ${this.#plain(schema)};\n`;
    const mandatory = new Set(schema.required);
    const base = this.#bases.find((one) => one !== schema && holdsAll(schema, one));
    const inherited = base === undefined ? {} : base.properties!;
    const own = Object.entries(schema.properties).filter(([field]) => !(field in inherited));
    const fields = own.map(([field, inner]) => {
      const sign = mandatory.has(field) ? '' : '?';
      return `${comment(notesOf(inner), '  ')}  readonly ${propertyName(field)}${sign}: ${this.typeOf(inner)};\n`;
    });
    const heritage = base === undefined ? '' : ` extends ${this.typeOf(base)}`;
    return `${head}export interface ${name}${heritage} {\n${fields.join('')}}\n`;
  }

  #plain(schema: JSONSchemaProps): string {
    if (schema.properties && isDeepEqual(schema.properties, selector.properties))
      return 'LabelSelector';
    if (isCondition(schema)) return 'Condition';
    if (schema['x-kubernetes-embedded-resource']) return 'KubeObject';
    if (schema['x-kubernetes-int-or-string']) return 'number | string';
    if (schema.enum) return union(schema.enum.map(String));
    if (schema.items) {
      const item = this.typeOf(schema.items);
      return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    if (typeof schema.additionalProperties === 'object') {
      return `Readonly<Record<string, ${this.typeOf(schema.additionalProperties)}>>`;
    }
    if (schema['x-kubernetes-preserve-unknown-fields']) {
      return schema.type === 'object' ? 'Readonly<Record<string, unknown>>' : 'unknown';
    }
    switch (schema.type) {
      case 'string':
      case 'boolean':
        return schema.type;
      case 'integer':
        return 'number';
      default:
        throw new Error(`an object must have a name, got none for '${schema.description ?? ''}'`);
    }
  }
}

/** Whether a schema is `metav1.Condition`, with any descriptions. */
function isCondition({ properties = {}, required = [] }: JSONSchemaProps): boolean {
  return (
    isDeepEqual(properties, foundCondition.properties) &&
    required.length === foundCondition.required?.length
  );
}

/** Whether a schema has all fields of another, unchanged. */
function holdsAll(schema: JSONSchemaProps, base: JSONSchemaProps): boolean {
  return Object.entries(base.properties!).every(
    ([name, field]) => schema.properties?.[name] === field,
  );
}

/** Returns the doc comment of a field. */
function notesOf(schema: JSONSchemaProps): string[] {
  const { must, absent } = wordsOf(schema);
  const { must: mustOfEach } = wordsOf(schema.items ?? {});
  const sentences = [
    schema.description ?? '',
    must === undefined ? '' : `Must be ${must}.`,
    mustOfEach === undefined ? '' : `Each must be ${mustOfEach}.`,
  ];
  return [
    sentences.filter(Boolean).join(' '),
    ...(absent === undefined ? [] : [`@default - ${absent}`]),
  ];
}
