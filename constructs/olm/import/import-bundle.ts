import { formatPath } from '../../../kube/problem.ts';
import { parseBundle } from '../../../olm/bundle/parse.ts';
import type { Bundle, BundleFinding } from '../../../olm/bundle/bundle.ts';
import { validateBundle } from '../../../olm/rules/validate-bundle.ts';
import { renderBundleFiles } from '../bundle/files.ts';
import { validateBundleProps } from '../bundle/findings.ts';
import type { BundleProps } from '../bundle/props.ts';
import { renderProgram, type TypeScriptFile } from './modules.ts';
import { findNotCarried } from './not-carried.ts';
import { parseProps } from './bundle-props.ts';

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
