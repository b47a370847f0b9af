import { bundleRules, optionalValidators, suites } from './registry.ts';
import type { BundleRule } from './rule.ts';

/** The page of reference of the rules of bundles, in Markdown. */
export function bundleRulesPage(): string {
  return [
    '# Rules of bundles',
    '',
    'What `tenantry bundle validate` asks, by the names that its findings carry. A rule is asked by one or more validators; a suite is validators that are asked together:',
    '',
    ...Object.entries(suites).map(([suite, names]) => `- \`${suite}\`: ${list(names)}`),
    '',
    `Besides, \`--optional\` takes ${list(Object.keys(optionalValidators))}. \`operatorhub\` stands for \`operatorhubv2\`, \`capabilities\` and \`categories\`.`,
    '',
    "`csv`, `crd` and `bundle` are the default validators of OLM's own library, and the optional ones have its names, but for `objects` and `scorecard`. The suite `operatorhub` says what that library says, at the same objects and fields; the rules with a star are those that it means to ask and never does. `format` is what catalogs ask, `fields` what nobody else does, and in `good-practices` nobody else asks for `permissions-everywhere` and `resource-names`.",
    '',
    'Where OLM could not load a bundle at all, that is said and nothing else; what cannot even be read, [bundles](../bundles.md#what-cannot-be-read) has:',
    '',
    ...table(['rule', 'what it asks'], loadRules),
    '',
    '## Rules',
    '',
    ...table(['rule', 'severity', 'validators', 'what it asks'], bundleRules.map(row)),
    '',
  ].join('\n');
}

/** What a bundle must be so that it is loaded. */
const loadRules = [
  ['`one-csv`', 'one ClusterServiceVersion is the first document of a file'],
  ['`manifest-folder`', 'beside it are no folders'],
  ['`manifest-hidden`', 'beside it are no files whose names begin with a dot'],
  ['`manifest-object`', 'each file beside it is an object with a kind, in YAML or JSON'],
  ['`definition-version`', 'a CustomResourceDefinition is of v1, or of v1beta1'],
  ['`field-type`', 'each field of it, and of a CustomResourceDefinition, has its type'],
  ['`annotations-file`', 'files called `annotations*` are YAML, with texts as annotations'],
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
