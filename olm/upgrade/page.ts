import { upgradeRules } from './compare.ts';
import { areas, type UpgradeArea } from './change.ts';

const titles: Readonly<Record<UpgradeArea, readonly [title: string, about: string]>> = {
  graph: ['Upgrade path', 'Whether NEW comes after OLD, and whether OLM upgrades from OLD to NEW.'],
  definitions: [
    'Custom resources',
    'Definitions are compared as [`crd diff`](../crd-diff.md) compares them, with its rules: a breaking change stays breaking, an unknown one is to be reviewed, and a compatible one is fine. Conversion is by the webhooks of the ClusterServiceVersion, as OLM sets it up. In addition:',
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
    ...rows.map(({ id, verdict, says }) => `| \`${id}\` | ${verdict} | ${says} |`),
    '',
  ];
}
