import { isMapping } from '../../../kube/mapping.ts';
import { show } from '../../../kube/problem.ts';
import type { BundleProperty } from '../../bundle/bundle.ts';
import { A_RANGE, parseRange } from '../../semver/range.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';
import { checkConstraint } from './constraint.ts';

const dependency: BundleRule = {
  id: 'dependency',
  severity: 'error',
  validators: ['format'],
  description:
    'a dependency is of a type that OLM resolves (`olm.gvk`, `olm.package`, `olm.label`, `olm.constraint`) and has the fields of that type',
};

/** The required text fields of each type; they must not be empty. */
const needs: Readonly<Record<string, readonly string[]>> = {
  'olm.gvk': ['group', 'version', 'kind'],
  'olm.package': ['packageName', 'version'],
  'olm.label': ['label'],
  'olm.constraint': ['a constraint'],
};

/** The rules for what an operator requires on the cluster. */
export const dependencies: BundleCheck = {
  rules: [dependency],
  check(bundle, say) {
    for (const { type, value, document, path } of bundle.read.dependencies) {
      const wrong = checkDependency(type, value);
      if (wrong === undefined) continue;
      say(dependency, { file: document.file, document: document.index, path }, wrong);
    }
  },
};

function checkDependency(type: string, value: BundleProperty['value']): string | undefined {
  const needed = needs[type];
  if (needed === undefined) {
    return `must be of one of the types ${Object.keys(needs).join(', ')}, got ${show(type)}`;
  }
  if (!isMapping(value)) return `must have a value with ${needed.join(', ')}, got ${show(value)}`;
  if (type === 'olm.constraint') return checkConstraint(value);
  const lacking = needed.find((name) => typeof value[name] !== 'string' || value[name] === '');
  if (lacking !== undefined) return `must have a value with ${lacking}, got none`;
  const { version } = value;
  if (type !== 'olm.package' || typeof version !== 'string' || parseRange(version))
    return undefined;
  return `must have ${A_RANGE} as its version, got ${show(version)}`;
}
