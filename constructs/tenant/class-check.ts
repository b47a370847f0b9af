import type { Finding } from '../../kube/finding.ts';
import { formatPath, type Path } from '../../kube/problem.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenant-class.ts';
import { listClassLayers } from './classes/extend.ts';
import { withoutBasePath, isInBase, ClassSettingPaths } from './class-places.ts';
import type { Platform, TenantClassDeclaration } from './declaration.ts';
import { resolveTenant } from './layers/resolve.ts';
import { CLASS_PRESET_RULE } from './layers/resources.ts';
import { renderTenantObjects } from './objects/tenant-objects.ts';
import { validateCeilings, validateClassReferences } from './rules/class-words.ts';
import { checkObjects, checkTenant, hasPath, type SettingLocator } from './rules/rules.ts';

/** What a class is on its own, whoever chooses it. */
export interface ClassVerdict {
  /** Mistakes of the class, and what is odd in it, at their places in it. */
  readonly findings: readonly Finding[];
  /**
   * What is refused of tenants that say nothing of it, and that they may mend: a ceiling below what
   * is built in makes them say what they want. At the place of the class that refuses.
   */
  readonly demands: readonly Finding[];
  /** Those of both that the class has from the one that it extends, at their places there. */
  readonly inherited: readonly Finding[];
}

export const NO_FINDINGS: ClassVerdict = { findings: [], demands: [], inherited: [] };

/** Whether a class cannot be used. */
export function hasErrors({ findings }: ClassVerdict): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/**
 * Holds a class to the rules for itself: its own words, each of its presets, and what a tenant gets
 * that says nothing but the name of the class and one of its environments.
 * @param klass the class with what it has from the one that it extends. Default: it extends none
 */
export function checkClass(
  declared: TenantClassDeclaration,
  platform: Platform,
  klass = declared,
): ClassVerdict {
  const { base } = klass;
  const { findings, demands } = checkWithBase(
    { ...declared, ...(base && { base }) },
    klass,
    platform,
  );
  if (!base) return { findings, demands, inherited: [] };
  const alone = checkClass(base, platform);
  const known = new Set([...alone.findings, ...alone.demands].map(settingKey));
  const isInherited = (one: Finding): boolean =>
    isInBase(one) && known.has(settingKey(withoutBasePath(one)));
  const own = (list: readonly Finding[]): Finding[] =>
    list
      .filter((one) => !isInherited(one))
      .map((one) => (isInBase(one) ? moveToChild(withoutBasePath(one), declared, base.name) : one));
  return {
    findings: dedupeFindings(own(findings)),
    demands: dedupeFindings(own(demands)),
    inherited: [...findings, ...demands].filter(isInherited).map(withoutBasePath),
  };
}

/** Everything that is found, with the places in the class that is extended (`ClassSettingPaths`). */
function checkWithBase(
  declared: TenantClassDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
): { readonly findings: Finding[]; readonly demands: Finding[] } {
  const found = [...validateClassReferences(declared, platform), ...validateCeilings(declared)];
  const layers = listClassLayers(klass).flatMap(({ environments = [] }) => environments);
  const environments = [...new Set(layers.map(({ name }) => name))];
  const inNone = new ClassSettingPaths(declared, undefined);
  const bare = checkProbeTenant(klass, platform, inNone, undefined);
  const inEach = environments.map((name) =>
    checkProbeTenant(klass, platform, new ClassSettingPaths(declared, name), name),
  );
  const presets = buildSinglePresetClasses(declared).flatMap((one) =>
    validatePreset(one, platform),
  );
  const first = new Set([...presets, ...found].map(messageKey));
  const isMended = (one: Finding): boolean =>
    tenantFixableRules.has(one.rule) &&
    inEach.length > 0 &&
    inEach.every((all) => !all.some((other) => settingKey(one) === settingKey(other)));
  const [demands, own] = partition(
    [...bare, ...inEach.flat()],
    (one) => isDemand(one, declared) || isMended(one),
  );
  const unreported = own.filter((one) => !first.has(messageKey(one)));
  return {
    findings: dedupeFindings([...found, ...presets, ...unreported]),
    demands: dedupeFindings(demands),
  };
}

/** A tenant of a class as messages name it, and its only namespace. */
const ANY = 'any-tenant';

/**
 * Rules about what no class says, the name of a tenant and whom a class lets in; and that about its
 * presets for resources, which is asked of them where they stand.
 */
const ignoredRules: ReadonlySet<string> = new Set([
  CLASS_PRESET_RULE,
  'class-allowed',
  'protected-namespace',
  'namespace-name',
  // A tenant may have an environment that the class does not list.
  'placeholder',
]);

/**
 * What a class makes wrong that the one which it extends says, and says rightly: where the class
 * refuses it, else where it extends the other.
 */
function moveToChild(finding: Finding, { spec }: TenantClassDeclaration, base: string): Finding {
  const [first, ...rest] = finding.about?.setting ?? [];
  const settings =
    first === undefined ? [] : [[first, ...rest], [first, ...rest.slice(-1)], [first]];
  const places = new ClassSettingPaths({ name: '', spec }, undefined);
  const ceiling = settings.map((one) => places.findCeiling(one)).find((one) => one !== undefined);
  const isRefused = finding.rule.startsWith('ceiling-');
  const message = `${finding.message} (${formatPath(finding.path)} of class ${base})`;
  return { ...finding, message, path: (isRefused && ceiling) || ['spec', 'extends'] };
}

/** All that is found in a tenant that says nothing, with the places in the class. */
function checkProbeTenant(
  klass: TenantClassDeclaration,
  platform: Platform,
  inClass: ClassSettingPaths,
  environment: string | undefined,
): Finding[] {
  const entry = { name: ANY, ...(environment !== undefined && { environment }) };
  const spec = { className: klass.name, namespaces: [entry] };
  const places: SettingLocator = {
    of: (_tenant, _namespace, setting) => ({
      path: inClass.find(setting),
      by: 'class',
    }),
  };
  const resolved = resolveTenant({ name: ANY, spec }, klass, platform, ClassSettingPaths.path);
  const findings = [...resolved.findings, ...checkTenant(resolved, places)];
  const isBroken = findings.some(({ severity }) => severity === 'error');
  const objects = isBroken ? [] : checkObjects(resolved, renderTenantObjects(resolved), places);
  // What is missing for a mistake may be all that is wrong with the rest.
  const isSound = findings.every(
    ({ rule, severity }) => severity !== 'error' || tenantFixableRules.has(rule),
  );
  return [...findings, ...objects]
    .filter(({ rule }) => !ignoredRules.has(rule) && (isSound || !tenantFixableRules.has(rule)))
    .map((finding) => ({ ...finding, path: inClass.mapTenantPath(finding) }));
}

/** What is wrong with one preset, by a class that has it as its defaults. */
interface SinglePresetClass {
  readonly klass: TenantClassDeclaration;
  /** Of the preset in its class. */
  readonly at: Path;
  /** Of the same in the defaults of `klass`. */
  readonly in: Path;
}

function validatePreset({ klass, at, in: from }: SinglePresetClass, platform: Platform): Finding[] {
  return checkProbeTenant(klass, platform, new ClassSettingPaths(klass, undefined), undefined)
    .filter(({ path }) => from.every((part, i) => path[i] === part))
    .filter(({ rule }) => !tenantFixableRules.has(rule) && !crossPresetRules.has(rule))
    .map((finding) => ({ ...finding, path: [...at, ...finding.path.slice(from.length)] }));
}

/** Rules that compare a quota with limits: a preset for one of them says nothing of the other. */
const crossPresetRules: ReadonlySet<string> = new Set([
  'quota-refuses-defaults',
  'quota-admits-none',
]);

/** A class for each preset, which says what the preset says and nothing besides. */
function buildSinglePresetClasses({ name, spec }: TenantClassDeclaration): SinglePresetClass[] {
  const { quotas = [], limits = [], networks = [] } = spec.presets ?? {};
  const alone = (
    list: 'quotas' | 'limits' | 'networks',
    i: number,
    defaults: NonNullable<TenantClassSpec['defaults']>,
  ): SinglePresetClass => ({
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
const tenantFixableRules: ReadonlySet<string> = new Set([
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
function isDemand(finding: Finding, klass: TenantClassDeclaration): boolean {
  if (!tenantFixableRules.has(finding.rule)) return false;
  const { path } = isInBase(finding) ? withoutBasePath(finding) : finding;
  const isContradiction = finding.rule.startsWith('ceiling-') && path[1] !== 'ceilings';
  return !isContradiction || !hasPath(klass, finding.path);
}

function partition<T>(list: readonly T[], which: (item: T) => boolean): [T[], T[]] {
  return [list.filter(which), list.filter((item) => !which(item))];
}

const messageKey = ({ rule, message }: Finding): string => `${rule} ${message}`;

/** The same of two findings about one setting, said at one place. */
const settingKey = ({ rule, path, about }: Finding): string =>
  JSON.stringify([rule, path, about?.setting]);

function dedupeFindings(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map(
    findings.map((one) => [`${String(one.path)} ${messageKey(one)}`, one] as const),
  );
  return [...byPlace.values()];
}
