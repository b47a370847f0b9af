import { builtinScope } from '../../kube/builtinkinds.ts';
import { isMapping } from '../../kube/mapping.ts';
import { groupOf } from '../../kube/object.ts';
import { kindOf, listAt, mappingAt, nameOf, textAt, type Built, type Editable } from './tree.ts';

/** Kinds whose names kustomize leaves alone. */
const unnamed = new Set(['CustomResourceDefinition', 'Namespace', 'APIService']);

/** Puts what lies in namespaces into one, as `namespace` of a kustomization says. */
export function setNamespace(objects: readonly Built[], namespace: string): void {
  for (const one of objects) {
    const metadata = metadataOf(one.value);
    const old = textAt(metadata, 'namespace');
    if (kindOf(one) === 'Namespace') metadata['name'] = namespace;
    else if (isNamespaced(one)) metadata['namespace'] = namespace;
    else continue;
    one.namespaces.push(...[old, namespace].filter((name) => name !== ''));
  }
  const accounts = new Set(['default', ...objects.filter(isAccount).map(nameOf)]);
  for (const { value } of objects) {
    for (const subject of listAt(value, 'subjects')) {
      const isOurs = accounts.has(textAt(subject, 'name'));
      if (isOurs && textAt(subject, 'kind') === 'ServiceAccount') {
        (subject as Editable)['namespace'] = namespace;
      }
    }
  }
}

function isAccount(one: Built): boolean {
  return kindOf(one) === 'ServiceAccount';
}

function isNamespaced({ value }: Built): boolean {
  const group = groupOf(textAt(value, 'apiVersion'));
  const kind = textAt(value, 'kind');
  return kind !== 'ClusterServiceVersion' && builtinScope(group, kind) !== 'Cluster';
}

/** Puts something before and behind names, and wherever they are named. */
export function affixNames(objects: readonly Built[], prefix: string, suffix: string): void {
  renameAll(objects, (one) =>
    unnamed.has(kindOf(one)) || isOfOlm(one) ? undefined : `${prefix}${nameOf(one)}${suffix}`,
  );
}

/** Gives objects other names, also wherever they are named; undefined leaves one its own. */
export function renameAll(
  objects: readonly Built[],
  nameFor: (one: Built) => string | undefined,
): void {
  const changed = new Map<string, string>();
  for (const one of objects) {
    const old = nameOf(one);
    const name = nameFor(one);
    if (name === undefined) continue;
    metadataOf(one.value)['name'] = name;
    one.names.push(name);
    changed.set(`${kindOf(one)}/${old}`, name);
  }
  for (const { value } of objects) rename(value, '', changed);
}

/** A ClusterServiceVersion and a configuration of scorecard are called as they are. */
function isOfOlm(one: Built): boolean {
  return ['ClusterServiceVersion', 'Configuration'].includes(kindOf(one));
}

/** Fields that name an object of a kind, by the field and the one that it is in. */
const references: Readonly<Record<string, string>> = {
  '/serviceAccountName': 'ServiceAccount',
  '/serviceAccount': 'ServiceAccount',
  'secret/secretName': 'Secret',
  'secret/name': 'Secret',
  'secretKeyRef/name': 'Secret',
  'secretRef/name': 'Secret',
  'imagePullSecrets/name': 'Secret',
  'configMap/name': 'ConfigMap',
  'configMapKeyRef/name': 'ConfigMap',
  'configMapRef/name': 'ConfigMap',
  'service/name': 'Service',
};

function rename(value: unknown, field: string, changed: ReadonlyMap<string, string>): void {
  if (Array.isArray(value)) {
    for (const item of value) rename(item, field, changed);
    return;
  }
  if (!isMapping(value)) return;
  const mapping = value as Editable;
  if (field === 'rules') renameResources(mapping, changed);
  const isNamed = ['roleRef', 'subjects'].includes(field) && typeof mapping['kind'] === 'string';
  for (const [key, inner] of Object.entries(mapping)) {
    const kind =
      isNamed && key === 'name'
        ? String(mapping['kind'])
        : (references[`${field}/${key}`] ?? references[`/${key}`]);
    const name = typeof inner === 'string' ? changed.get(`${kind}/${inner}`) : undefined;
    if (name !== undefined) mapping[key] = name;
    else rename(inner, key, changed);
  }
}

/** Kinds that a rule names by `resourceNames`, by their resource. */
const namedInRules: Readonly<Record<string, string>> = {
  configmaps: 'ConfigMap',
  secrets: 'Secret',
};

function renameResources(rule: Editable, changed: ReadonlyMap<string, string>): void {
  const kinds = listAt(rule, 'resources').map((one) => namedInRules[String(one)]);
  if (listAt(rule, 'resourceNames').length === 0) return;
  rule['resourceNames'] = listAt(rule, 'resourceNames').map((old) => {
    const kind = kinds.find((one) => changed.has(`${one}/${String(old)}`));
    return kind === undefined ? old : changed.get(`${kind}/${String(old)}`);
  });
}

/** Adds labels to the objects, and where it is said to what selects them. */
export function addLabels(
  objects: readonly Built[],
  labels: Readonly<Record<string, unknown>>,
  where: { readonly selectors: boolean; readonly templates: boolean },
): void {
  for (const { value } of objects) {
    add(metadataOf(value), 'labels', labels);
    const template = mappingAt(value, 'spec', 'template');
    if (template && (where.selectors || where.templates)) {
      add(metadataOf(template), 'labels', labels);
    }
    if (!where.selectors) continue;
    const spec = mappingAt(value, 'spec');
    const kind = textAt(value, 'kind');
    if (spec && kind === 'Service' && spec['selector']) add(spec, 'selector', labels);
    const selector = mappingAt(spec, 'selector');
    if (selector && ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'].includes(kind)) {
      add(selector, 'matchLabels', labels);
    }
  }
}

/** Adds annotations to the objects and to templates of pods. */
export function addAnnotations(
  objects: readonly Built[],
  annotations: Readonly<Record<string, unknown>>,
): void {
  for (const { value } of objects) {
    add(metadataOf(value), 'annotations', annotations);
    const template = mappingAt(value, 'spec', 'template');
    if (template) add(metadataOf(template), 'annotations', annotations);
  }
}

function add(holder: Editable, field: string, entries: Readonly<Record<string, unknown>>): void {
  holder[field] = { ...mappingAt(holder, field), ...entries };
}

function metadataOf(value: Editable): Editable {
  const metadata = mappingAt(value, 'metadata') ?? {};
  value['metadata'] = metadata;
  return metadata;
}

/** Replaces images of containers, as an entry of `images` says. */
export function setImage(objects: readonly Built[], entry: unknown): void {
  const name = textAt(entry, 'name');
  const [newName, newTag, digest] = ['newName', 'newTag', 'digest'].map((key) =>
    textAt(entry, key),
  );
  const replaced = (image: string): string => {
    const [, base = image, rest = ''] = /^(.+?)((?::[\w.-]+)?(?:@[\w:]+)?)$/.exec(image) ?? [];
    if (base !== name) return image;
    const tag = newTag !== '' ? `:${newTag}` : '';
    const version = digest !== '' ? `${tag}@${digest}` : tag || rest;
    return `${newName || base}${version}`;
  };
  for (const { value } of objects) {
    const pod = mappingAt(value, 'spec', 'template', 'spec');
    for (const list of ['containers', 'initContainers']) {
      for (const container of listAt(pod, list)) {
        const image = textAt(container, 'image');
        if (image !== '') (container as Editable)['image'] = replaced(image);
      }
    }
  }
}

/** Sets the replicas of an object, as an entry of `replicas` says. */
export function setReplicas(objects: readonly Built[], entry: unknown): void {
  const count = isMapping(entry) ? entry['count'] : undefined;
  for (const one of objects) {
    const spec = mappingAt(one.value, 'spec');
    const isOne = one.names.includes(textAt(entry, 'name')) && spec?.['replicas'] !== undefined;
    if (isOne && typeof count === 'number') spec['replicas'] = count;
  }
}
