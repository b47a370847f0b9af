import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { clusterServiceVersionErrors, CSV_KIND } from '../bundle/clusterserviceversion.ts';

/** Rules that are asked together. */
export type Suite = 'default' | 'operatorhub' | 'community' | 'good-practices';

/** What a bundle is asked. */
export interface BundleQuestions {
  /** @default 'default' */
  readonly suite?: Suite;
  /** Further validators, by the names that upstream gives them. @default - none */
  readonly optional?: readonly string[];
}

/** All that is wrong with a bundle, and what is most likely not meant, file by file. */
export function validateBundle(
  bundle: Bundle,
  { suite = 'default' }: BundleQuestions = {},
): readonly BundleFinding[] {
  const csv = bundle.manifests.find(({ kind }) => kind === CSV_KIND);
  if (!csv || suite === 'operatorhub') return bundle.faults;
  const { file, index: document } = csv;
  const errors = clusterServiceVersionErrors(csv.value).map((one) => ({ ...one, file, document }));
  return [...bundle.faults, ...errors];
}
