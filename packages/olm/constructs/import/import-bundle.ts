import { formatPath, show, type Path } from '@tenantry/kube/problem';
import { parseBundle } from '../../bundle/parse.ts';
import type { Bundle, BundleFinding } from '../../bundle/bundle.ts';
import { validateBundle } from '../../rules/validate-bundle.ts';
import { renderBundleFiles } from '../bundle/files.ts';
import { validateBundleProps } from '../bundle/findings.ts';
import type { BundleProps } from '../bundle/props.ts';
import { renderProgram, type TypeScriptFile } from './modules.ts';
import { parseProps } from './bundle-props.ts';
import { errorAt } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import { CSV_KIND, clusterServiceVersionErrors } from '../../bundle/cluster-service-version.ts';
import { isDockerfile } from '../../bundle/dockerfile.ts';
import {
  findDifferences,
  normalizeBundle,
  type Difference,
  type NormalizedBundle,
} from '../../normalization/normalized-bundle.ts';

/** The program that an existing bundle becomes. */
export interface ImportedBundle {
  readonly props: BundleProps;
  readonly files: readonly TypeScriptFile[];
  /** What the program does not reproduce, each with its place in the bundle. */
  readonly notCarried: readonly BundleFinding[];
  /** Errors of the bundle itself, by rules that the program accepts. */
  readonly accepted: readonly BundleFinding[];
  /**
   * Errors of the bundle's objects that the program does not reproduce: OLM accepts more of the
   * result than of the original.
   */
  readonly mended: readonly BundleFinding[];
}

/**
 * Renders the TypeScript that reproduces a bundle. The result is compared with the bundle, so every
 * loss is reported.
 * @param sourceOf returns from where the definitions in a file of the bundle can be imported again
 */
export function importBundle(bundle: Bundle, sourceOf: (file: string) => string): ImportedBundle {
  const { props: plain, definitions } = parseProps(bundle, sourceOf);
  const remade = buildBundle(plain);
  const broken = [
    ...validateBundleProps(plain),
    ...validateBundle(remade).filter(({ severity }) => severity === 'error'),
  ];
  const accepts = [...new Set(broken.map(({ rule }) => rule))].toSorted();
  const notCarried = findNotCarried(bundle, remade);
  const lost = new Set(notCarried.map(({ file, path }) => `${file} ${formatPath(path)}`));
  const wrong = validateBundle(bundle).filter(({ severity }) => severity === 'error');
  const objects = new Set(bundle.manifests.map(({ file }) => file));
  const props = accepts.length > 0 ? { ...plain, accepts } : plain;
  return {
    props,
    files: renderProgram({ props, definitions }),
    notCarried,
    accepted: wrong.filter(({ rule }) => accepts.includes(rule)),
    mended: wrong.filter(
      ({ rule, file, path }) =>
        objects.has(file ?? '') &&
        !accepts.includes(rule) &&
        !lost.has(`${file} ${formatPath(path)}`),
    ),
  };
}

/** Builds the bundle of the props, and reads it from its files. */
function buildBundle(props: BundleProps): Bundle {
  const encoder = new TextEncoder();
  const files = renderBundleFiles(props).map(({ path, text }) => ({
    path,
    bytes: encoder.encode(text),
  }));
  return parseBundle({ files });
}

const RULE = 'not-carried-over';

/**
 * Reports what of a bundle is missing in the one that was made from it, each with its place in the
 * original. These are differences in meaning, parts that could not be read, and files that a bundle
 * of Tenantry cannot contain.
 */
export function findNotCarried(bundle: Bundle, remade: Bundle): BundleFinding[] {
  const [one, other] = [normalizeBundle(bundle), normalizeBundle(remade)];
  const parts = Object.keys(one) as (keyof NormalizedBundle)[];
  const unread = bundle.faults.filter(({ severity }) => severity === 'error');
  const known = collectReasons(bundle);
  const different = parts.flatMap((part) =>
    findDifferences(one[part], other[part]).map((difference) =>
      buildDifferenceFinding(bundle, part, difference, known),
    ),
  );
  return [...unread, ...different, ...findOtherMetadata(bundle), ...findOtherFiles(bundle)];
}

/** Collects the reasons why a ClusterServiceVersion cannot express something, by path. */
function collectReasons(bundle: Bundle): ReadonlyMap<string, string> {
  const csv = bundle.manifests.find(({ kind }) => kind === CSV_KIND);
  const errors = csv ? clusterServiceVersionErrors(csv.value) : [];
  return new Map(errors.map(({ path, message }) => [formatPath(path), message]));
}

function buildDifferenceFinding(
  bundle: Bundle,
  part: keyof NormalizedBundle,
  { path, one, other }: Difference,
  known: ReadonlyMap<string, string>,
): BundleFinding {
  const place = locateDifference(bundle, part, path);
  const why = part === 'csv' ? known.get(formatPath(path)) : undefined;
  const got = other === undefined ? 'is not carried over' : `would become ${show(other)}`;
  const original = one === undefined ? 'nothing' : show(one);
  const message = why === undefined ? `${got}, got ${original}` : `${got}: ${why}`;
  return { ...errorAt(place.path, message, RULE), ...place };
}

/** Locates a difference in the bundle. */
function locateDifference(
  bundle: Bundle,
  part: keyof NormalizedBundle,
  path: Path,
): { readonly file?: string; readonly document?: number; readonly path: Path } {
  const at = (document: { file: string; index: number } | undefined, inside: Path) =>
    document
      ? { file: document.file, document: document.index, path: inside }
      : { path: [part, ...path] };
  const { manifests, annotations, scorecard, labels } = bundle;
  if (part === 'csv')
    return at(
      manifests.find(({ kind }) => kind === CSV_KIND),
      path,
    );
  if (part === 'annotations') return at(annotations.document, ['annotations', ...path]);
  if (part === 'scorecard') return at(scorecard, path);
  if (part === 'labels' && labels?.file !== undefined) {
    return { file: labels.file, path };
  }
  if (part === 'dependencies' || part === 'properties') {
    const [first] = bundle[part];
    return at(first?.document, [part, ...path]);
  }
  const [name, ...inside] = path;
  const manifest = manifests.find((one) =>
    part === 'definitions'
      ? one.kind === 'CustomResourceDefinition' && one.name === name
      : one.kind !== CSV_KIND &&
        String(name).startsWith(`${one.kind}.`) &&
        isNamed(String(name), one.name),
  );
  return at(manifest, inside);
}

function isNamed(key: string, name: string): boolean {
  return key.endsWith(`/${name}`);
}

/** Reports metadata that OLM does not read. */
function findOtherMetadata({ annotations, dependencies, properties }: Bundle): BundleFinding[] {
  const candidates = [
    annotations.document,
    ...[...dependencies, ...properties].map((one) => one.document),
  ];
  const documents = new Set(candidates.filter((document) => document !== undefined));
  return [...documents].flatMap(({ file, index, value }) => {
    const keys = isMapping(value) ? Object.keys(value) : [];
    const others = keys.filter(
      (key) => !['annotations', 'dependencies', 'properties'].includes(key),
    );
    const why = 'is not carried over: OLM reads annotations, dependencies and properties alone';
    return others.map((key) => ({ ...errorAt([key], why, RULE), file, document: index }));
  });
}

/** Reports files that OLM does not read, such as tests of other tools. The Dockerfile is generated again. */
function findOtherFiles(bundle: Bundle): BundleFinding[] {
  const { manifests, annotations, scorecard, dependencies, properties } = bundle;
  const used = new Set([
    ...manifests.map(({ file }) => file),
    ...[...dependencies, ...properties].map(({ document }) => document.file),
    ...[annotations.document, scorecard].flatMap((one) => (one ? [one.file] : [])),
    ...bundle.faults.flatMap(({ file }) => file ?? []),
  ]);
  return bundle.files
    .filter(({ path, bytes }) => !used.has(path) && !isDockerfile(path) && bytes.length > 0)
    .map(({ path }) => ({
      ...errorAt(
        [],
        'is not carried over: it is no part of what OLM reads; copy it yourself',
        RULE,
      ),
      file: path,
    }));
}
