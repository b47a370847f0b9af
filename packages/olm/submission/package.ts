/** The rules of the pipelines for a version among the others of its package. */
import { errorAt, warningAt, type Finding } from '@tenantry/kube/finding';
import { formatList, show, showWhole } from '@tenantry/kube/problem';
import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { formatBlobLabel } from '../catalog/write-catalog.ts';
import { checkCatalog } from '../catalog/check-catalog.ts';
import { renderCatalog, type UpdateGraph } from '../catalog/render-catalog.ts';
import { submissionRules as rules } from './rules.ts';

/** A published version. */
export interface PublishedVersion {
  /** The version, which is the name of its folder. */
  readonly version: string;
  readonly bundle: Bundle;
}

/** Validates a version together with the published ones. */
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

/** Returns the name of the operator, which precedes the dot and the version. */
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
    known.length === 0 ? 'there is no version' : `there are ${formatList(known.toSorted())}`;
  const message = `must be an existing version, got ${showWhole(replaces)}: ${there}`;
  return [errorAt(path, message, rules.replaces.id)];
}

/**
 * The rules of `opm validate` for channels that the pipelines also apply: several heads, cycles, unreachable versions.
 */
const graphRules = new Set([
  'catalog-channel-head',
  'catalog-channel-cycle',
  'catalog-channel-stranded',
]);

/** Returns the faults of channels that were valid without the new version. */
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

/** Returns messages by channel and rule. */
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
