import { entryOf, valueAt } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { resolveAccessRoles } from '../classes/allowances.ts';
import { locatePreset } from '../classes/extend.ts';
import type { BreakGlassEntry } from '../layers/break-glass.ts';
import type { Grant } from '../layers/grants.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import type { Origin, Origins } from '../origins.ts';
import type { ExplainedValue } from './explained-value.ts';
import { valueAtOrigin } from './origin-values.ts';

/** Explains who has access to a namespace: subjects and names of bindings, and the rules of Roles. */
export function explainAccess(
  resolved: ResolvedTenant,
  namespace: ResolvedNamespace,
  at: (...rest: Path) => Path,
  classOrigins: Origins,
): ExplainedValue[] {
  const countNext = createCounter();
  const { settings } = namespace;
  const { grants, roles } = settings;
  const ofGrants = grants.flatMap((grant, i) => {
    const path = nameGrant(grant);
    const { bindingName, holders } = grant;
    const subjects = (['users', 'groups', 'serviceAccounts'] as const).flatMap((kind) =>
      (holders[kind] ?? []).map((subject, n): ExplainedValue => {
        const list = [...path, kind];
        return {
          path: [...list, countNext(list)],
          value: subject,
          origin: grant.isSync ? grant.path : [...grant.path, kind, n],
          slot: at('settings', 'grants', i, 'holders', kind, n),
        };
      }),
    );
    const ends = explainEnd(grant, path, countNext, at('settings', 'grants', i, 'until'));
    if (bindingName === undefined) return [...subjects, ...ends];
    const origin = findBindingOrigin(resolved, namespace, grant, classOrigins);
    const slot = at('settings', 'grants', i, 'bindingName');
    const named = { path: [...path, 'bindingName'], value: bindingName, origin, slot };
    return [...subjects, ...ends, named];
  });
  const ofLevels = [...new Set(grants.flatMap(({ level }) => level ?? []))].map(
    (level): ExplainedValue => ({
      path: ['access', level, 'clusterRole'],
      value: resolveAccessRoles(namespace.klass.spec)[level],
      origin:
        namespace.klass.spec.roles?.[level] === undefined
          ? ['builtin', 'roles', level]
          : (classOrigins.find(['roles', level]) ?? ['class', 'spec', 'roles', level]),
      slot: at('klass', 'spec', 'roles', level),
    }),
  );
  const ofRoles = roles.map(({ name, rules, path }, i): ExplainedValue => ({
    path: ['access', 'roles', name, 'rules'],
    value: rules,
    origin: findRuleOrigin(resolved, path),
    slot: at('settings', 'roles', i, 'rules'),
  }));
  return [
    ...unique(ofLevels),
    ...unique(ofGrants),
    ...unique(ofRoles),
    ...explainRequests(settings.breakGlass, at),
  ];
}

/** Explains what can be requested. */
function explainRequests(
  entries: readonly BreakGlassEntry[],
  at: (...rest: Path) => Path,
): ExplainedValue[] {
  const countNext = createCounter();
  return entries.flatMap((entry, i) => {
    const explain = (part: 'users' | 'groups' | 'maxHours', value: unknown, ...rest: Path) => {
      const path = ['access', 'breakGlass', entry.clusterRole, part];
      return {
        path: [...path, countNext(path)],
        value,
        origin: [...entry.path, part, ...rest],
        slot: at('settings', 'breakGlass', i, part, ...rest),
      };
    };
    return [
      ...entry.users.map((user, n) => explain('users', user, n)),
      ...entry.groups.map((group, n) => explain('groups', group, n)),
      ...(entry.maxHours === undefined ? [] : [explain('maxHours', entry.maxHours)]),
    ];
  });
}

/** Returns a function that counts how often it was called with each path. */
function createCounter(): (path: readonly string[]) => string {
  const counts = new Map<string, number>();
  return (path) => {
    const key = path.join('\0');
    const next = counts.get(key) ?? 0;
    counts.set(key, next + 1);
    return String(next);
  };
}

/** Explains the end date of a grant, which all of its subjects have. */
function explainEnd(
  { until, path: place }: Grant,
  path: readonly string[],
  countNext: (path: readonly string[]) => string,
  slot: Path,
): ExplainedValue[] {
  if (until === undefined) return [];
  const list = [...path, 'until'];
  return [{ path: [...list, countNext(list)], value: until, origin: [...place, 'until'], slot }];
}

function nameGrant({ level, role, isSync }: Grant): readonly string[] {
  if (isSync) return ['access', 'argocd'];
  if (level) return ['access', level];
  return ['access', role.kind === 'Role' ? 'roles' : 'clusterRoles', role.name];
}

/** Returns the values without repeated paths; of two, the later one is rendered. */
function unique(values: readonly ExplainedValue[]): ExplainedValue[] {
  return [...new Map(values.map((one) => [one.path.join('\0'), one])).values()];
}

/** Returns where the name of a grant's binding is declared: at the grant, in a preset, or in the class. */
function findBindingOrigin(
  resolved: ResolvedTenant,
  { origins }: ResolvedNamespace,
  { level, role, path }: Grant,
  classOrigins: Origins,
): Origin {
  const own = level ? origins?.find(['access', level, 'bindingName']) : [...path, 'bindingName'];
  if (own && valueAtOrigin(resolved, own) !== undefined) return own;
  if (role.kind === 'Role') return [...findPresetOrigin(resolved, path), 'bindingName'];
  const { klass } = resolved;
  if (entryOf(klass.spec.bindingNames, role.name) === undefined) return path;
  return classOrigins.find(['bindingNames', role.name]) ?? path;
}

function findRuleOrigin(resolved: ResolvedTenant, path: Origin): Origin {
  const entry = valueAtOrigin(resolved, path);
  const isPreset = valueAt(entry, ['preset']) !== undefined;
  return [...(isPreset ? findPresetOrigin(resolved, path) : path), 'rules'];
}

/** Returns the place of the preset that an entry of `access.roles` names. */
function findPresetOrigin(resolved: ResolvedTenant, path: Origin): Origin {
  const wanted = valueAt(valueAtOrigin(resolved, path), ['preset']);
  const preset = resolved.klass.spec.presets?.roles?.find(({ name }) => name === wanted);
  if (!preset) return path;
  const { isBase, index } = locatePreset(resolved.klass, 'roles', preset);
  return [isBase ? 'base' : 'class', 'spec', 'presets', 'roles', index];
}
