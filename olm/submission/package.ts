/** What the pipelines ask of a version among the others of its package. */
import { errorAt, warningAt, type Finding } from '../../kube/finding.ts';
import { formatList, show, showWhole } from '../../kube/problem.ts';
import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { formatBlobLabel } from '../catalog/blobs.ts';
import { checkCatalog } from '../catalog/check-catalog.ts';
import { renderCatalog, type UpdateGraph } from '../catalog/render-catalog.ts';
import { submissionRules as rules } from './rules.ts';

/** A version that is published. */
export interface PublishedVersion {
  /** The name of its folder. */
  readonly version: string;
  readonly bundle: Bundle;
}

/** What is wrong with a version beside those that are published. */
export function checkPackage(
  bundle: Bundle,
  packageName: string,
  others: readonly PublishedVersion[],
  graph: UpdateGraph | undefined,
): BundleFinding[] {
  const findings = [...nameFindings(bundle, packageName, others)];
  if (graph === 'replaces') findings.push(...replacesFindings(bundle, others));
  if (graph !== undefined) findings.push(...graphFindings(bundle, packageName, others, graph));
  const { csv } = bundle;
  const place = csv ? { file: csv.file, document: csv.index } : {};
  return findings.map((finding) => ({ ...finding, ...place }));
}

/** Behind the name of an operator comes a dot, and then its version. */
function operatorOf({ csv }: Bundle): string {
  return (csv?.name ?? '').split('.', 1)[0]!;
}

function nameFindings(
  bundle: Bundle,
  packageName: string,
  others: readonly PublishedVersion[],
): Finding[] {
  const own = operatorOf(bundle);
  const theirs = [...new Set(others.map((one) => operatorOf(one.bundle)))];
  const path = ['metadata', 'name'];
  const got = showWhole(bundle.csv?.name ?? '');
  const { id } = rules.name;
  const [only] = theirs;
  if (only !== undefined && theirs.length === 1) {
    if (own === only) return [];
    return [
      errorAt(path, `must begin with ${show(`${only}.`)} as its other versions, got ${got}`, id),
    ];
  }
  if (own === packageName) return [];
  const buildFinding = others.length === 0 ? errorAt : warningAt;
  return [buildFinding(path, `must begin with ${show(`${packageName}.`)}, got ${got}`, id)];
}

function replacesFindings({ csv }: Bundle, others: readonly PublishedVersion[]): Finding[] {
  const { replaces = '' } = csv?.value.spec ?? {};
  const path = ['spec', 'replaces'];
  // A version that replaces itself is reported by a rule of bundles.
  if (replaces === '' || replaces === csv?.name) return [];
  const known = others.map(({ bundle }) => bundle.csv?.name ?? '');
  if (known.includes(replaces)) return [];
  const there =
    known.length === 0 ? 'no version is there' : `there are ${formatList(known.toSorted())}`;
  const message = `must be a version that is there, got ${showWhole(replaces)}: ${there}`;
  return [errorAt(path, message, rules.replaces.id)];
}

/** Channels of which `opm validate` says what the pipelines say: several heads, loops, what is left behind. */
const graphRules = new Set([
  'catalog-channel-head',
  'catalog-channel-cycle',
  'catalog-channel-stranded',
]);

/** What is wrong with a channel that was sound without the new version. */
function graphFindings(
  bundle: Bundle,
  packageName: string,
  others: readonly PublishedVersion[],
  graph: UpdateGraph,
): Finding[] {
  const before = faultsOf(others, packageName, graph);
  const after = faultsOf([...others, { version: '', bundle }], packageName, graph);
  return [...after]
    .filter(([key]) => !before.has(key))
    .map(([, message]) => errorAt([], message, rules.graph.id));
}

/** Messages by channel and rule. */
function faultsOf(
  versions: readonly PublishedVersion[],
  packageName: string,
  updateGraph: UpdateGraph,
): ReadonlyMap<string, string> {
  const bundles = versions.map(({ version, bundle }) => {
    return { id: version, bundle, image: 'example.com/{name}' };
  });
  const { catalog } = renderCatalog(bundles, { updateGraph });
  const channels = catalog.channels.filter((channel) => channel.package === packageName);
  const found = checkCatalog({ ...catalog, channels }).filter(({ rule }) => graphRules.has(rule));
  return new Map(
    found.map(({ blob, rule, message }) => [`${formatBlobLabel(blob)} ${rule}`, message]),
  );
}
