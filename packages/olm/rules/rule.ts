import type { Path } from '@tenantry/kube/problem';
import type { LoadedBundle, BundleLocation } from '../loader/loaded-bundle.ts';

/**
 * The validator of a rule. `csv`, `crd` and `bundle` are upstream's default validators. `format` has the requirements
 * of catalogs, and `fields` those of Tenantry. The others are optional and have upstream's names, except for `objects`
 * and `scorecard`.
 */
export type Validator =
  | 'csv'
  | 'crd'
  | 'bundle'
  | 'format'
  | 'fields'
  | 'operatorhubv2'
  | 'capabilities'
  | 'categories'
  | 'community'
  | 'alpha-deprecated-apis'
  | 'good-practices'
  | 'objects'
  | 'scorecard';

/** A check of a bundle, under a stable name. */
export interface BundleRule {
  readonly id: string;
  readonly severity: 'error' | 'warning';
  readonly validators: readonly Validator[];
  /** The description in one sentence, for the page of rules. */
  readonly description: string;
  /** Whether upstream intends to check it but, because of a bug, never does. @default false */
  readonly isDeadUpstream?: boolean;
}

/** Options of the rules besides the bundle. */
export interface RuleOptions {
  /** The oldest Kubernetes version to support. @default - its minKubeVersion */
  readonly kubernetes?: string;
  /** Categories that replace those of OperatorHub. @default - those of OperatorHub */
  readonly categories?: readonly string[];
  /** The Dockerfile of the bundle with OpenShift's versions as a label. @default - none */
  readonly indexFile?: string;
}

/** Reports that a rule is broken. */
export type FindingReporter = (rule: BundleRule, place: BundleLocation, message: string) => void;

/** Rules that are checked together, and their check. */
export interface BundleCheck {
  readonly rules: readonly BundleRule[];
  check(bundle: LoadedBundle, report: FindingReporter, options: RuleOptions): void;
}

/** Returns a location in the ClusterServiceVersion. */
export function locateInCsv({ csv }: LoadedBundle, ...path: Path): BundleLocation {
  return { file: csv.file, document: csv.document, path };
}
