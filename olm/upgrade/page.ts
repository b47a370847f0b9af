import { upgradeRules } from './compare.ts';
import { areas, type UpgradeArea } from './change.ts';

const titles: Readonly<Record<UpgradeArea, readonly [title: string, about: string]>> = {
  graph: ['Where it comes from', 'Whether NEW comes after OLD, and OLM takes the way.'],
  definitions: [
    'Custom resources',
    'Definitions are compared as [`crd diff`](../crd-diff.md) compares them, with its rules: what is breaking there is breaking, what is unknown is to be reviewed, what is compatible is fine. Conversion is by the webhooks of the ClusterServiceVersion, as OLM sets it up. Besides:',
  ],
  permissions: [
    'Permissions',
    'For each ServiceAccount (and whoever else the bundle binds a role to), requests that NEW allows and OLD does not: by the permissions of the ClusterServiceVersion, and by roles and bindings among the manifests. What moves from one rule to another, or from the watched namespaces to a rule that held everywhere before, is no difference.',
  ],
  webhooks: ['Webhooks', 'Those for admission, by their names.'],
  requirements: ['What it needs', 'Of the cluster, and of other operators.'],
  contents: ['What it brings', 'Besides definitions and rights.'],
};

/** The page of reference of the rules of upgrades, in Markdown. */
export function upgradeRulesPage(): string {
  return [
    '# Rules of upgrades',
    '',
    'What `tenantry bundle diff` tells, by the names that `--allow` takes. Breaking: the upgrade does not happen, or what works today stops, or is lost. Review: somebody must decide whether it is meant. Fine: nobody has to do anything. See [bundles](../bundles.md#is-an-upgrade-safe).',
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
    '| rule | verdict | what it tells |',
    '| --- | --- | --- |',
    ...rows.map(({ id, verdict, says }) => `| \`${id}\` | ${verdict} | ${says} |`),
    '',
  ];
}
