import { submissionRules, type SubmissionRule } from './rules.ts';

/** Renders the reference page of the submission rules, in Markdown. */
export function submissionRulesPage(): string {
  const rules: readonly SubmissionRule[] = Object.values(submissionRules);
  return [
    '# Rules of submissions',
    '',
    'The rules of `tenantry bundle submit` in addition to the suites `operatorhub` and `community` of [rules of bundles](bundle-rules.md). They are what the pipelines of [community-operators](https://github.com/k8s-operatorhub/community-operators) and [community-operators-prod](https://github.com/redhat-openshift-ecosystem/community-operators-prod) check before they merge a pull request ([static checks](https://redhat-openshift-ecosystem.github.io/operator-pipelines/users/static_checks/)). If there is an error, nothing is written.',
    '',
    '| rule | severity | for | requirement |',
    '| --- | --- | --- | --- |',
    ...rules.map(({ id, severity, only = 'both', description }) => {
      return `| \`${id}\` | ${severity} | ${only} | ${description} |`;
    }),
    '',
  ].join('\n');
}
