import { isMapping } from '../../../kube/mapping.ts';
import { show } from '../../../kube/problem.ts';
import type { BundleProperty } from '../../bundle/bundle.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

const dependency: BundleRule = {
  id: 'dependency',
  severity: 'error',
  validators: ['format'],
  asks: 'a dependency is of a type that OLM resolves (`olm.gvk`, `olm.package`, `olm.label`, `olm.constraint`) and has what that type needs',
};

/** What each type says, as texts that are not empty. */
const needs: Readonly<Record<string, readonly string[]>> = {
  'olm.gvk': ['group', 'version', 'kind'],
  'olm.package': ['packageName', 'version'],
  'olm.label': ['label'],
  'olm.constraint': ['failureMessage'],
};

/** What the parts of a constraint are. */
const CONSTRAINTS = ['gvk', 'package', 'cel', 'all', 'any', 'not'];

/** What must be on the cluster beside an operator. */
export const dependencies: BundleCheck = {
  rules: [dependency],
  check(bundle, say) {
    for (const { type, value, document, path } of bundle.read.dependencies) {
      const wrong = wrongIn(type, value);
      if (wrong === undefined) continue;
      say(dependency, { file: document.file, document: document.index, path }, wrong);
    }
  },
};

function wrongIn(type: string, value: BundleProperty['value']): string | undefined {
  const needed = needs[type];
  if (needed === undefined) {
    return `must be of one of the types ${Object.keys(needs).join(', ')}, got ${show(type)}`;
  }
  if (!isMapping(value)) return `must have a value with ${needed.join(', ')}, got ${show(value)}`;
  if (type === 'olm.constraint') {
    if (CONSTRAINTS.filter((name) => value[name] !== undefined).length === 1) return undefined;
    return `must have one of ${CONSTRAINTS.join(', ')}, got ${show(Object.keys(value).join(', '))}`;
  }
  const lacking = needed.find((name) => typeof value[name] !== 'string' || value[name] === '');
  return lacking === undefined ? undefined : `must have a value with ${lacking}, got none`;
}
