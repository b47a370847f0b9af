import { relatedImages } from './contents/related-images.ts';
import { releaseNames } from './contents/release-name.ts';
import { ownedKinds } from './contents/owned-kinds.ts';
import { serviceAccounts } from './contents/service-accounts.ts';
import { size } from './contents/size.ts';
import { annotations } from './csv/annotations.ts';
import { examples } from './csv/examples.ts';
import { installModes } from './csv/install-modes.ts';
import { minKubeVersion } from './csv/min-kube-version.ts';
import { names } from './csv/names.ts';
import { requiredFields } from './csv/required-fields.ts';
import { updateEdges } from './csv/update-edges.ts';
import { definitions } from './definitions/definitions.ts';
import { bundleAnnotations } from './format/annotations.ts';
import { conditions } from './format/conditions.ts';
import { dependencies } from './format/dependencies.ts';
import { fields } from './format/fields.ts';
import { servedApis } from './format/served-apis.ts';
import { kinds } from './format/kinds.ts';
import { budgets } from './objects/budgets.ts';
import { rights } from './objects/rights.ts';
import { icons } from './operatorhub/icon.ts';
import { openshift } from './operatorhub/openshift.ts';
import { people } from './operatorhub/people.ts';
import { removedApis } from './operatorhub/removed-apis.ts';
import { versions } from './operatorhub/version.ts';
import { words } from './operatorhub/words.ts';
import { definitionPractices } from './practices/definitions.ts';
import { deployments } from './practices/deployments.ts';
import { naming } from './practices/naming.ts';
import { permissions } from './practices/permissions.ts';
import type { BundleCheck, BundleRule, Validator } from './rule.ts';
import { scorecardExamples } from './scorecard/examples.ts';

/** All checks of a loaded bundle. */
export const checks: readonly BundleCheck[] = [
  names,
  requiredFields,
  annotations,
  examples,
  installModes,
  minKubeVersion,
  definitions,
  ownedKinds,
  serviceAccounts,
  size,
  relatedImages,
  releaseNames,
  people,
  versions,
  icons,
  words,
  removedApis,
  openshift,
  budgets,
  rights,
  deployments,
  definitionPractices,
  naming,
  permissions,
  scorecardExamples,
  bundleAnnotations,
  dependencies,
  conditions,
  kinds,
  fields,
  updateEdges,
  servedApis,
];

/** All rules for a loaded bundle. */
export const bundleRules: readonly BundleRule[] = checks.flatMap(({ rules }) => rules);

/** A set of validators. */
export type Suite = 'default' | 'operatorhub' | 'community' | 'good-practices';

const upstream: readonly Validator[] = ['csv', 'crd', 'bundle'];
const operatorhub: readonly Validator[] = ['operatorhubv2', 'capabilities', 'categories'];
const whole: readonly Validator[] = [...upstream, 'format', 'fields'];

/** The validators of each suite. `operatorhub` contains exactly the checks of upstream's `operator-verify`. */
export const suites: Readonly<Record<Suite, readonly Validator[]>> = {
  default: whole,
  operatorhub: [...upstream, ...operatorhub],
  community: [...whole, 'community'],
  'good-practices': [...whole, 'good-practices'],
};

/** The optional validators. */
export const optionalValidators: Readonly<Record<string, readonly Validator[]>> = {
  operatorhub,
  operatorhubv2: ['operatorhubv2'],
  capabilities: ['capabilities'],
  categories: ['categories'],
  community: ['community'],
  'alpha-deprecated-apis': ['alpha-deprecated-apis'],
  'good-practices': ['good-practices'],
  objects: ['objects'],
  scorecard: ['scorecard'],
};
