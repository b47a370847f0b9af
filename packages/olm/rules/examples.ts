import { JsonTooDeep, parseJson } from '@tenantry/kube/json';
import { decodeDocument } from '@tenantry/kube/yaml/read';
import { isMapping } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import {
  parseGroupVersionKind,
  formatGroupVersionKind,
  type LoadedBundle,
} from '../loader/loaded-bundle.ts';
import { locateInCsv, type BundleCheck, type BundleRule, type FindingReporter } from './rule.ts';
import { findAnnotation } from './annotations.ts';

const noAnnotations: BundleRule = {
  id: 'csv-annotations',
  severity: 'warning',
  validators: ['csv'],
  description: 'the ClusterServiceVersion has annotations',
};

const noExamples: BundleRule = {
  id: 'examples',
  severity: 'warning',
  validators: ['csv'],
  description: 'the annotation `alm-examples` exists',
};

const twoAnnotations: BundleRule = {
  id: 'examples-once',
  severity: 'warning',
  validators: ['csv'],
  description: 'only one of `alm-examples` and `olm.examples` exists; the other is not read',
};

const notJson: BundleRule = {
  id: 'examples-json',
  severity: 'error',
  validators: ['csv'],
  description: 'examples are JSON',
};

const notObjects: BundleRule = {
  id: 'examples-objects',
  severity: 'error',
  validators: ['csv'],
  description: 'examples are a list of objects, each with a kind',
};

const ownedName: BundleRule = {
  id: 'owned-name',
  severity: 'error',
  validators: ['csv'],
  description: 'an owned custom resource has the name of its definition, `<plural>.<group>`',
};

const notOwned: BundleRule = {
  id: 'example-owned',
  severity: 'error',
  validators: ['csv'],
  description: 'an example is of a kind, in a version, that the ClusterServiceVersion owns',
};

const noExample: BundleRule = {
  id: 'example-missing',
  severity: 'warning',
  validators: ['csv'],
  description: 'each owned kind has an example',
};

/** The rules for the examples of an operator's kinds. The examples are compared only with the owned kinds. */
export const examplesCheck: BundleCheck = {
  rules: [
    noAnnotations,
    noExamples,
    twoAnnotations,
    notJson,
    notObjects,
    ownedName,
    notOwned,
    noExample,
  ],
  check(bundle, report) {
    const { annotations = {} } = bundle.csv.value.metadata ?? {};
    if (Object.keys(annotations).length === 0) {
      const place = locateInCsv(bundle, 'metadata', 'annotations');
      return report(noAnnotations, place, 'must have entries, got none');
    }
    const found = readExamples(bundle);
    if (found === undefined) {
      const place = locateInCsv(bundle, 'metadata', 'annotations', 'alm-examples');
      return report(noExamples, place, 'must contain an example of each owned kind, got nothing');
    }
    const place = locateInCsv(bundle, 'metadata', 'annotations', found.annotation);
    if (
      found.annotation === 'alm-examples' &&
      findAnnotation(bundle, 'olm.examples') !== undefined
    ) {
      const other = locateInCsv(bundle, 'metadata', 'annotations', 'olm.examples');
      report(
        twoAnnotations,
        other,
        'must be absent beside alm-examples, got a value that is not read',
      );
    }
    if ('notJson' in found) return report(notJson, place, found.notJson);
    if ('notObjects' in found) return report(notObjects, place, found.notObjects);
    matchKinds(bundle, found.kinds, report, found.annotation);
  },
};

/** The examples of a ClusterServiceVersion: the annotation that contains them, and their value. */
type Examples = { readonly annotation: string } & (
  | { readonly notJson: string }
  | { readonly notObjects: string }
  | { readonly objects: readonly Readonly<Record<string, unknown>>[]; readonly kinds: Kinds }
);

/** The kinds of the examples, with the index of the first example of each. */
type Kinds = ReadonlyMap<string, number>;

/** Returns the examples; undefined if no annotation contains any. */
export function readExamples(bundle: LoadedBundle): Examples | undefined {
  const annotation = ['alm-examples', 'olm.examples'].find((name) => {
    return findAnnotation(bundle, name) !== undefined;
  });
  if (annotation === undefined) return undefined;
  const text = findAnnotation(bundle, annotation) ?? '';
  try {
    if (text !== '') parseJson(text);
  } catch (error) {
    if (error instanceof JsonTooDeep) return { annotation, notJson: error.message };
    const reason = error instanceof SyntaxError ? error.message : String(error);
    return { annotation, notJson: `must be JSON, got a syntax error: ${reason}` };
  }
  const { value, problem } = decodeDocument(text);
  // For text that JSON accepts and OLM's YAML parser does not, such as the escape of a surrogate.
  if (problem !== undefined) return { annotation, notObjects: problem.message };
  const list = value ?? [];
  if (!Array.isArray(list)) {
    return { annotation, notObjects: `must be a list of objects, got ${show(list)}` };
  }
  const kinds = new Map<string, number>();
  for (const [i, object] of list.entries()) {
    const { apiVersion, kind } = isMapping(object) ? object : { apiVersion: '', kind: '' };
    if (typeof kind !== 'string' || kind === '') {
      return { annotation, notObjects: `must have a kind in each entry, got none in entry ${i}` };
    }
    const key = formatGroupVersionKind(
      parseGroupVersionKind(typeof apiVersion === 'string' ? apiVersion : '', kind),
    );
    if (!kinds.has(key)) kinds.set(key, i);
  }
  return { annotation, objects: list.filter(isMapping), kinds };
}

function matchKinds(
  bundle: LoadedBundle,
  kinds: Kinds,
  report: FindingReporter,
  annotation: string,
): void {
  const { customresourcedefinitions, apiservicedefinitions } = bundle.csv.value.spec ?? {};
  const owned = new Map<string, readonly (string | number)[]>();
  for (const [i, one] of (customresourcedefinitions?.owned ?? []).entries()) {
    const { name = '', version = '', kind = '' } = one;
    const path = ['spec', 'customresourcedefinitions', 'owned', i];
    const dot = name.indexOf('.');
    if (dot < 0) {
      const message = `must be the plural and the group with a dot between, got ${show(name)}`;
      report(ownedName, locateInCsv(bundle, ...path, 'name'), message);
    } else {
      const key = formatGroupVersionKind({ group: name.slice(dot + 1), version, kind });
      if (!owned.has(key)) owned.set(key, path);
    }
  }
  for (const [i, one] of (apiservicedefinitions?.owned ?? []).entries()) {
    const { group = '', version = '', kind = '' } = one;
    const key = formatGroupVersionKind({ group, version, kind });
    if (!owned.has(key)) owned.set(key, ['spec', 'apiservicedefinitions', 'owned', i]);
  }
  for (const [key, i] of kinds) {
    if (owned.has(key)) continue;
    const message = `must be of a kind that is owned, got ${key} in entry ${i}`;
    report(notOwned, locateInCsv(bundle, 'metadata', 'annotations', annotation), message);
  }
  for (const [key, path] of owned) {
    if (kinds.has(key)) continue;
    report(
      noExample,
      locateInCsv(bundle, ...path),
      `must have an example in ${annotation}, got none of ${key}`,
    );
  }
}
