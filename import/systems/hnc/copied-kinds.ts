import { builtinNamespaced } from '@tenantry/kube/builtin-kinds';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { RBAC_GROUP } from '../../../model/layers/grants.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { HncConfiguration } from './hnc-kinds.ts';

/** Whether HNC copies the objects of a kind: all that no annotation excludes, or only those with an annotation. */
export type CopyMode = 'Propagate' | 'AllowPropagate';

/** Returns the mode of an object's kind; undefined if HNC does not copy it. */
export type ModeLookup = (object: KubeObject) => CopyMode | undefined;

const reasons: Readonly<Record<string, string>> = {
  Propagate: 'copies in all descendants',
  AllowPropagate: 'copies in descendants of the objects that have an annotation',
  Ignore: 'no copies',
  Remove: 'no copies',
};

/**
 * Reads which kinds HNC copies: Roles and RoleBindings always, others as the HNCConfiguration states.
 *
 * Source: internal/hncconfig/reconciler.go
 */
export function readCopiedKinds(source: SystemSource, translation: Translation): ModeLookup {
  const modes = new Map<string, CopyMode | undefined>([
    [`${RBAC_GROUP}/roles`, 'Propagate'],
    [`${RBAC_GROUP}/rolebindings`, 'Propagate'],
  ]);
  const resources = new Resources(source);
  for (const one of source.objectsOf<HncConfiguration>('HNCConfiguration')) {
    if (one.name !== 'config') {
      translation.leaveOut(one.found, 'HNC reads only the one that is named `config`');
      continue;
    }
    for (const [i, entry] of (one.content.spec?.resources ?? []).entries()) {
      const { group = '', resource, mode = '' } = entry;
      const key = `${group}/${resource}`;
      const effective = mode === '' ? 'Propagate' : mode;
      const reason = findFault(key, effective, modes, resources);
      if (!modes.has(key)) modes.set(key, toCopyMode(effective));
      const becomes = reasons[effective] ?? reasons['Ignore']!;
      recordEntry(one, i, reason, becomes);
    }
  }
  modes.delete('/secrets');
  return (object) => {
    const key = resources.listNames(object).find((name) => modes.has(name));
    return key === undefined ? undefined : modes.get(key);
  };
}

const toCopyMode = (mode: string): CopyMode | undefined =>
  mode === 'Propagate' || mode === 'AllowPropagate' ? mode : undefined;

function findFault(
  key: string,
  mode: string,
  modes: ReadonlyMap<string, unknown>,
  resources: Resources,
): string | undefined {
  if (key.startsWith(`${RBAC_GROUP}/role`)) return 'HNC always copies it, and ignores this entry';
  if (modes.has(key))
    return 'an entry before it is about the same resource, and HNC ignores this one';
  if (toCopyMode(mode) === undefined) return undefined;
  if (key === '/secrets') {
    return 'Secrets stay out of Git, and so do their copies: without HNC a copy stays as it is. Let a controller for secrets make them in each namespace';
  }
  return resources.isUnclear(key)
    ? 'the source has objects of the group, and no CustomResourceDefinition that names the resource: import it as well'
    : undefined;
}

function recordEntry(
  one: SystemObject,
  i: number,
  reason: string | undefined,
  becomes: string,
): void {
  for (const field of ['group', 'resource', 'mode']) {
    const path = ['spec', 'resources', i, field];
    if (reason === undefined) one.take(path, becomes);
    else one.leave(path, reason);
  }
}

/** The plural names of the kinds in a source. */
class Resources {
  readonly #defined = new Map<string, string>();
  readonly #names = new Set<string>();
  readonly #groups = new Set<string>();

  constructor({ objects }: SystemSource) {
    for (const { object } of objects) {
      const spec = object.kind === 'CustomResourceDefinition' ? object['spec'] : undefined;
      const names = isMapping(spec) ? spec['names'] : undefined;
      if (!isMapping(spec) || !isMapping(names)) continue;
      const resource = `${String(spec['group'])}/${String(names['plural'])}`;
      this.#defined.set(`${String(spec['group'])}/${String(names['kind'])}`, resource);
      this.#names.add(resource);
    }
    for (const { object } of objects) {
      this.#groups.add(groupOf(object.apiVersion));
      for (const name of this.listNames(object)) this.#names.add(name);
    }
  }

  /** Lists the names that an object's resource can have: without a definition, the usual plurals of its kind. */
  listNames({ apiVersion, kind }: KubeObject): readonly string[] {
    const group = groupOf(apiVersion);
    const id = `${group}/${kind}`;
    const known = this.#defined.get(id);
    if (known !== undefined) return [known];
    const builtin = builtinNamespaced.get(id);
    if (builtin !== undefined) return [`${group}/${builtin}`];
    const word = kind.toLowerCase();
    const plurals = [`${word}s`, `${word}es`, `${word.slice(0, -1)}ies`, word];
    return plurals.map((one) => `${group}/${one}`);
  }

  /** Whether the source has objects of the group, and none of them is known to be of the resource. */
  isUnclear(key: string): boolean {
    const group = key.slice(0, key.indexOf('/'));
    return group.includes('.') && this.#groups.has(group) && !this.#names.has(key);
  }
}
