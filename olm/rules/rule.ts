import type { Path } from '../../kube/problem.ts';
import type { LoadedBundle, BundleLocation } from '../loader/loaded.ts';

/**
 * Who asks a rule: `csv`, `crd` and `bundle` are upstream's default validators, `format` and `fields` what
 * catalogs and people ask besides; the others are optional and have upstream's names, `objects` and
 * `scorecard` apart.
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

/** What is asked of a bundle, under a name that stays. */
export interface BundleRule {
  readonly id: string;
  readonly severity: 'error' | 'warning';
  readonly validators: readonly Validator[];
  /** In one sentence, for the page of rules. */
  readonly description: string;
  /** Upstream means to ask it and never does, by a mistake of its own. @default false */
  readonly isDeadUpstream?: boolean;
}

/** What is asked besides the bundle. */
export interface RuleOptions {
  /** The oldest Kubernetes that the bundle is meant for. @default - its minKubeVersion */
  readonly kubernetes?: string;
  /** Categories instead of OperatorHub's. @default - OperatorHub's */
  readonly categories?: readonly string[];
  /** The Dockerfile of the bundle, where OpenShift's versions are a label. @default - none */
  readonly indexFile?: string;
}

/** Says that a rule is broken. */
export type FindingReporter = (rule: BundleRule, place: BundleLocation, message: string) => void;

/** Rules that are asked together, and how. */
export interface BundleCheck {
  readonly rules: readonly BundleRule[];
  check(bundle: LoadedBundle, say: FindingReporter, options: RuleOptions): void;
}

/** A place in the ClusterServiceVersion. */
export function locateInCsv({ csv }: LoadedBundle, ...path: Path): BundleLocation {
  return { file: csv.file, document: csv.document, path };
}
