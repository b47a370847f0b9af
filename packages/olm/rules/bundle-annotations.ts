import { entryOf } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import type { LoadedBundle, BundleLocation } from '../loader/loaded-bundle.ts';
import type { BundleCheck, BundleRule } from './rule.ts';

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
export const bundleAnnotations: BundleCheck = {
  rules: [missing, mediaType, folders, empty, label],
  check(bundle, report) {
    const { values } = bundle.read.annotations;
    const lacking = REQUIRED.filter((name) => valueOf(bundle, name) === undefined);
    if (lacking.length === REQUIRED.length && bundle.read.annotations.document === undefined) {
      const message =
        'must have metadata/annotations.yaml beside the folder of its manifests, got none';
      report(missing, locateAnnotation(bundle), message);
    } else {
      for (const name of lacking) {
        report(missing, locateAnnotation(bundle), `must have ${PREFIX}${name}, got nothing`);
      }
    }
    const type = valueOf(bundle, 'mediatype.v1');
    if (type !== undefined && type !== 'registry+v1') {
      report(
        mediaType,
        locateAnnotation(bundle, 'mediatype.v1'),
        `must be registry+v1, got ${show(type)}`,
      );
    }
    for (const folder of ['manifests', 'metadata']) {
      const value = valueOf(bundle, `${folder}.v1`);
      if (value === undefined || value === `${folder}/`) continue;
      report(
        folders,
        locateAnnotation(bundle, `${folder}.v1`),
        `must be '${folder}/', got ${show(value)}`,
      );
    }
    for (const name of NAMED) {
      if (valueOf(bundle, name)?.trim() !== '') continue;
      report(
        empty,
        locateAnnotation(bundle, name),
        `must not be empty, got ${show(valueOf(bundle, name))}`,
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

function valueOf(bundle: LoadedBundle, name: string): string | undefined {
  return entryOf(bundle.read.annotations.values, `${PREFIX}${name}`);
}

function locateAnnotation(bundle: LoadedBundle, name?: string): BundleLocation {
  const { document } = bundle.read.annotations;
  const path = name === undefined ? ['annotations'] : ['annotations', `${PREFIX}${name}`];
  return document === undefined ? { path: [] } : { file: document.file, path };
}
