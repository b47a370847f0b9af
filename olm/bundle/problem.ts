import { toProblem } from '../../kube/finding.ts';
import type { Problem } from '../../kube/problem.ts';
import type { Bundle, BundleDocument, BundleFinding } from './bundle.ts';

/**
 * Returns a function that converts findings about a bundle to problems with file, line and column.
 *
 * @example
 * ```ts
 * import { placing, readBundle, validateBundle } from 'tenantry/olm';
 *
 * const bundle = readBundle('operators/redis');
 * const [problem] = validateBundle(bundle).map(placing(bundle, 'operators/redis'));
 * console.log(problem?.file); // operators/redis
 * ```
 *
 * @param source the folder or image layout as the user named it; it precedes the paths of the bundle's files
 */
export function placing(bundle: Bundle, source: string): (finding: BundleFinding) => Problem {
  const documents = new Map<string, BundleDocument>();
  const { annotations, csv, manifests, dependencies, properties, scorecard } = bundle;
  const all = [
    ...manifests,
    csv,
    annotations.document,
    scorecard,
    ...[...dependencies, ...properties].map(({ document }) => document),
  ];
  for (const one of all) if (one) documents.set(`${one.file} ${one.index}`, one);
  const prefix = source.replace(/\/+$/, '');
  return (finding) => {
    const { file, document = 0, path, atKey, position } = finding;
    if (file === undefined) return toProblem(finding, { file: source });
    const place = position ?? documents.get(`${file} ${document}`)?.position(path, atKey);
    return toProblem(finding, { file: `${prefix}/${file}`, ...place });
  };
}
