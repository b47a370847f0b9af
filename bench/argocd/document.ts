import { OBJECTS } from '../fleet.ts';
import { number } from '../goal.ts';
import { grouped, markdownTable } from '../markdown.ts';
import { machine } from '../page.ts';
import type { Results } from '../results.ts';
import { arrangements } from './arrangements.ts';
import type { Options } from './options.ts';
import { RESYNC, type Quantity } from './race.ts';

const ROWS: readonly (readonly [title: string, of: Quantity])[] = [
  ['first sync, until all is Synced and Healthy, s', 'wall'],
  ['CPU of Argo CD until then, s', 'cpu'],
  ['RSS of the application controller after all, MB', 'controller'],
  ['RSS of the repo-server after all, MB', 'repoServer'],
  ['CPU at rest, s a minute', 'restCpu'],
  ['a revocation, from the commit until it is in effect, s', 'revocation'],
  ['CPU of that commit, s', 'commitCpu'],
];

/** Renders the section of docs/benchmarks.md, without its title. */
export function argoCdSection(
  results: Results<Quantity>,
  { tenants, endless }: Pick<Options, 'tenants'> & { readonly endless: readonly string[] },
  version: string,
): string {
  const [calm, busy] = results.load();
  const introduction = `The folders of ${tenants.map(grouped).join(' and ')} tenants, ${OBJECTS - 1} objects each and without the Tenant itself, synced by Argo CD ${version}
from a Git repository on the same machine, with the settings of \`dist/argocd/\`: once as one Application for all, once
as an Application a tenant that somebody applies, by an ApplicationSet, without and with
\`argocd.argoproj.io/manifest-generate-paths\`, and by three, as \`dist/argocd/\` has them. Each on an API server and an Argo CD of its own, once.

- The first sync is from what a person applies until every Application is Synced and Healthy.
- At rest, and after a commit, it is looked at for ${RESYNC} s: Argo CD compares each Application again every ${RESYNC} s. What
  a commit takes is told beyond that.
- The commit takes a binding of the last tenant away. A webhook is played: it asks all Applications of the repository,
  one after the other, or, where they say their paths, those of the tenant.
- CPU is of all of Argo CD's processes, not of the API server.
- The machine: ${machine()}, API server and etcd on it too. Load average before the runs: ${calm.toFixed(1)} to ${busy.toFixed(1)}.`;
  return [introduction, ...tenants.map((size) => table(results, size)), ...endless].join('\n\n');
}

function table(results: Results<Quantity>, size: number): string {
  const shown = arrangements.filter(({ name }) => results.has(name, size));
  const body = ROWS.map(([title, of]) => [
    title,
    ...shown.map(({ name }) => number(results.median(name, size, of))),
  ]);
  return markdownTable([`${grouped(size)} tenants`, ...shown.map(({ title }) => title)], body);
}
