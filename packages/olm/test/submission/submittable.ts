import type { BundleFile } from '../../bundle/bundle.ts';
import { parseBundle } from '../../bundle/parse.ts';
import {
  resolveSubmissionTarget,
  buildSubmission,
  type SubmissionOptions,
} from '../../submission/submission.ts';
import { sample, textsOf, type Sample } from '../rules/sample.ts';

/** Builds a bundle without findings from any suite or pipeline. */
export function submittable(version = '1.2.3'): Sample {
  const given = sample();
  const { metadata, spec } = given.csv;
  metadata.name = `redis-operator.v${version}`;
  Object.assign(metadata.annotations, {
    containerImage: 'quay.io/example/operator:1',
    createdAt: '2026-01-31T12:00:00Z',
    repository: 'https://github.com/example/redis-operator',
    support: 'Example',
    description: 'Runs Redis in clusters.',
  });
  Object.assign(spec, {
    version,
    description: 'Runs Redis, and keeps it running.',
    keywords: ['redis'],
  });
  given.annotations['com.redhat.openshift.versions'] = 'v4.14';
  return given;
}

/** The default options of a submission. */
export const questions: SubmissionOptions = {
  repository: 'operatorhub',
  others: [],
  reviewers: ['jo'],
  graph: 'replaces',
};

/** Returns the files of a sample by path. Annotations of others have no prefix of bundles. */
export function submittedTexts(given: Sample): Record<string, string> {
  const prefix = /operators\.operatorframework\.io\.bundle\.(?=com\.)/g;
  const entries = Object.entries(textsOf(given));
  return Object.fromEntries(entries.map(([path, text]) => [path, text.replaceAll(prefix, '')]));
}

export function filesOf(given: Sample): BundleFile[] {
  const entries = Object.entries(submittedTexts(given));
  return entries.map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
}

export function bundleOf(given: Sample) {
  return parseBundle({ files: filesOf(given) });
}

export function submit(given: Sample, more: Partial<SubmissionOptions> = {}) {
  const bundle = bundleOf(given);
  const { packageName = 'redis-operator' } = resolveSubmissionTarget(bundle);
  return buildSubmission(bundle, packageName, { ...questions, ...more });
}

/** Returns the findings about a submission: severity, rule and path. */
export function collectFindings(given: Sample, more: Partial<SubmissionOptions> = {}): string[] {
  const { findings, config } = submit(given, more);
  return [...findings, ...config.findings].map(({ severity, rule, path }) => {
    return `${severity} ${rule} ${path.join('.')}`;
  });
}
