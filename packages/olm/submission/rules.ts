/** The repositories of operators that accept submissions, named after the catalogs that show them. */
export type Repository = 'operatorhub' | 'openshift';

/** A check of a submission, under a stable name. */
export interface SubmissionRule {
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** The only repository to which the rule applies. @default - both */
  readonly only?: Repository;
  /** The description in one sentence, for the page of rules. */
  readonly description: string;
}

const errorRule = (id: string, description: string, only?: Repository): SubmissionRule => {
  return { id, severity: 'error', description, ...(only && { only }) };
};
const warningRule = (id: string, description: string): SubmissionRule => ({
  id,
  severity: 'warning',
  description,
});

/**
 * The rules of the repositories' pipelines in addition to the bundle rules.
 *
 * Source: https://redhat-openshift-ecosystem.github.io/operator-pipelines/users/static_checks/
 */
export const submissionRules = {
  package: errorRule(
    'submission-package',
    'the bundle names its package, of lower-case letters, digits and `-`: it is the name of the folder',
  ),
  version: errorRule(
    'submission-version',
    '`spec.version` is a version of semver.org: it is the name of the folder',
  ),
  published: errorRule(
    'submission-published',
    'an existing version is unchanged, byte for byte: a published version is immutable',
  ),
  name: errorRule(
    'submission-name',
    '`metadata.name` begins with the name of the package and a dot; if the package has other versions, with the same prefix as theirs',
  ),
  replaces: errorRule(
    'submission-replaces',
    '`spec.replaces` names an existing version; not checked with a file-based catalog or `semver-mode`',
  ),
  graph: errorRule(
    'submission-graph',
    'with the new version, no channel has two heads, a cycle, or an unreachable version, unless it had before; not checked with a file-based catalog',
  ),
  required: errorRule(
    'submission-required',
    'there are a `displayName` of 3 to 50 characters, a `description` of at least 20, an icon, a maintainer, a link, and a `provider.name` of at least 3',
  ),
  advised: warningRule(
    'submission-advised',
    'the keywords are set, and the annotations `capabilities`, `categories`, `containerImage`, `createdAt` (a time), `repository` (a URL), `support` and `description`',
  ),
  networkPolicy: errorRule(
    'submission-network-policy',
    'the manifests contain no NetworkPolicy',
    'openshift',
  ),
  openshift: errorRule(
    'submission-openshift-versions',
    'with `minKubeVersion`, the annotation `com.redhat.openshift.versions` is set too, and excludes each older OpenShift',
    'openshift',
  ),
  ci: errorRule(
    'submission-ci',
    '`ci.yaml` is valid for the pipeline: each field has its type, and enumerated values are known',
  ),
  ciCatalog: errorRule('submission-ci-catalog', 'no catalog is in two templates of `ci.yaml`'),
  ciGraph: warningRule(
    'submission-ci-graph',
    '`ci.yaml` sets `updateGraph`, or has a file-based catalog',
  ),
  ciReviewers: warningRule(
    'submission-ci-reviewers',
    '`ci.yaml` names reviewers: only their pull requests are merged automatically',
  ),
  dockerfile: warningRule(
    'submission-dockerfile',
    'the Dockerfile of the bundle builds at its place in the repository; otherwise it is rewritten',
  ),
} as const satisfies Readonly<Record<string, SubmissionRule>>;
