import { submissionRules, type SubmissionRule } from './rules.ts';

/** The page of reference of the rules of submissions, in Markdown. */
export function submissionRulesPage(): string {
  const rules: readonly SubmissionRule[] = Object.values(submissionRules);
  return [
    '# Rules of submissions',
    '',
    'What `tenantry bundle submit` asks besides the suites `operatorhub` and `community` of [rules of bundles](bundle-rules.md): what the pipelines of [community-operators](https://github.com/k8s-operatorhub/community-operators) and [community-operators-prod](https://github.com/redhat-openshift-ecosystem/community-operators-prod) ask before they merge a request ([static checks](https://redhat-openshift-ecosystem.github.io/operator-pipelines/users/static_checks/)). With an error nothing is written.',
    '',
    '| rule | severity | for | what it asks |',
    '| --- | --- | --- | --- |',
    ...rules.map(({ id, severity, only = 'both', description }) => {
      return `| \`${id}\` | ${severity} | ${only} | ${description} |`;
    }),
    '',
  ].join('\n');
}
