import { gzipSync } from 'node:zlib';
import { formatList, show } from '@tenantry/kube/problem';
import { MAX_REPORTED } from '../bundle/documents.ts';
import { AN_IMAGE, isImage } from '../image/reference.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';

const kind: BundleRule = {
  id: 'kind',
  severity: 'error',
  validators: ['format'],
  description: 'each object is of a kind that OLM installs',
};

const unread: BundleRule = {
  id: 'document-unread',
  severity: 'error',
  validators: ['format'],
  description: 'a file contains one object: of several documents OLM installs only the first',
};

/** The kinds of registry+v1 bundles. */
export const bundleKinds: readonly string[] = [
  'ClusterServiceVersion',
  'CustomResourceDefinition',
  'Secret',
  'ConfigMap',
  'ServiceAccount',
  'Service',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
  'PrometheusRule',
  'ServiceMonitor',
  'PodMonitor',
  'PodDisruptionBudget',
  'PriorityClass',
  'VerticalPodAutoscaler',
  'NetworkPolicy',
  'ConsoleYAMLSample',
  'ConsoleQuickStart',
  'ConsoleCLIDownload',
  'ConsoleLink',
  'ConsolePlugin',
];

/** The rules for the kinds in a bundle, and for one object per file. */
export const bundleKindsCheck: BundleCheck = {
  rules: [kind, unread],
  check(bundle, report) {
    for (const object of bundle.objects) {
      if (bundleKinds.includes(object.kind)) continue;
      const message = `must be a kind that OLM installs (${formatList(bundleKinds)}), got ${show(object.kind)}`;
      report(kind, { file: object.file, path: ['kind'] }, message);
    }
    const reportedCounts = new Map(bundle.objects.map(({ file }) => [file, 0]));
    for (const { file, index, kind: got } of bundle.read.manifests) {
      const before = reportedCounts.get(file) ?? MAX_REPORTED;
      if (index === 0 || before === MAX_REPORTED) continue;
      reportedCounts.set(file, before + 1);
      const message = `must be in a file of its own, got ${show(got)} behind another object`;
      report(unread, { file, document: index, path: [] }, message);
    }
  },
};

const relatedImage: BundleRule = {
  id: 'related-image',
  severity: 'error',
  validators: ['bundle'],
  description: 'an entry of `spec.relatedImages` names an image',
};

/** The rule for the images that an operator needs. */
export const relatedImagesCheck: BundleCheck = {
  rules: [relatedImage],
  check(bundle, report) {
    const { relatedImages: images = [] } = bundle.csv.value.spec ?? {};
    for (const [i, { image = '' }] of images.entries()) {
      if (isImage(image)) continue;
      const place = locateInCsv(bundle, 'spec', 'relatedImages', i, 'image');
      report(
        relatedImage,
        place,
        `must be ${AN_IMAGE}, got ${show(image === '' ? undefined : image)}`,
      );
    }
  },
};

const serviceAccount: BundleRule = {
  id: 'service-account',
  severity: 'error',
  validators: ['bundle'],
  description:
    'the bundle contains no ServiceAccount that a deployment of the ClusterServiceVersion runs under: OLM creates that',
};

/** The rule against ServiceAccounts that OLM creates itself. */
export const serviceAccountsCheck: BundleCheck = {
  rules: [serviceAccount],
  check(bundle, report) {
    const { deployments = [] } = bundle.csv.value.spec?.install?.spec ?? {};
    const used = new Set(
      deployments.map(({ spec }) => spec?.template?.spec?.serviceAccountName ?? ''),
    );
    for (const { file, apiVersion, kind, name } of bundle.objects) {
      if (apiVersion !== 'v1' || kind !== 'ServiceAccount' || !used.has(name)) continue;
      const message = `must not be one that the ClusterServiceVersion names, got ${show(name)}`;
      report(serviceAccount, { file, path: ['metadata', 'name'] }, message);
    }
  },
};

const tooLarge: BundleRule = {
  id: 'compressed-size',
  severity: 'error',
  validators: ['bundle'],
  description:
    'the files of the bundle have, each compressed and in base64, at most 1 MiB together: OLM keeps them in one object',
};

const nearlyTooLarge: BundleRule = {
  id: 'compressed-size-near',
  severity: 'warning',
  validators: ['bundle'],
  description: 'the files have at most 85% of that size',
};

const MAX_BYTES = 1024 * 1024;
const NEAR = 0.85 * MAX_BYTES;

/** The rules for the size of a bundle. */
export const bundleSizeCheck: BundleCheck = {
  rules: [tooLarge, nearlyTooLarge],
  check({ read }, report) {
    // A file grows at most by base64 and the frame of gzip.
    const most = read.files.reduce((sum, { bytes }) => sum + bytes.length * 1.4 + 64, 0);
    if (most <= NEAR) return;
    const { compressed: packed } = computeBundleSize(read);
    const got = `got ${packed} in ${read.files.length} files`;
    if (packed > MAX_BYTES) {
      report(tooLarge, { path: [] }, `must have at most ${MAX_BYTES} bytes compressed, ${got}`);
    } else if (packed > NEAR) {
      const message = `must stay well below ${MAX_BYTES} bytes compressed, ${got}`;
      report(nearlyTooLarge, { path: [] }, message);
    }
  },
};

/** The size of a bundle. */
interface BundleSize {
  /** The size of all files, in bytes. */
  readonly bytes: number;
  /** The size in bytes with each file in gzip and base64, as OLM stores it in a ConfigMap. */
  readonly compressed: number;
}

/** Computes the size of a bundle; the compression takes some milliseconds per megabyte. */
function computeBundleSize({ files }: Bundle): BundleSize {
  let [bytes, compressed] = [0, 0];
  for (const { bytes: content } of files) {
    bytes += content.length;
    compressed += Math.ceil(gzipSync(content).length / 3) * 4;
  }
  return { bytes, compressed };
}
