import { bundleRules, optionalValidators, suites } from './registry.ts';
import type { BundleRule } from './rule.ts';

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
