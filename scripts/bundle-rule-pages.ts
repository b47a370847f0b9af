import { bundleRules, optionalValidators, suites } from '../packages/olm/rules/validate-bundle.ts';
import type { BundleRule } from '../packages/olm/rules/rule.ts';
import { submissionRules, type SubmissionRule } from '../packages/olm/submission/rules.ts';
import { upgradeRules } from '../packages/olm/upgrade/compare.ts';
import { areas, type UpgradeArea } from '../packages/olm/upgrade/upgrade-check.ts';

/** Renders the reference page of the bundle rules, in Markdown. */
export function bundleRulesPage(): string {
  return [
    '# Rules of bundles',
    '',
    'The rules of `tenantry bundle validate`, by the names in its findings. A rule belongs to one or more validators; a suite is a set of validators:',
    '',
    ...Object.entries(suites).map(([suite, names]) => `- \`${suite}\`: ${list(names)}`),
    '',
    `In addition, \`--optional\` accepts ${list(Object.keys(optionalValidators))}. \`operatorhub\` includes \`operatorhubv2\`, \`capabilities\` and \`categories\`.`,
    '',
    "`csv`, `crd` and `bundle` are the default validators of OLM's own library, and the optional ones have its names, except for `objects` and `scorecard`. The suite `operatorhub` reports what that library reports, at the same objects and fields. The library intends to check the rules with a star but never does. `format` has the requirements of catalogs. The rules of `fields`, and `permissions-everywhere` and `resource-names` of `good-practices`, are only in Tenantry.",
    '',
    'If OLM could not load a bundle at all, only the reason is reported, by one of the following rules. For files that cannot be read, see [bundles](../bundles.md#what-cannot-be-read).',
    '',
    ...table(['rule', 'requirement'], loadRules),
    '',
    '## Rules',
    '',
    ...table(['rule', 'severity', 'validators', 'requirement'], bundleRules.map(row)),
    '',
  ].join('\n');
}

/** The requirements for loading a bundle. */
const loadRules = [
  ['`one-csv`', 'one ClusterServiceVersion is the first document of a file'],
  ['`manifest-folder`', 'there are no folders beside it'],
  ['`manifest-hidden`', 'there are no files beside it whose names begin with a dot'],
  ['`manifest-object`', 'each file beside it is an object with a kind, in YAML or JSON'],
  ['`definition-version`', 'a CustomResourceDefinition is of v1, or of v1beta1'],
  [
    '`field-type`',
    'each field of the ClusterServiceVersion and of a CustomResourceDefinition has its type',
  ],
  ['`annotations-file`', 'files called `annotations*` are YAML, and annotations are strings'],
];

function row({
  id,
  severity,
  validators,
  description,
  isDeadUpstream = false,
}: BundleRule): string[] {
  return [`\`${id}\`${isDeadUpstream ? ' \\*' : ''}`, severity, validators.join(', '), description];
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

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

const titles: Readonly<Record<UpgradeArea, readonly [title: string, about: string]>> = {
  graph: ['Upgrade path', 'Whether NEW comes after OLD, and whether OLM upgrades from OLD to NEW.'],
  definitions: [
    'Custom resources',
    'Definitions are compared as [`crd diff`](../crd-versions.md#comparing-customresourcedefinitions) compares them, with its rules: a breaking change stays breaking, an unknown one is to be reviewed, and a compatible one is fine. Conversion is by the webhooks of the ClusterServiceVersion, as OLM sets it up. In addition:',
  ],
  permissions: [
    'Permissions',
    'For each ServiceAccount and any other subject of a binding in the bundle: the requests that NEW allows and OLD does not. They follow from the permissions of the ClusterServiceVersion and from roles and bindings among the manifests. A right that moves from one rule to another is no difference. Neither is one that moves from the watched namespaces to a rule that applied everywhere before.',
  ],
  webhooks: ['Webhooks', 'The admission webhooks, by name.'],
  requirements: ['Requirements', 'The requirements on the cluster and on other operators.'],
  contents: ['Contents', 'The objects and images besides definitions and rights.'],
};

/** Renders the reference page of the upgrade rules, in Markdown. */
export function upgradeRulesPage(): string {
  return [
    '# Rules of upgrades',
    '',
    'The changes that `tenantry bundle diff` reports, by the names that `--allow` accepts. Breaking: the upgrade does not happen, or something that works today stops or is lost. Review: somebody must decide whether the change is intended. Fine: no action is needed. See [bundles](../bundles.md#is-an-upgrade-safe).',
    '',
    ...areas.flatMap((area) => section(area)),
  ].join('\n');
}

function section(area: UpgradeArea): string[] {
  const [title, about] = titles[area];
  const rows = upgradeRules.filter((rule) => rule.area === area);
  return [
    `## ${title}`,
    '',
    about,
    '',
    '| rule | verdict | meaning |',
    '| --- | --- | --- |',
    ...rows.map(({ id, verdict, description }) => `| \`${id}\` | ${verdict} | ${description} |`),
    '',
  ];
}
