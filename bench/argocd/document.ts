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

/** Renders the section of docs/reference/benchmarks.md, without its title. */
export function argoCdSection(
  results: Results<Quantity>,
  { tenants, endless }: Pick<Options, 'tenants'> & { readonly endless: readonly string[] },
  version: string,
): string {
  const [calm, busy] = results.load();
  const introduction = `The folders of ${tenants.map(grouped).join(' and ')} tenants, ${OBJECTS - 1} objects each and without the Tenant itself, synced by Argo CD ${version}
from a Git repository on the same machine, with the settings of \`dist/argocd/\`: once as one Application for all, once
as an applied Application for each tenant, by an ApplicationSet, without and with
\`argocd.argoproj.io/manifest-generate-paths\`, and by three, as in \`dist/argocd/\`. Each runs once, on its own API server and Argo CD.

- The first sync lasts from the first apply until every Application is Synced and Healthy.
- Argo CD is measured for ${RESYNC} s at rest and after a commit: it compares each Application again every ${RESYNC} s. The time
  of a commit is given in addition to that.
- The commit removes a binding of the last tenant. Like a webhook, the benchmark refreshes all Applications of the
  repository, one after the other, or those of the tenant where they declare their paths.
- CPU is that of all processes of Argo CD, without the API server.
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
