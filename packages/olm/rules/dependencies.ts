import { isMapping } from '@tenantry/kube/mapping';
import { show, didYouMean, findNearest, type Path } from '@tenantry/kube/problem';
import { createConditionChecker, type ConditionChecker } from '@tenantry/crd/schema/cel';
import type { BundleProperty } from '../bundle/bundle.ts';
import { A_RANGE, parseRange } from '../semver/version.ts';
import type { BundleCheck, BundleRule } from './rule.ts';

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
export const dependenciesCheck: BundleCheck = {
  rules: [dependency],
  check(bundle, report) {
    for (const { type, value, document, path } of bundle.read.dependencies) {
      const wrong = checkDependency(type, value);
      if (wrong === undefined) continue;
      report(dependency, { file: document.file, document: document.index, path }, wrong);
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

type Mapping = Readonly<Record<string, unknown>>;

/** The required text fields of each kind of constraint; they must not be empty. */
const simple: Readonly<Record<string, readonly string[]>> = {
  gvk: ['group', 'version', 'kind'],
  package: ['packageName', 'versionRange'],
  cel: ['rule'],
};
const COMPOUND: readonly string[] = ['all', 'any', 'not'];
const KINDS = [...Object.keys(simple), ...COMPOUND];

/**
 * Validates the value of an `olm.constraint`. Returns a message; undefined if it is valid.
 *
 * Source: operator-framework/api, pkg/constraints: unknown fields are refused
 *
 * @param at the place in the value of the dependency, such as `all.constraints[0]`
 */
function checkConstraint(value: unknown, at = ''): string | undefined {
  const within = at === '' ? '' : ` in ${at}`;
  if (!isMapping(value)) return `must have a constraint${within}, got ${show(value)}`;
  const unknownField = Object.keys(value).find(
    (key) => key !== 'failureMessage' && !KINDS.includes(key),
  );
  if (unknownField !== undefined) {
    const meant = didYouMean(findNearest(unknownField, KINDS));
    return `must have fields of a constraint${within}, got ${show(unknownField)}${meant}`;
  }
  const kinds = KINDS.filter((name) => value[name] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    return `must have one of ${KINDS.join(', ')}${within}, got ${show(Object.keys(value).join(', '))}`;
  }
  const place = at === '' ? kind : `${at}.${kind}`;
  const needed = simple[kind];
  const constraint = value[kind];
  if (!isMapping(constraint)) return `must have ${place} as a mapping, got ${show(constraint)}`;
  return needed ? wrongInSimple(constraint, place, needed) : wrongInCompound(constraint, place);
}

function wrongInSimple(
  constraint: Mapping,
  place: string,
  needed: readonly string[],
): string | undefined {
  const lacking = needed.find(
    (name) => typeof constraint[name] !== 'string' || constraint[name] === '',
  );
  if (lacking !== undefined) return `must have ${place}.${lacking}, got none`;
  const range = constraint['versionRange'];
  if (typeof range !== 'string' || parseRange(range)) return undefined;
  return `must have ${A_RANGE} in ${place}.versionRange, got ${show(range)}`;
}

function wrongInCompound({ constraints }: Mapping, place: string): string | undefined {
  const at = `${place}.constraints`;
  if (!Array.isArray(constraints) || constraints.length === 0) {
    return `must have a constraint in ${at}, got ${show(constraints)}`;
  }
  for (const [i, one] of constraints.entries()) {
    const wrong = checkConstraint(one, `${at}[${i}]`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const constraintCel: BundleRule = {
  id: 'constraint-cel',
  severity: 'error',
  validators: ['format'],
  description:
    'the rule of a constraint `cel` is CEL that gives a bool, of `properties` and `semver_compare`: the functions that Kubernetes adds to CEL do not exist there',
};

let checker: ConditionChecker | undefined;

/**
 * Validates a condition on the properties of bundles. Returns a message; undefined if it is valid.
 *
 * Source: operator-framework/api, pkg/constraints/cel.go
 */
export function checkCondition(rule: string): string | undefined {
  checker ??= createConditionChecker({
    variables: { properties: 'list<map<string, dyn>>' },
    functions: ['semver_compare(dyn, dyn): int'],
  });
  return checker(rule);
}

/** The rules for conditions in constraints of dependencies and of properties, which are equivalent to OLM. */
export const conditionsCheck: BundleCheck = {
  rules: [constraintCel],
  check({ read: { dependencies, properties } }, report) {
    const constraints = [...dependencies, ...properties].filter(
      ({ type }) => type === 'olm.constraint',
    );
    for (const { value, document, path } of constraints) {
      for (const { rule, at } of listConditions(value, [...path, 'value'])) {
        const wrong = checkCondition(rule);
        if (wrong === undefined) continue;
        report(constraintCel, { file: document.file, document: document.index, path: at }, wrong);
      }
    }
  },
};

interface Condition {
  readonly rule: string;
  readonly at: Path;
}

function listConditions(constraint: BundleProperty['value'], at: Path): Condition[] {
  if (!isMapping(constraint)) return [];
  const { cel } = constraint;
  const rule = isMapping(cel) ? cel['rule'] : undefined;
  const own = typeof rule === 'string' && rule !== '' ? [{ rule, at: [...at, 'cel', 'rule'] }] : [];
  const inner = ['all', 'any', 'not'].flatMap((kind) => {
    const nested = constraint[kind];
    const list: unknown = isMapping(nested) ? nested['constraints'] : undefined;
    if (!Array.isArray(list)) return [];
    return list.flatMap((one: BundleProperty['value'], i) =>
      listConditions(one, [...at, kind, 'constraints', i]),
    );
  });
  return [...own, ...inner];
}
