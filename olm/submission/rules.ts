/** The repositories of operators that take submissions, by what shows them. */
export type Repository = 'operatorhub' | 'openshift';

/** What is asked of a submission, under a name that stays. */
export interface SubmissionRule {
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** Only of submissions to this repository. @default - both */
  readonly only?: Repository;
  /** In one sentence, for the page of rules. */
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
 * What the pipelines of the repositories ask besides the rules of bundles.
 *
 * Source: https://redhat-openshift-ecosystem.github.io/operator-pipelines/users/static_checks/
 */
export const submissionRules = {
  package: errorRule(
    'submission-package',
    'the bundle names its package, of lower-case letters, digits and `-`: the folder is called so',
  ),
  version: errorRule(
    'submission-version',
    '`spec.version` is a version of semver.org: the folder is called so',
  ),
  published: errorRule(
    'submission-published',
    'a version that is there already is the same, byte for byte: what is published does not change',
  ),
  name: errorRule(
    'submission-name',
    '`metadata.name` begins with the name of the package and a dot; of a package that has other versions, as theirs does',
  ),
  replaces: errorRule(
    'submission-replaces',
    'what `spec.replaces` names is a version that is there; not asked with a file-based catalog or `semver-mode`',
  ),
  graph: errorRule(
    'submission-graph',
    'with the new version, no channel has two heads, a loop, or a version that nothing leads to, unless it had before; not asked with a file-based catalog',
  ),
  required: errorRule(
    'submission-required',
    'there are a `displayName` of 3 to 50 characters, a `description` of at least 20, an icon, a maintainer, a link, and a `provider.name` of at least 3',
  ),
  advised: warningRule(
    'submission-advised',
    'there are keywords, and the annotations `capabilities`, `categories`, `containerImage`, `createdAt` (a time), `repository` (a URL), `support` and `description`',
  ),
  networkPolicy: errorRule(
    'submission-network-policy',
    'no NetworkPolicy is among the manifests',
    'openshift',
  ),
  openshift: errorRule(
    'submission-openshift-versions',
    'where `minKubeVersion` is said, the annotation `com.redhat.openshift.versions` is, too, and leaves out each OpenShift that is older',
    'openshift',
  ),
  ci: errorRule(
    'submission-ci',
    '`ci.yaml` is what the pipeline reads: each field of its type, each word a known one',
  ),
  ciCatalog: errorRule('submission-ci-catalog', 'no catalog is in two templates of `ci.yaml`'),
  ciGraph: warningRule(
    'submission-ci-graph',
    '`ci.yaml` says its `updateGraph`, or has a file-based catalog',
  ),
  ciReviewers: warningRule(
    'submission-ci-reviewers',
    '`ci.yaml` names reviewers: a request of nobody else is merged by itself',
  ),
  dockerfile: warningRule(
    'submission-dockerfile',
    'the Dockerfile of the bundle builds where it will lie; if not, it is written anew',
  ),
} as const satisfies Readonly<Record<string, SubmissionRule>>;
