import { OBJECTS } from './fleet.ts';
import { goalTable, isMet, number } from './goal.ts';
import { goals } from './goals.ts';
import { LATER, MEMORY, WHOLE } from './headings.ts';
import { CHECK, FIRST, ONE_CHANGED, UNCHANGED } from './incremental.ts';
import type { Measurement } from './measure.ts';
import { grouped, markdownTable } from './markdown.ts';
import { machine } from './page.ts';
import type { Peer } from './peers/peer.ts';
import { OURS, VARIABLE, type RealRuns } from './real.ts';
import type { Results } from './results.ts';
import { purposes, sharesTable, type Profiles } from './profile.ts';
import { incrementalSize } from './sizes.ts';

/** The programs and the fleets of a run. */
export interface Scope {
  readonly peers: readonly Peer[];
  /** Peers that were left out because their program is missing. */
  readonly missing: readonly Peer[];
  readonly sizes: readonly number[];
  readonly runs: number;
  /** Undefined where it was not measured. */
  readonly real: RealRuns | undefined;
  /** Undefined where no profile was recorded. */
  readonly profiles: Profiles | undefined;
}

/** Renders docs/reference/benchmarks.md, without the sections of other programs. */
export function benchmarks(results: Results, scope: Scope): string {
  return [
    introduction(results, scope),
    section('Goals', goalTable(goals(results)), goalSentence(results)),
    section(WHOLE, wholeTable(results, scope), IN_BRACKETS),
    section(
      'Processor time',
      table(scope, ({ name }, size) => number(results.median(name, size, 'cpu'))),
      PROCESSOR_TIME,
    ),
    section(
      MEMORY,
      table(scope, ({ name }, size) => whole(results.median(name, size, 'memory'))),
      'The most at one moment, in MB.',
    ),
    section('The synth phase alone', phaseTable(results, scope), SYNTH_PHASE),
    section(LATER, incrementalTable(results, scope), NEXT_TIME),
    realSection(results, scope),
    section('Where the time goes', profileTable(scope), WHERE_TIME_GOES),
  ].join('\n\n');
}

function section(title: string, body: string, ...paragraphs: readonly string[]): string {
  return [`## ${title}`, ...paragraphs, body].join('\n\n');
}

function introduction(results: Results, scope: Scope): string {
  const [calm, busy] = results.load();
  return `# All measurements

This page is generated; do not edit it by hand. [Benchmarks](../benchmarks.md) has the most important numbers.
\`npm run bench:synth -- --write\` writes this page. From "Validating custom resources" on, each section has its own
command, with \`-- --write\`: \`npm run bench:crd\`, \`bench:crd-import\`, \`bench:plan\`, \`bench:import\`, \`bench:import-live\`, \`bench:bundle\`, \`bench:runtime\`,
\`bench:operator\`, \`bench:operator-memory\` and \`bench:argocd\`.

A fleet is one class, one platform and the number of tenants in the column. Each tenant is ${OBJECTS} objects
(Tenant, Namespace, ResourceQuota, LimitRange, ServiceAccount, Role, three RoleBindings, three
NetworkPolicies); 10,000 of them are 120,000 objects and 68 MB of YAML. All programs render the same
objects: they are compared one by one up to 500 tenants, and counted beyond.

- Each measurement covers the whole process, from its start to its end, with output into a new folder. Only
  the runs under "The next time" use a cache. The output is flushed to the disk before the next program
  starts, and no folder is written twice.
- Tenantry runs as the JavaScript of its npm package. It validates every tenant against its schema, class and
  platform, refuses duplicates, and also writes the platform's own objects. Its output appears completely or
  not at all. No peer does any of this. Helm, jsonnet, CUE and KCL fill in a template of the finished
  objects, in a loop over the tenants. This is the least work that is possible for them. In CUE and KCL the
  tenants have a type.
- Helm, kustomize, CUE and KCL print one text. jsonnet and the floor write one JSON file for each tenant.
  Tenantry and stock cdk8s write two YAML files for each tenant.
- CUE and KCL can write both JSON and YAML. Of the usual ways in a language, the fastest one is measured.
  CUE writes a List for each tenant, with \`yaml.MarshalStream\` for YAML. KCL writes one List of all
  tenants, and runs in Python with the package that the language publishes.
- Programs run in turns, ${scope.runs} rounds (a program that takes more than half a minute runs once). A ratio is the
  median of the ratios of each round, and a time is the median of the times.
- The machine: ${machine()}. Load average before the runs: ${calm.toFixed(1)} to ${busy.toFixed(1)}.
- Peers must be on the PATH in the version that is listed here. A peer that is missing or has another version is
  left out, with a note. \`go install\` puts programs into \`$(go env GOPATH)/bin\`. KCL is in a virtual
  environment of Python, \`~/kcl\` below; put its \`bin\` at the front of the PATH.
${peersOf(scope).trimEnd()}`;
}

const IN_BRACKETS = 'In brackets the median in seconds.';

const PROCESSOR_TIME = `User and system time of all threads, in seconds. On a busy machine it is more meaningful than the time
above.`;

const SYNTH_PHASE = `Only \`app.synth()\`, without the start of the process and the creation of constructs. The table has the ratio of
the times of stock cdk8s and of Tenantry; in parentheses the medians of Tenantry and of stock cdk8s, in
seconds.`;

const NEXT_TIME = `A large fleet, rendered and committed to Git, with the cache that Tenantry keeps between runs. Whole
processes, medians in seconds.`;

/** Lists the goals that were missed. */
function goalSentence(results: Results): string {
  const all = goals(results);
  const missed = all.filter((goal) => isMet(goal) === false);
  const open = all.filter((goal) => isMet(goal) === undefined);
  const counted = `${all.length - missed.length - open.length} of ${all.length} goals are met.`;
  return [
    counted,
    ...(missed.length > 0 ? [`Missed: ${missed.map(({ promise }) => promise).join('; ')}.`] : []),
    ...(open.length > 0 ? [`${open.length} were not measured.`] : []),
  ].join(' ');
}

const WHERE_TIME_GOES = `The shares of the busy time of the main thread, as \`node --cpu-prof\` samples it, by the purpose of the
innermost function of Tenantry on the stack. A profile slows the program down, so it gives shares and no times.
A second thread writes the files. The floor writes 10,000 files into one folder. It has no rules, no YAML
text and no comparison with existing files.`;

function profileTable({ profiles, sizes }: Scope): string {
  if (!profiles) return 'Not measured: it was not selected.';
  return sharesTable(`${grouped(incrementalSize(sizes))} tenants`, purposes, profiles);
}

function peersOf({ peers, missing }: Scope): string {
  const notes = (peer: Peer): string[] => [
    ...(missing.includes(peer) ? ['**not measured**, because its program is missing'] : []),
    ...notesOf(peer),
  ];
  return peers
    .map((peer) => ({ title: peer.title, remarks: notes(peer) }))
    .filter(({ remarks }) => remarks.length > 0)
    .map(({ title, remarks }) => `  - ${title}: ${remarks.join('; ')}.\n`)
    .join('');
}

function notesOf({ needs, limit }: Peer): string[] {
  return [
    ...(needs ? [`\`${needs.program}\`, installed with \`${needs.install}\``] : []),
    ...(limit ? [`at most ${grouped(limit.size)} tenants: ${limit.reason}`] : []),
  ];
}

function wholeTable(results: Results, scope: Scope): string {
  return table(scope, ({ name }, size) => {
    const seconds = results.median(name, size);
    if (seconds === undefined) return '';
    const ratio = results.ratio(name, 'ours', size);
    return `${number(ratio)} (${number(seconds)})`;
  });
}

function phaseTable(results: Results, { sizes }: Scope): string {
  const of = 'phase' satisfies keyof Measurement;
  const measured = sizes.filter((size) => results.has('cdk8s', size) && results.has('eager', size));
  const cells = measured.map((size) => {
    const times = [results.median('eager', size, of), results.median('cdk8s', size, of)];
    return `${number(results.ratio('cdk8s', 'eager', size, of))} (${times.map(number).join('; ')})`;
  });
  return markdownTable(['tenants', ...measured.map(grouped)], [['stock / ours', ...cells]]);
}

/** Renders the section about a real fleet, or a note where there is none. */
function realSection(results: Results, { real }: Scope): string {
  const title = 'A real fleet';
  if (!real) {
    return section(title, `Not measured: \`${VARIABLE}\` named no folder, or it was not selected.`);
  }
  const { originals, namespaces, tenants, finished } = real.fleet;
  const objects = finished.reduce((sum, tenant) => sum + tenant.objects.length, 0);
  const introduction = `${originals} namespaces of a production platform, as their teams wrote them over years
(\`${VARIABLE}\`). \`tenantry import\` declares them so that exactly these objects are rendered.
They are repeated under other names: ${grouped(namespaces)} namespaces, ${grouped(tenants.length)} Tenants of one class,
${grouped(objects)} objects, which are compared one by one. This fleet does not exist in the language of a peer.
So the peers get the finished objects as one JSON file, read them and write them again. This is not templating,
and less than they would have to do. Tenantry reads the Tenants, validates them and renders the objects.`;
  const body = real.programs.map(({ name, title: program }) => {
    const median = (of: keyof Measurement) => results.median(name, namespaces, of);
    return [
      program,
      number(results.ratio(name, OURS, namespaces)),
      number(median('wall')),
      number(median('cpu')),
      whole(median('memory')),
    ];
  });
  const head = [`${grouped(namespaces)} namespaces`, 'times as long', 's', 's of processor', 'MB'];
  return section(title, markdownTable(head, body), introduction);
}

function incrementalTable(results: Results, { sizes }: Scope): string {
  const size = incrementalSize(sizes);
  const seconds = [FIRST, UNCHANGED, ONE_CHANGED, CHECK].map((name) => [
    name === CHECK ? '`tenantry check`, nothing changed' : `\`tenantry synth\`, ${name}`,
    number(results.median(name, size)),
  ]);
  return markdownTable([`${grouped(size)} tenants`, 's'], seconds);
}

function table({ peers, sizes }: Scope, cell: (peer: Peer, size: number) => string): string {
  return markdownTable(
    ['tenants', ...sizes.map(grouped)],
    peers.map((peer) => [peer.title, ...sizes.map((size) => cell(peer, size))]),
  );
}

function whole(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(0);
}
