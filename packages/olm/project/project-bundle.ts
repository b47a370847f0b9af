import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { show } from '@tenantry/kube/problem';
import { readLoosely } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { displayName } from '../descriptors/descriptors.ts';
import { bundleKinds } from '../rules/bundle-contents.ts';
import {
  extractPermissions,
  listRelatedImages,
  buildWebhookDefinitions,
} from './service-version-parts.ts';
import {
  projectName,
  readProjectSettings,
  isKind,
  kindOf,
  listAt,
  mappingAt,
  nameOf,
  textAt,
  ProjectTree,
  type ProjectSettings,
  type BuiltObject,
  type Editable,
} from './project-files.ts';

/** The bundle of a project. */
interface ProjectBundle {
  readonly files: readonly BundleFile[];
  /** What is not carried over, and what should be reviewed, by files of the project. */
  readonly findings: readonly BundleFinding[];
}

const CONFIG = 'config';
const SCORECARD = 'tests/scorecard/config.yaml';

/** The objects that kustomize builds from a folder of a project. */
export interface BuiltFolder {
  /** The path relative to the project. */
  readonly folder: string;
  /** The objects as YAML. */
  readonly text: string;
}

/**
 * Builds the bundle that `operator-sdk generate bundle` builds from a project's kustomize output. Without a base of a
 * ClusterServiceVersion it builds that of a kubebuilder project, and leaves missing fields empty.
 *
 * Source: https://sdk.operatorframework.io/docs/olm-integration/generation/
 * @param files bases of ClusterServiceVersions, PROJECT and Makefile, with paths relative to the project
 * @param folders the built folders, the one with the operator's workload first
 */
export function buildProjectBundle(
  files: readonly BundleFile[],
  folders: readonly BuiltFolder[],
): ProjectBundle {
  const tree = new ProjectTree(files);
  const objects = folders.flatMap((one) => readObjects(one, tree));
  objects.push(...baseBeside(objects, tree));
  reportSeveral(objects, tree);
  const settings = readProjectSettings(tree, objects);
  const texts = bundleTexts(objects, settings, tree);
  const encoder = new TextEncoder();
  return {
    files: [...texts].map(([path, text]) => ({ path, bytes: encoder.encode(text) })),
    findings: tree.findings,
  };
}

function readObjects({ folder, text }: BuiltFolder, tree: ProjectTree): BuiltObject[] {
  const { documents, problems } = readLoosely(text);
  const [problem] = problems;
  if (problem)
    tree.reportNotCarriedOver(folder, `must render to YAML of objects: ${problem.message}`);
  return documents.flatMap(({ value }) => {
    if (isMapping(value)) return [{ value: value as Editable, file: folder }];
    tree.reportNotCarriedOver(folder, `must render to objects, got ${show(value)}`);
    return [];
  });
}

/** The kinds of which a bundle contains one object. */
const single = ['ClusterServiceVersion', 'Configuration'];

function reportSeveral(objects: readonly BuiltObject[], tree: ProjectTree): void {
  for (const kind of single) {
    for (const one of objects.filter(isKind(kind)).slice(1)) {
      tree.reportNotCarriedOver(
        one.file,
        `is not carried over: ${kind} ${nameOf(one)}: a bundle has one, the first`,
      );
    }
  }
}

/** Returns the base that operator-sdk uses if kustomize builds none: the one with the name of the project. */
function baseBeside(objects: readonly BuiltObject[], tree: ProjectTree): BuiltObject[] {
  if (objects.some(isKind('ClusterServiceVersion'))) return [];
  const file = `${CONFIG}/manifests/bases/${projectName(tree)}.clusterserviceversion.yaml`;
  const documents = tree.has(file) ? tree.documents(file) : [];
  return documents.filter(isMapping).map((value) => ({ value: value as Editable, file }));
}

/** The kinds that OLM creates itself, and why they are left out. */
const byOlm: Readonly<Record<string, string>> = {
  Namespace: 'OLM installs the operator into the namespace of its OperatorGroup',
  Certificate: 'OLM issues the certificates of webhooks',
  Issuer: 'OLM issues the certificates of webhooks',
};

function bundleTexts(
  objects: readonly BuiltObject[],
  settings: ProjectSettings,
  tree: ProjectTree,
): ReadonlyMap<string, string> {
  const deployments = objects.filter(isKind('Deployment'));
  const isRun = deployments.length > 0;
  if (!isRun) reportNothingRuns(objects, tree);
  const accounts = new Set(deployments.map(accountOf));
  const home = textAt(deployments[0]?.value, 'metadata', 'namespace');
  const granted = extractPermissions(objects, accounts, home);
  const definitions = objects.filter(isKind('CustomResourceDefinition'));
  const samples = objects.filter((one) => definitions.some((crd) => isOf(one, crd)));
  const csv = serviceVersion(objects, {
    settings,
    samples,
    definitions,
    install: {
      deployments: deployments.map(strategyDeployment),
      ...(granted.permissions.length > 0 && { permissions: granted.permissions }),
      ...(granted.clusterPermissions.length > 0 && {
        clusterPermissions: granted.clusterPermissions,
      }),
    },
    webhooks: isRun ? buildWebhookDefinitions(objects, tree) : [],
    images: listRelatedImages(deployments, tree),
    tree,
  });
  const texts = new Map<string, string>();
  texts.set(`manifests/${settings.name}.clusterserviceversion.yaml`, yaml(csv));
  const usedObjects = new Set([...deployments, ...granted.used, ...samples]);
  for (const [i, one] of objects.entries()) {
    const kind = kindOf(one);
    if (
      usedObjects.has(one) ||
      kind === 'ClusterServiceVersion' ||
      kind.endsWith('WebhookConfiguration')
    )
      continue;
    if (kind === 'ServiceAccount' && accounts.has(nameOf(one))) continue;
    if (kind === 'Configuration') {
      if (!texts.has(SCORECARD)) texts.set(SCORECARD, yaml(one.value));
    } else if (Object.hasOwn(byOlm, kind)) {
      tree.warn(one.file, `is left out: ${kind} ${nameOf(one)}: ${byOlm[kind]}`);
    } else if (!bundleKinds.includes(kind)) {
      tree.reportNotCarriedOver(
        one.file,
        `is not carried over: ${kind} ${nameOf(one)}: no bundle has this kind`,
      );
    } else if (isRun && isElsewhere(one, home)) {
      const where = textAt(one.value, 'metadata', 'namespace');
      const why = `it is in ${where}, but OLM installs everything into the namespace of the operator`;
      tree.reportNotCarriedOver(one.file, `is not carried over: ${kind} ${nameOf(one)}: ${why}`);
    } else texts.set(`manifests/${i}.yaml`, yaml(withoutNamespace(one.value)));
  }
  texts.set('metadata/annotations.yaml', yaml({ annotations: buildAnnotations(settings, texts) }));
  return texts;
}

/** Reports once that there is no Deployment, unless something cannot be read: it may contain the Deployment. */
function reportNothingRuns(objects: readonly BuiltObject[], tree: ProjectTree): void {
  if (tree.findings.some(({ severity }) => severity === 'error')) return;
  const what =
    'must contain a Deployment that OLM can run, got none: is ../manager among its resources?';
  tree.reportNotCarriedOver(objects[0]?.file ?? CONFIG, what);
}

function yaml(value: object): string {
  return emitYaml([value]);
}

function accountOf({ value }: BuiltObject): string {
  return textAt(value, 'spec', 'template', 'spec', 'serviceAccountName') || 'default';
}

function strategyDeployment(one: BuiltObject): object {
  const labels = mappingAt(one.value, 'metadata', 'labels');
  return { name: nameOf(one), ...(labels && { label: labels }), spec: one.value['spec'] };
}

/** Whether an object is of the kind of a definition. */
function isOf({ value }: BuiltObject, { value: crd }: BuiltObject): boolean {
  const group = groupOf(textAt(value, 'apiVersion'));
  const names = mappingAt(crd, 'spec', 'names');
  return group === textAt(crd, 'spec', 'group') && value['kind'] === names?.['kind'];
}

/** Whether an object is in another namespace. A cluster-scoped object may name one, which an API server ignores. */
function isElsewhere({ value }: BuiltObject, home: string): boolean {
  const group = groupOf(textAt(value, 'apiVersion'));
  if (builtinScope(group, textAt(value, 'kind')) === 'Cluster') return false;
  const namespace = textAt(value, 'metadata', 'namespace');
  return namespace !== '' && namespace !== home;
}

/** Removes the namespace, because OLM creates objects in the operator's namespace. */
function withoutNamespace({ metadata, ...object }: Editable): object {
  const { namespace: _, ...others } = isMapping(metadata) ? metadata : {};
  return { ...object, metadata: others };
}

interface Parts {
  readonly settings: ProjectSettings;
  readonly samples: readonly BuiltObject[];
  readonly definitions: readonly BuiltObject[];
  readonly install: object;
  readonly webhooks: readonly object[];
  readonly images: readonly { readonly name: string; readonly image: string }[];
  readonly tree: ProjectTree;
}

function serviceVersion(objects: readonly BuiltObject[], parts: Parts): KubeObject {
  const { settings, samples, definitions, install, webhooks, images, tree } = parts;
  const base = objects.find(isKind('ClusterServiceVersion'))?.value;
  const { icon, ...spec } = mappingAt(base, 'spec') ?? {};
  const icons = listAt({ icon }, 'icon').filter((one) => textAt(one, 'base64data') !== '');
  const annotations = mappingAt(base, 'metadata', 'annotations');
  const known = mappingAt(spec, 'customresourcedefinitions');
  const related = allImages(listAt(spec, 'relatedImages'), images);
  const examples = samples.map(({ value }) => withoutNamespace(value));
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      ...mappingAt(base, 'metadata'),
      name: `${settings.name}.v${settings.version}`,
      annotations: {
        capabilities: 'Basic Install',
        ...annotations,
        'alm-examples': JSON.stringify(examples),
      },
    },
    spec: {
      displayName: displayName(settings.name),
      installModes: [{ type: 'AllNamespaces', supported: true }],
      ...spec,
      ...(icons.length > 0 && { icon: icons }),
      version: settings.version,
      customresourcedefinitions: {
        ...known,
        owned: buildOwnedKinds(definitions, listAt(known, 'owned'), tree),
      },
      install: { strategy: 'deployment', spec: install },
      ...(webhooks.length > 0 && { webhookdefinitions: webhooks }),
      ...(related.length > 0 && { relatedImages: related }),
    },
  };
}

/** Joins the related images, those that the base declares first, without duplicates. */
function allImages(declared: readonly unknown[], found: Parts['images']): unknown[] {
  const known = new Set(declared.map((one) => textAt(one, 'image')));
  return [...declared, ...found.filter(({ image }) => !known.has(image))];
}

/**
 * Builds the owned kinds: each version of the definitions with its description in the base. Descriptions of other
 * versions are left out.
 */
function buildOwnedKinds(
  definitions: readonly BuiltObject[],
  declared: readonly unknown[],
  tree: ProjectTree,
): unknown[] {
  const left = new Set(declared);
  const owned = definitions.flatMap(({ value }) => {
    const name = textAt(value, 'metadata', 'name');
    const kind = textAt(value, 'spec', 'names', 'kind');
    return listAt(value, 'spec', 'versions').map((version) => {
      const is = (one: unknown): boolean =>
        textAt(one, 'name') === name && textAt(one, 'version') === textAt(version, 'name');
      const known = declared.find(is);
      left.delete(known);
      return known ?? described({ name, kind, version });
    });
  });
  for (const one of left) {
    const what = `owned ${textAt(one, 'kind')} ${textAt(one, 'version')}`.trimEnd();
    tree.warn(
      `${CONFIG}/manifests/bases`,
      `is left out: ${what}: no definition has such a version`,
    );
  }
  return owned;
}

function described({ name, kind, version }: { name: string; kind: string; version: unknown }) {
  const description = textAt(version, 'schema', 'openAPIV3Schema', 'description');
  return {
    name,
    version: textAt(version, 'name'),
    kind,
    displayName: displayName(kind),
    ...(description !== '' && { description }),
  };
}

const PREFIX = 'operators.operatorframework.io.';

function buildAnnotations(
  { name, channels, defaultChannel }: ProjectSettings,
  texts: ReadonlyMap<string, string>,
): Record<string, string> {
  return {
    [`${PREFIX}bundle.mediatype.v1`]: 'registry+v1',
    [`${PREFIX}bundle.manifests.v1`]: 'manifests/',
    [`${PREFIX}bundle.metadata.v1`]: 'metadata/',
    [`${PREFIX}bundle.package.v1`]: name,
    [`${PREFIX}bundle.channels.v1`]: channels,
    ...(defaultChannel !== undefined && { [`${PREFIX}bundle.channel.default.v1`]: defaultChannel }),
    ...(texts.has(SCORECARD) && {
      [`${PREFIX}test.mediatype.v1`]: 'scorecard+v1',
      [`${PREFIX}test.config.v1`]: 'tests/scorecard/',
    }),
  };
}
