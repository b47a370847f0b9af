import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import { show } from '@tenantry/kube/problem';
import { hasComments } from '../output/generated-line.ts';

/**
 * Matches names of manifests that kubectl, Argo CD and Flux all read as plain manifests. It
 * excludes hidden files (`.argocd-source.yaml`, `.sourceignore`) and folders that look like files
 * (Flux skips `x.zip/`). It also excludes `.yml`, `.json` and `.jsonnet`, which only some tools
 * read, or read differently.
 */
const MANIFEST = /^(?:\w[\w-]*\/)*\w[\w.-]*\.yaml$/;

/**
 * Matches names with a special meaning: a file of kustomize, a file that makes Argo CD treat the
 * folder as a Helm chart (it compares the end of the name), and a pipeline file that Flux skips.
 */
const TAKEN = /(?:^|\/)kustomization\.yaml$|Chart\.yaml$|(?:^|\/)cloudbuild\.yaml$/;

/** Matches files for people, which no tool reads. */
const NOTE = /^(?:\w[\w-]*\/)*\w[\w.-]*\.(?:md|txt)$/;

/** The file that cdk8s writes on request at the top of the output, for its validation plugins. */
export const CONSTRUCT_METADATA = 'construct-metadata.json';

/** The attributes of the output folder, for Git and code hosts. */
export const GIT_ATTRIBUTES = '.gitattributes';

/** Files at the top of the output whose names are fixed. */
const OWN_NAMES: ReadonlySet<string> = new Set([CONSTRUCT_METADATA, GIT_ATTRIBUTES]);

/** Whether a file of the output holds objects, judged by its name. */
export function isManifest(path: string): boolean {
  return path.endsWith('.yaml');
}

/** Explains why a file of the output must not have this path; undefined if it may. */
export function pathRefusal(path: string): string | undefined {
  if (TAKEN.test(path)) return `must not be a name that a tool reserves, got ${show(path)}`;
  if (MANIFEST.test(path) || NOTE.test(path) || OWN_NAMES.has(path)) return undefined;
  return `must be a path of letters, digits, '-' and '_' that ends in '.yaml' (for text '.md' or '.txt'), such as 'clusters/eu1/acme.yaml', got ${show(path)}`;
}

/** Matches a file in a folder, without hidden names. */
const ARTIFACT = /^(?:\w[\w.-]*\/)+\w[\w.-]*$/;

/** Explains why an artifact, which no cluster reads, must not have this path; undefined if it may. */
export function artifactRefusal(path: string): string | undefined {
  const isOfClusters = path.split('/')[0]!.toLowerCase() === CLUSTERS;
  if (ARTIFACT.test(path) && !isOfClusters) {
    if (hasComments(path)) return undefined;
    return `must be of a format whose first line can be a comment, such as '.yaml', '.md' or 'Dockerfile', got ${show(path)}`;
  }
  return `must be a path of letters, digits, '-', '_' and '.' in a folder other than ${CLUSTERS}/, such as 'images/Dockerfile', got ${show(path)}`;
}
