import type { Bundle, BundleFinding } from '../bundle/bundle.ts';

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
  // oxlint-disable-next-line no-unused-vars
  questions: BundleQuestions = {},
): readonly BundleFinding[] {
  return bundle.faults;
}
