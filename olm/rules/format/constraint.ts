import { isMapping } from '../../../kube/mapping.ts';
import { didYouMean, findNearest, show } from '../../../kube/problem.ts';
import { A_RANGE, parseRange } from '../../semver/range.ts';

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
export function checkConstraint(value: unknown, at = ''): string | undefined {
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
