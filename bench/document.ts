import { OBJECTS } from './fleet.ts';
import { goalTable, isMet, number } from './goal.ts';
import { goals } from './goals.ts';
import { CHECK, FIRST, ONE_CHANGED, UNCHANGED } from './incremental.ts';
import type { Measurement } from './measure.ts';
import { grouped, markdownTable } from './markdown.ts';
import { machine } from './page.ts';
import type { Peer } from './peers/peer.ts';
import { OURS, VARIABLE, type RealRuns } from './real.ts';
import type { Results } from './results.ts';
import { purposes, sharesTable, type Profiles } from './profile.ts';
import { laterSize } from './sizes.ts';

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

/** Renders docs/benchmarks.md, without the sections of other programs. */
export function benchmarks(results: Results, scope: Scope): string {
  return [
    introduction(results, scope),
    section('Goals', goalTable(goals(results)), goalSentence(results)),
    section(
      'Whole process: times as long as `tenantry synth`',
      wholeTable(results, scope),
      IN_BRACKETS,
    ),
    section(
      'Processor time',
      table(scope, ({ name }, size) => number(results.median(name, size, 'cpu'))),
      PROCESSOR_TIME,
    ),
    section(
      'Memory',
      table(scope, ({ name }, size) => whole(results.median(name, size, 'memory'))),
      'The most at one moment, in MB.',
    ),
    section('The synth phase alone', phaseTable(results, scope), SYNTH_PHASE),
    section('The next time', laterTable(results, scope), NEXT_TIME),
    realSection(results, scope),
    section('Where the time goes', profileTable(scope), WHERE_TIME_GOES),
  ].join('\n\n');
}

function section(title: string, body: string, ...paragraphs: readonly string[]): string {
  return [`## ${title}`, ...paragraphs, body].join('\n\n');
}

function introduction(results: Results, scope: Scope): string {
  const [calm, busy] = results.load();
  return `# Benchmarks

Written by \`npm run bench:synth -- --write\`, the last four sections by \`npm run bench:crd -- --write\`,
\`npm run bench:crd-import -- --write\`, \`npm run bench:runtime -- --write\` and
\`npm run bench:operator -- --write\`; nothing here is edited by hand.

A fleet is one class, one platform and as many tenants as the column says. Each tenant is ${OBJECTS} objects
(Tenant, Namespace, ResourceQuota, LimitRange, ServiceAccount, Role, three RoleBindings, three
NetworkPolicies); 10,000 of them are 120,000 objects and 68 MB of YAML. All programs render the same
objects: they are compared one by one up to 500 tenants, and counted beyond.

- Measured is the whole process, from its start to its end, into a folder that did not exist. Nothing
  is remembered between runs but under "The next time". What was written is flushed to the disk before
  the next program starts; no folder is written twice.
- Ours is the JavaScript that npm gets. It validates every tenant against its schema, class and
  platform, refuses duplicates, writes the platform's own objects too, and its output appears whole or
  not at all. No peer does any of this: Helm, jsonnet, CUE and KCL fill in a template of the finished
  objects, the least work that can be asked of them, as a comprehension over the tenants; in CUE and KCL
  these have a type. Helm, kustomize, CUE and KCL print one text, jsonnet and the floor write one file of
  JSON a tenant, Tenantry and stock cdk8s two files of YAML.
- CUE and KCL have both JSON and YAML. Of what is customary in a language the fastest way is measured:
  a List a tenant in CUE, whose YAML is a stream of documents by \`yaml.MarshalStream\`; one List of all
  in KCL, which runs in Python, by the package that the language publishes.
- Programs run in turns, ${scope.runs} rounds (a program that takes more than half a minute runs once). A ratio is the
  median of the ratios inside the rounds, a time the median of the times.
- The machine: ${machine()}. Load average before the runs: ${calm.toFixed(1)} to ${busy.toFixed(1)}.
- Peers stand on the PATH in the version that is named here. One that is not there is left out, and said
  so; so is one of another version. \`go install\` puts programs into \`$(go env GOPATH)/bin\`, and
  KCL is in an environment of Python, \`~/kcl\` below, whose \`bin\` goes to the front of the PATH.
${peersOf(scope).trimEnd()}`;
}

const IN_BRACKETS = 'In brackets the median in seconds.';

const PROCESSOR_TIME = `User and system time of all threads, in seconds: it says more than the time above where the machine had
other things to do.`;

const SYNTH_PHASE = `Without the start of the process and without making constructs: \`app.synth()\` where all constructs are
there already. How many times as long stock cdk8s takes; in brackets the medians of ours and of stock, in
seconds.`;

const NEXT_TIME = `A large fleet, rendered and committed to Git, with what Tenantry remembers between runs. Whole
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

const WHERE_TIME_GOES = `In shares of the time in which the main thread was busy, as \`node --cpu-prof\` samples it, by what the
innermost function of ours on the stack is for. A profile slows down what it looks at: it says shares, no times.
The files are written by a second thread. The floor writes 10,000 files into one folder: of the rules, the
YAML text and the comparison with what is there it has nothing.`;

function profileTable({ profiles, sizes }: Scope): string {
  if (!profiles) return 'Not measured: it was not asked for.';
  return sharesTable(`${grouped(laterSize(sizes))} tenants`, purposes, profiles);
}

function peersOf({ peers, missing }: Scope): string {
  const notes = (peer: Peer): string[] => [
    ...(missing.includes(peer) ? ['**not measured**, for its program was not there'] : []),
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
    ...(needs ? [`\`${needs.program}\`, as \`${needs.install}\` puts it there`] : []),
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
    return section(
      title,
      `Not measured: \`${VARIABLE}\` named no folder, or it was not asked for.`,
    );
  }
  const { originals, namespaces, tenants, finished } = real.fleet;
  const objects = finished.reduce((sum, tenant) => sum + tenant.objects.length, 0);
  const said = `${originals} namespaces of a production platform, as their teams wrote them over years
(\`${VARIABLE}\`), declared by the mapping of test/cases/fleet, which gives those very objects, and repeated
under other names: ${grouped(namespaces)} namespaces, ${grouped(tenants.length)} Tenants of one class,
${grouped(objects)} objects, which are compared one by one. Nobody wrote this fleet in the language of a peer:
they get the finished objects as one file of JSON, read them and write them again. That is no templating, and
less than they would have to do; ours reads the Tenants, validates them and makes the objects.`;
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
  return section(title, markdownTable(head, body), said);
}

function laterTable(results: Results, { sizes }: Scope): string {
  const size = laterSize(sizes);
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
