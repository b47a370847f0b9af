import type { Path } from '@tenantry/kube/problem';
import type { Quantities } from '../../crds/quota.ts';
import { listClassLayers } from '../classes/extend.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { ClassPathResolver } from './layer.ts';
import { listRaises, raiseAmounts, type Raise } from './raised-quota.ts';

/** Places findings and origins in the class itself, or in its parent. */
export const classOrigin: ClassPathResolver = (isBase, ...place) => [
  isBase ? 'base' : 'class',
  'spec',
  ...place,
];

/** Resolves the totals of a tenant over all of its namespaces; nothing if no total is partitioned. */
export function resolveTotal(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  { date }: Pick<Platform, 'date'>,
): Quantities {
  const lasting = resolveLastingTotal(declaration, klass);
  return raiseAmounts(lasting, listTotalRaises(declaration, klass, classOrigin, date));
}

function resolveLastingTotal(
  { spec }: TenantDeclaration,
  klass: TenantClassDeclaration,
): Quantities {
  return Object.assign({}, ...listClassTotals(klass), spec.quota?.total) as Quantities;
}

function listTotalRaises(
  { spec }: TenantDeclaration,
  klass: TenantClassDeclaration,
  classPlaces: ClassPathResolver,
  date: string | undefined,
): readonly Raise[] {
  const classes = listClassLayers(klass);
  const ofClasses = classes.map(({ defaults = {} }, i) => ({
    settings: defaults,
    at: (...rest: Path) => classPlaces(i < classes.length - 1, 'defaults', ...rest),
  }));
  const own = { settings: spec, at: (...rest: Path) => ['spec', ...rest] };
  return [...ofClasses, own].flatMap((layer) => listRaises(layer, 'total', date));
}

/** Returns the place of the total for a key, in the Tenant or in its class. */
export function locateTotal(
  declaration: TenantDeclaration,
  klass: TenantClassDeclaration,
  key: string,
  { date }: Pick<Platform, 'date'>,
  classPlaces: ClassPathResolver = classOrigin,
): Path {
  const { spec } = declaration;
  let raised: Path | undefined;
  const raises = listTotalRaises(declaration, klass, classPlaces, date);
  raiseAmounts(resolveLastingTotal(declaration, klass), raises, (one) => {
    if (one.key === key) raised = one.path;
  });
  if (raised) return raised;
  const at = ['quota', 'total', key];
  if (Object.hasOwn(spec.quota?.total ?? {}, key)) return ['spec', ...at];
  const isBase = !Object.hasOwn(listClassTotals(klass).at(-1) ?? {}, key);
  return classPlaces(isBase, 'defaults', ...at);
}

function listClassTotals(klass: TenantClassDeclaration): readonly (Quantities | undefined)[] {
  return listClassLayers(klass).map(({ defaults }) => defaults?.quota?.total);
}
