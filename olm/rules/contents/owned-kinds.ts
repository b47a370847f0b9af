import { show } from '../../../kube/problem.ts';
import {
  formatGroupVersionKind,
  type LoadedBundle,
  type LoadedDefinition,
  type LoadedDocument,
  type BundleLocation,
} from '../../loader/loaded.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const missing: BundleRule = {
  id: 'owned-definition',
  severity: 'error',
  validators: ['bundle'],
  description:
    'an owned custom resource has its CustomResourceDefinition, with that version, in the bundle, and is owned once',
};

const unowned: BundleRule = {
  id: 'definition-owned',
  severity: 'error',
  validators: ['bundle'],
  description:
    'a CustomResourceDefinition of the bundle is owned by the ClusterServiceVersion, in at least one of its versions',
};

const repeated: BundleRule = {
  id: 'definition-unique',
  severity: 'error',
  validators: ['bundle'],
  description: 'each group, version and kind is defined once',
};

/** The rules that a ClusterServiceVersion owns exactly the kinds that the bundle defines. */
export const ownedKinds: BundleCheck = {
  rules: [missing, unowned, repeated],
  check(bundle, say) {
    const defined = new Map<string, Defined>();
    for (const one of definedKinds(bundle)) {
      if (defined.has(one.key)) {
        const message = `must define a kind once, got ${one.key} again`;
        say(repeated, one.place, message);
      }
      defined.set(one.key, one);
    }
    const ownedKind = new Set<string>();
    const { owned = [] } = bundle.csv.value.spec?.customresourcedefinitions ?? {};
    for (const [i, { name = '', version = '', kind = '' }] of owned.entries()) {
      const group = name.slice(name.indexOf('.') + 1);
      const key = formatGroupVersionKind({ group, version, kind });
      if (defined.delete(key)) ownedKind.add(`${kind}.${group}`);
      else {
        const place = locateInCsv(bundle, 'spec', 'customresourcedefinitions', 'owned', i);
        const message = `must have its CustomResourceDefinition in the bundle and be owned once, got ${key} without one`;
        say(missing, place, message);
      }
    }
    for (const { key, kind, group, place } of defined.values()) {
      if (ownedKind.has(`${kind}.${group}`)) continue;
      say(unowned, place, `must be owned by ${show(bundle.name)}, got ${key}, which is not`);
    }
  },
};

interface Defined {
  readonly key: string;
  readonly group: string;
  readonly kind: string;
  readonly place: BundleLocation;
}

function definedKinds(bundle: LoadedBundle): Defined[] {
  return [...bundle.definitions, ...bundle.betaDefinitions].flatMap(kindsOf);
}

function kindsOf({ file, document, value }: LoadedDocument<LoadedDefinition>): Defined[] {
  const { group = '', names, version, versions = [] } = value.spec ?? {};
  const kind = names?.kind ?? '';
  const isOld = versions.length === 0 && version !== undefined;
  const all = isOld ? [{ name: version }] : versions;
  return all.map(({ name = '' }, i) => {
    const path = isOld ? ['spec', 'version'] : ['spec', 'versions', i];
    const key = formatGroupVersionKind({ group, version: name, kind });
    return { key, group, kind, place: { file, document, path } };
  });
}
