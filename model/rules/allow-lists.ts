import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { findPodTemplate } from '@tenantry/kube/pod-templates';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import { hasVersion, isListedImage } from '../allow-lists/images.ts';
import { ALLOW_LISTS, IMAGES, listAllowed, type AllowList } from '../allow-lists/lists.ts';
import { findNames, type FoundName } from '../allow-lists/name-path.ts';
import { matchesName } from '../name-pattern.ts';
import { defineObjectCheck } from './check.ts';

/**
 * Validates what a declared object names: images, StorageClasses and all else that a class lists. The admission policies
 * (model/policies) refuse the same in the cluster, where the object would be missing without a message in
 * Git. Custom resources with a pod template at the usual place get warnings, because only their operators know whether
 * pods are made of it.
 */
export const allowLists = defineObjectCheck(['allow-list'], ({ manifest, klass }, report) => {
  for (const list of ALLOW_LISTS) {
    const entries = listAllowed(klass.spec, list);
    if (!entries) continue;
    const { names, isKnown } = findListedNames(manifest, list);
    const refuse = (path: Path, got: string): void =>
      report(
        path,
        `must be ${list.what} that class ${klass.name} allows in allow.${list.field} (${formatList(entries) || 'none'}), got ${got}`,
        'allow-list',
        isKnown ? {} : { severity: 'warning' },
      );
    for (const { path, name } of names) {
      if (!isListed(list, entries, name)) refuse(path, show(name));
    }
    const isRequired = isKnown && list.required?.includes(manifest.kind);
    if (isRequired && names.length === 0) refuse(['spec'], 'none');
  }
});

/** Validates the versions of images, which a policy requires if the class does. */
export const imageVersions = defineObjectCheck(['image-version'], ({ manifest, klass }, report) => {
  const least = klass.spec.hardening?.imageVersion;
  if (!least) return;
  const must = least === 'Tag' ? "a tag other than 'latest', or a digest" : 'a digest';
  const { names, isKnown } = findListedNames(manifest, IMAGES);
  for (const { path, name } of names) {
    if (hasVersion(name, least)) continue;
    const message = `must have ${must} (hardening.imageVersion of class ${klass.name}), got ${show(name)}`;
    report(path, message, 'image-version', isKnown ? {} : { severity: 'warning' });
  }
});

interface ListedNames {
  readonly names: readonly FoundName[];
  /** Whether the object is of a kind whose names Kubernetes or its owner defines. */
  readonly isKnown: boolean;
}

/** Finds the names in an object that a list is about. */
function findListedNames(
  manifest: KubeObject,
  { kinds, inPods = [], inObjects = [] }: Pick<AllowList, 'kinds' | 'inPods' | 'inObjects'>,
): ListedNames {
  const group = groupOf(manifest.apiVersion);
  const isKnown = kinds.some((one) => one.group === group && one.kind === manifest.kind);
  const template = findPodTemplate(manifest) ?? (isKnown ? undefined : guessTemplate(manifest));
  const inTemplate = template
    ? inPods
        .flatMap((path) => findNames(template.spec, path))
        .map(({ path, name }) => ({ path: [...template.path, 'spec', ...path], name }))
    : [];
  const inObject = isKnown ? inObjects.flatMap((path) => findNames(manifest, path)) : [];
  return { names: [...inTemplate, ...inObject], isKnown };
}

/** Returns what looks like a pod template in a custom resource, as in a Rollout of Argo. */
function guessTemplate({
  spec,
}: KubeObject):
  { readonly path: Path; readonly spec: Readonly<Record<string, unknown>> } | undefined {
  const template = isMapping(spec) ? spec['template'] : undefined;
  const pod = isMapping(template) ? template['spec'] : undefined;
  const isPod = isMapping(pod) && Array.isArray(pod['containers']);
  return isPod ? { path: ['spec', 'template'], spec: pod } : undefined;
}

/** Whether a class that has the list allows a name. */
function isListed(
  { field, builtin = [] }: AllowList,
  entries: readonly string[],
  name: string,
): boolean {
  if (field === 'images') return isListedImage(entries, name);
  return builtin.includes(name) || (name !== '' && matchesName(entries, name));
}
