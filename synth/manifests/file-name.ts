import { CLUSTERS } from '../../kube/output.ts';
import { show } from '../../kube/problem.ts';
import { canSayGenerated } from '../output/generated-line.ts';

/**
 * A file of objects as kubectl, Argo CD and Flux all read it, and no tool takes for its own: nothing
 * hidden (`.argocd-source.yaml`, `.sourceignore`), no folder that looks like a file (Flux leaves out
 * `x.zip/`), no `.yml`, `.json` or `.jsonnet`, which some read, or read as something else.
 */
const MANIFEST = /^(?:\w[\w-]*\/)*\w[\w.-]*\.yaml$/;

/**
 * What a name must not end with: a file of kustomize; one that makes a folder a Helm chart for Argo
 * CD (which asks how the name ends); one that Flux takes for a pipeline and leaves out.
 */
const TAKEN = /(?:^|\/)kustomization\.yaml$|Chart\.yaml$|(?:^|\/)cloudbuild\.yaml$/;

/** A file for people, which none of them reads. */
const NOTE = /^(?:\w[\w-]*\/)*\w[\w.-]*\.(?:md|txt)$/;

/** What cdk8s writes for its validation plugins, at the top of the output, when it is asked to. */
export const CONSTRUCT_METADATA = 'construct-metadata.json';

/** What Git and code hosts read for the folder that it is in. */
export const GIT_ATTRIBUTES = '.gitattributes';

/** At the top of the output. */
const OWN_NAMES: ReadonlySet<string> = new Set([CONSTRUCT_METADATA, GIT_ATTRIBUTES]);

/** Whether a file of the output holds objects, by its name. */
export function isManifest(path: string): boolean {
  return path.endsWith('.yaml');
}

/** Why a file of the output must not have this path; undefined: it may. */
export function pathRefusal(path: string): string | undefined {
  if (TAKEN.test(path))
    return `must not be a name that a tool takes for its own, got ${show(path)}`;
  if (MANIFEST.test(path) || NOTE.test(path) || OWN_NAMES.has(path)) return undefined;
  return `must be a path of letters, digits, '-' and '_' that ends in '.yaml' (for text '.md' or '.txt'), such as 'clusters/eu1/acme.yaml', got ${show(path)}`;
}

/** A file in a folder; nothing hidden. */
const ARTIFACT = /^(?:\w[\w.-]*\/)+\w[\w.-]*$/;

/** Why a file of the output that is for no cluster must not have this path; undefined: it may. */
export function artifactRefusal(path: string): string | undefined {
  const isOfClusters = path.split('/')[0]!.toLowerCase() === CLUSTERS;
  if (ARTIFACT.test(path) && !isOfClusters) {
    if (canSayGenerated(path)) return undefined;
    return `must be of a format whose first line can be a comment, such as '.yaml', '.md' or 'Dockerfile', got ${show(path)}`;
  }
  return `must be a path of letters, digits, '-', '_' and '.' in a folder other than ${CLUSTERS}/, such as 'images/Dockerfile', got ${show(path)}`;
}
