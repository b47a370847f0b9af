import { isMapping } from '../../kube/mapping.ts';
import { generate } from './generators.ts';
import { hashNames } from './namehash.ts';
import { patchObjects } from './patches.ts';
import { replaceFields } from './replacements.ts';
import {
  addAnnotations,
  addLabels,
  affixNames,
  setImage,
  setNamespace,
  setReplicas,
} from './transform.ts';
import {
  joined,
  kindOf,
  listAt,
  mappingAt,
  nameOf,
  textAt,
  type Built,
  type Tree,
} from './tree.ts';
import { Vars } from './vars.ts';

/** Kustomizations of a project, each as often as it is named: folders that name others twice double. */
const MOST = 200;

const NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Fields that are done, or that say nothing of objects. */
const known = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'resources',
  'bases',
  'namespace',
  'namePrefix',
  'nameSuffix',
  'labels',
  'commonLabels',
  'commonAnnotations',
  'images',
  'replicas',
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'replacements',
  'configMapGenerator',
  'secretGenerator',
  'vars',
  'components',
  // What kustomize has to know of kinds: names and namespaces of webhooks.
  'configurations',
  'sortOptions',
  'generatorOptions',
]);

/** The file of the kustomization in a folder; undefined where there is none. */
export function kustomizationIn(folder: string, tree: Tree): string | undefined {
  return NAMES.map((name) => `${folder}/${name}`).find((path) => tree.has(path));
}

/**
 * The objects that kustomize builds in a folder, as far as the scaffolds of kubebuilder and operator-sdk go: what is not
 * understood is told.
 *
 * Source: https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/
 */
export function build(folder: string, tree: Tree): Built[] {
  const vars = new Vars();
  const objects = accumulate(folder, tree, [], vars);
  hashNames(objects);
  vars.replace(objects, tree);
  return objects;
}

function accumulate(folder: string, tree: Tree, above: readonly string[], vars: Vars): Built[] {
  const objects: Built[] = [];
  accumulateInto(objects, folder, tree, above, vars);
  return objects;
}

/** A component changes what there is already; a kustomization has nothing but what it names. */
function accumulateInto(
  objects: Built[],
  folder: string,
  tree: Tree,
  above: readonly string[],
  vars: Vars,
): void {
  const file = kustomizationIn(folder, tree);
  if (file === undefined || above.includes(folder)) {
    const got = file === undefined ? 'none' : 'one that holds itself';
    tree.lost(folder, `must be a folder with a kustomization, got ${got}`);
    return;
  }
  tree.built += 1;
  if (tree.built > MOST) {
    if (tree.built === MOST + 1) tree.lost(file, `must be one of at most ${MOST} kustomizations`);
    return;
  }
  const [said] = tree.documents(file);
  if (!isMapping(said)) return;
  const within = [...above, folder];
  for (const path of [...listAt(said, 'resources'), ...listAt(said, 'bases')]) {
    objects.push(...resource(path, { folder, tree, above: within, file, vars }));
  }
  for (const path of listAt(said, 'components')) {
    accumulateInto(objects, joined(folder, String(path)) ?? String(path), tree, within, vars);
  }
  for (const field of Object.keys(said)) {
    if (known.has(field) || isNothing(said[field])) continue;
    tree.lost(file, `is not carried over: ${field} of a kustomization is not understood`);
  }
  vars.add(said, folder, tree, file);
  generate(objects, said, folder, tree, file);
  transform(objects, said, folder, tree, file);
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

interface Where {
  readonly folder: string;
  readonly tree: Tree;
  readonly above: readonly string[];
  readonly file: string;
  readonly vars: Vars;
}

function resource(path: unknown, { folder, tree, above, file, vars }: Where): Built[] {
  const target = typeof path === 'string' && !/^\w+:\/\//.test(path) && joined(folder, path);
  if (typeof target !== 'string') {
    tree.lost(file, `is not carried over: ${String(path)} is no file of the project`);
    return [];
  }
  if (!tree.has(target)) return accumulate(target, tree, above, vars);
  return tree.documents(target).flatMap((value) => {
    if (!isMapping(value) || typeof value['kind'] !== 'string') {
      tree.lost(target, 'is not carried over: it holds something that is no object');
      return [];
    }
    const built: Built = { value, file: target, names: [], namespaces: [] };
    built.names.push(nameOf(built));
    built.namespaces.push(textAt(value, 'metadata', 'namespace'));
    return [built];
  });
}

/** In the order of kustomize. */
function transform(
  objects: Built[],
  said: Readonly<Record<string, unknown>>,
  folder: string,
  tree: Tree,
  file: string,
): void {
  for (const field of ['patchesStrategicMerge', 'patches', 'patchesJson6902']) {
    for (const entry of listAt(said, field)) {
      const isText = field === 'patchesStrategicMerge' && String(entry).includes('\n');
      patchObjects(objects, isText ? { patch: entry } : entry, folder, tree, file);
    }
  }
  const namespace = textAt(said, 'namespace');
  if (namespace !== '') setNamespace(objects, namespace);
  const [prefix, suffix] = [textAt(said, 'namePrefix'), textAt(said, 'nameSuffix')];
  if (prefix !== '' || suffix !== '') affixNames(objects, prefix, suffix);
  const common = mappingAt(said, 'commonLabels');
  if (common) addLabels(objects, common, { selectors: true, templates: true });
  for (const entry of listAt(said, 'labels')) {
    const where = isMapping(entry) ? entry : {};
    addLabels(objects, mappingAt(entry, 'pairs') ?? {}, {
      selectors: where['includeSelectors'] === true,
      templates: where['includeTemplates'] === true,
    });
  }
  const annotations = mappingAt(said, 'commonAnnotations');
  if (annotations) addAnnotations(objects, annotations);
  for (const entry of listAt(said, 'images')) setImage(objects, entry);
  for (const entry of listAt(said, 'replicas')) setReplicas(objects, entry);
  for (const entry of listAt(said, 'replacements')) replaceFields(objects, entry, tree, file);
}

/** Whether an object is of a kind. */
export function isKind(...kinds: readonly string[]): (one: Built) => boolean {
  return (one) => kinds.includes(kindOf(one));
}
