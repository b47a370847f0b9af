import type { Finding } from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenantclass.ts';
import type { Platform, TenantClassDeclaration } from './declaration.ts';
import { resolveTenant } from './layers/resolve.ts';
import { OF_CLASS } from './layers/resources.ts';
import { tenantObjects } from './objects/tenantobjects.ts';
import { ceilingRules, referenceRules } from './rules/classwords.ts';
import { checkObjects, checkTenant, has, type Places } from './rules/rules.ts';

/** What a class is on its own, whoever chooses it. */
export interface ClassVerdict {
  /** Mistakes of the class, and what is odd in it, at their places in it. */
  readonly findings: readonly Finding[];
  /**
   * What is refused of tenants that say nothing of it, and that they may mend: a ceiling below what
   * is built in makes them say what they want. At the place of the class that refuses.
   */
  readonly demands: readonly Finding[];
}

/**
 * Holds a class to the rules for itself: its own words, each of its presets, and what a tenant gets
 * that says nothing but the name of the class and one of its environments.
 */
export function checkClass(klass: TenantClassDeclaration, platform: Platform): ClassVerdict {
  const found = [...referenceRules(klass, platform), ...ceilingRules(klass)];
  const environments = (klass.spec.environments ?? []).map(({ name }) => name);
  const bare = probe(klass, platform, undefined);
  const inEach = environments.map((name) => probe(klass, platform, name));
  const presets = aloneOf(klass).flatMap((one) => presetFindings(one, platform));
  const first = new Set([...presets, ...found].map(sameWords));
  const isMended = (one: Finding): boolean =>
    mendable.has(one.rule) &&
    inEach.length > 0 &&
    inEach.every((all) => !all.some((other) => isSame(one, other)));
  const [demands, own] = parted(
    [...bare, ...inEach.flat()],
    (one) => isDemand(one, klass) || isMended(one),
  );
  const told = own.filter((one) => !first.has(sameWords(one)));
  return { findings: unique([...found, ...presets, ...told]), demands: unique(demands) };
}

/** A tenant of a class as messages name it, and its only namespace. */
const ANY = 'any-tenant';

/**
 * Rules about what no class says, the name of a tenant and whom a class lets in; and that about its
 * presets for resources, which is asked of them where they stand.
 */
const notAsked: ReadonlySet<string> = new Set([
  OF_CLASS,
  'class-allowed',
  'protected-namespace',
  'namespace-name',
  // A tenant may have an environment that the class does not list.
  'placeholder',
]);

/** All that is found in a tenant that says nothing, with the places in the class. */
function probe(
  klass: TenantClassDeclaration,
  platform: Platform,
  environment: string | undefined,
): Finding[] {
  const entry = { name: ANY, ...(environment !== undefined && { environment }) };
  const spec = { className: klass.name, namespaces: [entry] };
  const index = klass.spec.environments?.findIndex(({ name }) => name === environment) ?? -1;
  const places: Places = {
    of: (_tenant, _namespace, setting) => ({
      path: placeIn(klass.spec, index, setting),
      by: 'class',
    }),
  };
  const resolved = resolveTenant({ name: ANY, spec }, klass, platform, (...place) => [
    'spec',
    ...place,
  ]);
  const findings = [...resolved.findings, ...checkTenant(resolved, places)];
  const isBroken = findings.some(({ severity }) => severity === 'error');
  const objects = isBroken ? [] : checkObjects(resolved, tenantObjects(resolved), places);
  // What is missing for a mistake may be all that is wrong with the rest.
  const isSound = findings.every(
    ({ rule, severity }) => severity !== 'error' || mendable.has(rule),
  );
  return [...findings, ...objects]
    .filter(({ rule }) => !notAsked.has(rule) && (isSound || !mendable.has(rule)))
    .map((finding) => ({ ...finding, path: inClass(klass.spec, index, finding) }));
}

/** What is wrong with one preset, by a class that has it as its defaults. */
interface Alone {
  readonly klass: TenantClassDeclaration;
  /** Of the preset in its class. */
  readonly at: Path;
  /** Of the same in the defaults of `klass`. */
  readonly in: Path;
}

function presetFindings({ klass, at, in: from }: Alone, platform: Platform): Finding[] {
  return probe(klass, platform, undefined)
    .filter(({ path }) => from.every((part, i) => path[i] === part))
    .filter((one) => !mendable.has(one.rule))
    .map((finding) => ({ ...finding, path: [...at, ...finding.path.slice(from.length)] }));
}

/** A class for each preset, which says what the preset says and nothing besides. */
function aloneOf({ name, spec }: TenantClassDeclaration): Alone[] {
  const { quotas = [], limits = [], networks = [] } = spec.presets ?? {};
  const alone = (
    list: 'quotas' | 'limits' | 'networks',
    i: number,
    defaults: NonNullable<TenantClassSpec['defaults']>,
  ): Alone => ({
    klass: { name, spec: { defaults } },
    at: ['spec', 'presets', list, i],
    in: ['spec', 'defaults', Object.keys(defaults)[0]!],
  });
  return [
    ...quotas.map(({ name: _name, ...quota }, i) =>
      alone('quotas', i, { quota: { preset: 'none', ...quota } }),
    ),
    ...limits.map(({ name: _name, ...own }, i) =>
      alone('limits', i, { limits: { preset: 'none', ...own } }),
    ),
    ...networks.map(({ name: _name, ...network }, i) => alone('networks', i, { network })),
  ];
}

/** What tenants may mend by words of their own. */
const mendable: ReadonlySet<string> = new Set([
  'ceiling-quota',
  'ceiling-limits',
  'ceiling-pod-security',
  'ceiling-network',
  'ceiling-tenant-quota',
  'cluster-allowed',
  'network-open',
  'disruption-budget',
  'disruption-budget-blocks',
  'object-size',
  'pull-secrets',
  'quota-room',
  'total',
]);

/**
 * Whether tenants may mean to mend it: the class itself says no value that is refused. A value that
 * it says and refuses is a mistake.
 */
function isDemand({ path, rule }: Finding, { spec }: TenantClassDeclaration): boolean {
  if (!mendable.has(rule)) return false;
  const isContradiction = rule.startsWith('ceiling-') && path[1] !== 'ceilings';
  return !isContradiction || !has({ spec }, path);
}

/** The deepest place in a class that says something about a setting; else the ceiling of it. */
function placeIn(spec: TenantClassSpec, environment: number, setting: Path): Path {
  const [group, ...rest] = setting;
  const layers: Path[] = [
    ...(environment < 0 ? [] : [['environments', environment] as const]),
    ['defaults'],
  ];
  const ofLayers = layers.flatMap((layer): Path[] => [
    [...layer, ...setting],
    ...presetPath(spec, layer, String(group)).map((preset) => [...preset, ...rest]),
  ]);
  const named = setting.filter((part) => !['hard', 'enforce', 'items'].includes(String(part)));
  const known = ofLayers.find((path) => has(spec, path));
  if (known) return ['spec', ...known];
  const ceiling: Path = ['ceilings', ...named];
  if (has(spec, ceiling)) return ['spec', ...ceiling];
  const shorter = ofLayers
    .flatMap((path) => path.map((_, i) => path.slice(0, path.length - i)))
    .filter((path) => path.length > 1 && has(spec, path))
    .toSorted((a, b) => b.length - a.length);
  return ['spec', ...(shorter[0] ?? ['ceilings'])];
}

const presetLists = { quota: 'quotas', limits: 'limits', network: 'networks' } as const;

/** The preset that a layer chooses for a group of settings. */
function presetPath(spec: TenantClassSpec, layer: Path, group: string): Path[] {
  if (group !== 'quota' && group !== 'limits' && group !== 'network') return [];
  const settings = layer[0] === 'defaults' ? spec.defaults : spec.environments?.[Number(layer[1])];
  const chosen = settings?.[group]?.preset;
  const index = (spec.presets?.[presetLists[group]] ?? []).findIndex(({ name }) => name === chosen);
  return index < 0 ? [] : [['presets', presetLists[group], index]];
}

/** A place in the class for what is told of a place in the tenant. */
function inClass(spec: TenantClassSpec, environment: number, { path, rule }: Finding): Path {
  const [, first, , last] = path;
  if (rule === 'ceiling-tenant-quota') return ['spec', 'ceilings', 'tenantQuota'];
  if (rule === 'cluster-allowed') return ['spec', 'allow', 'clusters'];
  if (first !== 'namespaces') return path;
  if (last === 'environment') return ['spec', 'environments', environment, 'name'];
  return environment < 0 || !has(spec, ['environments', environment])
    ? ['spec']
    : ['spec', 'environments', environment];
}

function parted<T>(list: readonly T[], which: (item: T) => boolean): [T[], T[]] {
  return [list.filter(which), list.filter((item) => !which(item))];
}

const sameWords = ({ rule, message }: Finding): string => `${rule} ${message}`;

/** Whether two findings are about the same setting, said at the same place. */
const isSame = (one: Finding, other: Finding): boolean =>
  one.rule === other.rule &&
  String(one.path) === String(other.path) &&
  String(one.about?.setting) === String(other.about?.setting);

function unique(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map(
    findings.map((one) => [`${String(one.path)} ${sameWords(one)}`, one] as const),
  );
  return [...byPlace.values()];
}
