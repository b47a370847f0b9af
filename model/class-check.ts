import type { TenantRuleId } from './findings/tenant-rules.ts';
import type { Finding } from '@tenantry/kube/finding';
import { formatPath, type Path } from '@tenantry/kube/problem';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { listClassLayers } from './classes/extend.ts';
import { withoutBasePath, isInBase, ClassSettingPaths } from './class-places.ts';
import type { Platform, TenantClassDeclaration } from './declaration.ts';
import { resolveTenant } from './layers/resolve.ts';
import { CLASS_PRESET_RULE } from './layers/resources.ts';
import { renderTenantObjects } from './objects/tenant-objects.ts';
import { validateClassSettings } from './rules/class.ts';
import { checkObjects, findTenantFaults, hasPath, type SettingLocator } from './rules/rules.ts';

/** What validation finds in a class, independent of the tenants that choose it. */
export interface ClassVerdict {
  /** Errors and warnings of the class, at their places in it. */
  readonly findings: readonly Finding[];
  /**
   * Errors that a tenant with empty settings would get and can fix itself. A ceiling below a built-in setting forces
   * tenants to choose a value. Each is at the place in the class that sets the bound.
   */
  readonly demands: readonly Finding[];
  /** Findings and demands that the class inherits from its parent class, at their places in the parent. */
  readonly inherited: readonly Finding[];
}

export const NO_FINDINGS: ClassVerdict = { findings: [], demands: [], inherited: [] };

/** Whether a class cannot be used. */
export function hasErrors({ findings }: ClassVerdict): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/**
 * Validates a class by itself: its own settings, each of its presets, and what a tenant gets that only names the class
 * and one of its environments.
 * @param klass the class merged with its parent. Default: it has no parent
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

/** Returns all findings, with the places in the parent class written as `ClassSettingPaths` does. */
function checkWithBase(
  declared: TenantClassDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
): { readonly findings: Finding[]; readonly demands: Finding[] } {
  const found = validateClassSettings(declared, platform);
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

/** The name that messages give to an arbitrary tenant of a class and to its only namespace. */
const ANY = 'any-tenant';

/**
 * Rules that do not apply to a class alone: about tenant names and about which tenants a class admits. The rule about
 * resource presets is left out because presets are validated where they are declared.
 */
const ignoredRules: ReadonlySet<string> = new Set<TenantRuleId>([
  CLASS_PRESET_RULE,
  'class-allowed',
  'protected-namespace',
  'namespace-name',
  // A tenant may have an environment that the class does not list.
  'placeholder',
]);

/**
 * Moves a finding to the child class when the child makes a valid setting of its parent invalid. The new place is where
 * the child sets the bound, else where it extends the parent.
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

/** Returns the findings in a tenant with empty settings, with their places in the class. */
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
  const findings = findTenantFaults(resolved, places);
  const isBroken = findings.some(({ severity }) => severity === 'error');
  const objects = isBroken ? [] : checkObjects(resolved, renderTenantObjects(resolved), places);
  // A missing part may be the only problem of the rest.
  const isSound = findings.every(
    ({ rule, severity }) => severity !== 'error' || tenantFixableRules.has(rule),
  );
  return [...findings, ...objects]
    .filter(({ rule }) => !ignoredRules.has(rule) && (isSound || !tenantFixableRules.has(rule)))
    .map((finding) => ({ ...finding, path: inClass.mapTenantPath(finding) }));
}

/** One preset of a class, in a class that has it as its defaults. */
interface SinglePresetClass {
  readonly klass: TenantClassDeclaration;
  /** The place of the preset in its own class. */
  readonly at: Path;
  /** The place of the same preset in the defaults of `klass`. */
  readonly in: Path;
}

function validatePreset({ klass, at, in: from }: SinglePresetClass, platform: Platform): Finding[] {
  return checkProbeTenant(klass, platform, new ClassSettingPaths(klass, undefined), undefined)
    .filter(({ path }) => from.every((part, i) => path[i] === part))
    .filter(({ rule }) => !tenantFixableRules.has(rule) && !crossPresetRules.has(rule))
    .map((finding) => ({ ...finding, path: [...at, ...finding.path.slice(from.length)] }));
}

/** Rules that compare a quota with limits. A preset covers only one of them, so they do not apply. */
const crossPresetRules: ReadonlySet<string> = new Set<TenantRuleId>([
  'quota-refuses-defaults',
  'quota-admits-none',
]);

/** Builds one class for each preset, which contains only what the preset sets. */
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

/** Rules that tenants can satisfy by their own settings. */
const tenantFixableRules: ReadonlySet<string> = new Set<TenantRuleId>([
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
 * Whether tenants can fix the finding themselves, because the class does not set the refused value. A class that sets
 * and refuses the same value is an error.
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

/** Identifies findings about one setting at one place. */
const settingKey = ({ rule, path, about }: Finding): string =>
  JSON.stringify([rule, path, about?.setting]);

function dedupeFindings(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map(
    findings.map((one) => [`${String(one.path)} ${messageKey(one)}`, one] as const),
  );
  return [...byPlace.values()];
}
