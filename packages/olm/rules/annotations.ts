import { entryOf } from '@tenantry/kube/mapping';
import { lowerCase, trimSpace } from '@tenantry/kube/names';
import { show, didYouMean, findNearest } from '@tenantry/kube/problem';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';
import type { LoadedBundle, BundleLocation } from '../loader/loaded-bundle.ts';

/** The annotations that OLM reads, by their names in lower case. */
const cased = new Map(
  [
    'olm.operatorGroup',
    'olm.operatorNamespace',
    'olm.targetNamespaces',
    'olm.providedAPIs',
    'olm.skipRange',
  ].map((name) => [lowerCase(name), name]),
);

const annotationCase: BundleRule = {
  id: 'annotation-case',
  severity: 'error',
  validators: ['csv'],
  description: 'an annotation of OLM is written in its case: `olm.skipRange`, not `olm.skiprange`',
};

const propertiesAnnotation: BundleRule = {
  id: 'properties-annotation',
  severity: 'warning',
  validators: ['csv'],
  description:
    'properties are in `metadata/properties.yaml`, not in the annotation `olm.properties`',
};

/** The rules for the annotations of a ClusterServiceVersion that OLM uses. */
export const annotationsCheck: BundleCheck = {
  rules: [annotationCase, propertiesAnnotation],
  check(bundle, report) {
    for (const key of Object.keys(bundle.csv.value.metadata?.annotations ?? {})) {
      const place = { ...locateInCsv(bundle, 'metadata', 'annotations', key), atKey: true };
      const known = cased.get(lowerCase(key));
      if (known !== undefined && known !== key) {
        report(annotationCase, place, `must be ${show(known)}, got ${show(key)}`);
      }
      if (key === PROPERTIES) {
        report(
          propertiesAnnotation,
          place,
          'must be in metadata/properties.yaml, got an annotation',
        );
      }
    }
  },
};

const PROPERTIES = 'olm.properties';

/** Returns an annotation of the ClusterServiceVersion; undefined if it does not have it. */
export function findAnnotation(
  bundle: Parameters<BundleCheck['check']>[0],
  name: string,
): string | undefined {
  return entryOf(bundle.csv.value.metadata?.annotations, name);
}

const capabilities: BundleRule = {
  id: 'capabilities',
  severity: 'error',
  validators: ['capabilities'],
  description:
    'the annotation `capabilities` is Basic Install, Seamless Upgrades, Full Lifecycle, Deep Insights or Auto Pilot',
};

const categories: BundleRule = {
  id: 'categories',
  severity: 'error',
  validators: ['categories'],
  description: 'the annotation `categories` lists categories of OperatorHub, with commas between',
};

const LEVELS = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
];

/** The categories of OperatorHub. */
const CATEGORIES = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Database',
  'Developer Tools',
  'Integration & Delivery',
  'Logging & Tracing',
  'Modernization & Migration',
  'Monitoring',
  'Networking',
  'Observability',
  'OpenShift Optional',
  'Security',
  'Storage',
  'Streaming & Messaging',
];

/** The rules for annotations with a fixed set of values in OperatorHub. */
export const annotationValuesCheck: BundleCheck = {
  rules: [capabilities, categories],
  check(bundle, report, options) {
    const at = (name: string) => locateInCsv(bundle, 'metadata', 'annotations', name);
    const level = findAnnotation(bundle, 'capabilities');
    if (level !== undefined && !LEVELS.includes(level)) {
      report(capabilities, at('capabilities'), wrong(level, LEVELS));
    }
    const known = options.categories ?? CATEGORIES;
    for (const category of findAnnotation(bundle, 'categories')?.split(',') ?? []) {
      if (known.includes(trimSpace(category))) continue;
      report(categories, at('categories'), wrong(category, known));
    }
  },
};

function wrong(got: string, known: readonly string[]): string {
  return `must be one of ${known.join(', ')}, got ${show(got)}${didYouMean(findNearest(got, known))}`;
}

const missing: BundleRule = {
  id: 'annotation-missing',
  severity: 'error',
  validators: ['format'],
  description:
    '`metadata/annotations.yaml` names the media type, the folders, the package and its channels',
};

const mediaType: BundleRule = {
  id: 'annotation-media-type',
  severity: 'error',
  validators: ['format'],
  description: 'the media type of a bundle is `registry+v1`',
};

const folders: BundleRule = {
  id: 'annotation-folders',
  severity: 'error',
  validators: ['format', 'operatorhubv2'],
  description: 'the annotations name the folders `manifests/` and `metadata/`',
  isDeadUpstream: true,
};

const empty: BundleRule = {
  id: 'annotation-empty',
  severity: 'error',
  validators: ['format'],
  description:
    'the package, the channels and, where it is given, the default channel are not empty',
};

const label: BundleRule = {
  id: 'dockerfile-label',
  severity: 'error',
  validators: ['format'],
  description: 'the labels of `bundle.Dockerfile` are the annotations of the bundle',
};

const PREFIX = 'operators.operatorframework.io.bundle.';
const NAMED = ['package.v1', 'channels.v1', 'channel.default.v1'];
const REQUIRED = ['mediatype.v1', 'manifests.v1', 'metadata.v1', 'package.v1', 'channels.v1'];

/** The rules for the annotations of a bundle. */
export const bundleAnnotationsCheck: BundleCheck = {
  rules: [missing, mediaType, folders, empty, label],
  check(bundle, report) {
    const { values } = bundle.read.annotations;
    const lacking = REQUIRED.filter((name) => findValue(bundle, name) === undefined);
    if (lacking.length === REQUIRED.length && bundle.read.annotations.document === undefined) {
      const message =
        'must have metadata/annotations.yaml beside the folder of its manifests, got none';
      report(missing, locateAnnotation(bundle), message);
    } else {
      for (const name of lacking) {
        report(missing, locateAnnotation(bundle), `must have ${PREFIX}${name}, got nothing`);
      }
    }
    const type = findValue(bundle, 'mediatype.v1');
    if (type !== undefined && type !== 'registry+v1') {
      report(
        mediaType,
        locateAnnotation(bundle, 'mediatype.v1'),
        `must be registry+v1, got ${show(type)}`,
      );
    }
    for (const folder of ['manifests', 'metadata']) {
      const value = findValue(bundle, `${folder}.v1`);
      if (value === undefined || value === `${folder}/`) continue;
      report(
        folders,
        locateAnnotation(bundle, `${folder}.v1`),
        `must be '${folder}/', got ${show(value)}`,
      );
    }
    for (const name of NAMED) {
      if (findValue(bundle, name)?.trim() !== '') continue;
      report(
        empty,
        locateAnnotation(bundle, name),
        `must not be empty, got ${show(findValue(bundle, name))}`,
      );
    }
    const { labels } = bundle.read;
    if (labels?.file === undefined) return;
    for (const [name, value] of Object.entries(values)) {
      const got = entryOf(labels.values, name);
      if (!name.startsWith(PREFIX) || got === value) continue;
      const message = `must have the label ${name} with ${show(value)}, as the annotations have it, got ${show(got)}`;
      report(label, { file: labels.file, path: [] }, message);
    }
  },
};

function findValue(bundle: LoadedBundle, name: string): string | undefined {
  return entryOf(bundle.read.annotations.values, `${PREFIX}${name}`);
}

function locateAnnotation(bundle: LoadedBundle, name?: string): BundleLocation {
  const { document } = bundle.read.annotations;
  const path = name === undefined ? ['annotations'] : ['annotations', `${PREFIX}${name}`];
  return document === undefined ? { path: [] } : { file: document.file, path };
}
