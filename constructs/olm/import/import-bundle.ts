import { formatPath } from '../../../kube/problem.ts';
import { parseBundle } from '../../../olm/bundle/parse.ts';
import type { Bundle, BundleFinding } from '../../../olm/bundle/bundle.ts';
import { validateBundle } from '../../../olm/rules/validate-bundle.ts';
import { bundleFiles } from '../bundle/files.ts';
import { bundleFindings } from '../bundle/findings.ts';
import type { BundleProps } from '../bundle/props.ts';
import { programOf, type TypeScriptFile } from './modules.ts';
import { notCarriedOver } from './not-carried.ts';
import { propsOf } from './props-of.ts';

/** What an existing bundle becomes. */
export interface ImportedBundle {
  readonly props: BundleProps;
  readonly files: readonly TypeScriptFile[];
  /** What the program does not give again, each with its place in the bundle. */
  readonly notCarried: readonly BundleFinding[];
  /** What is wrong with the bundle itself, by rules that the program says it accepts. */
  readonly accepted: readonly BundleFinding[];
  /** What is wrong with objects of the bundle, and not with what is made of it: OLM takes more of that than it did. */
  readonly mended: readonly BundleFinding[];
}

/**
 * The TypeScript that gives a bundle again. What it gives is compared with the bundle, so that nothing is lost without a
 * word.
 * @param sourceOf from where the definitions in a file of the bundle can be imported again
 */
export function importBundle(bundle: Bundle, sourceOf: (file: string) => string): ImportedBundle {
  const { props: plain, definitions } = propsOf(bundle, sourceOf);
  const remade = bundleOf(plain);
  const broken = [
    ...bundleFindings(plain),
    ...validateBundle(remade).filter(({ severity }) => severity === 'error'),
  ];
  const accepts = [...new Set(broken.map(({ rule }) => rule))].toSorted();
  const notCarried = notCarriedOver(bundle, remade);
  const lost = new Set(notCarried.map(({ file, path }) => `${file} ${formatPath(path)}`));
  const wrong = validateBundle(bundle).filter(({ severity }) => severity === 'error');
  const objects = new Set(bundle.manifests.map(({ file }) => file));
  const props = accepts.length > 0 ? { ...plain, accepts } : plain;
  return {
    props,
    files: programOf({ props, definitions }),
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

/** The bundle that props give, as it is read. */
function bundleOf(props: BundleProps): Bundle {
  const encoder = new TextEncoder();
  const files = bundleFiles(props).map(({ path, text }) => ({ path, bytes: encoder.encode(text) }));
  return parseBundle({ files });
}
