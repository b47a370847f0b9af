import { errorAt, type Finding } from '@tenantry/kube/finding';
import { show, type Path } from '@tenantry/kube/problem';
import { isTimeZone, parseDuration } from '@tenantry/kube/time';
import type { AppProjectSpec, ProjectRole, SyncWindow } from '../api/types.ts';
import { compileGlob } from '../patterns/glob.ts';
import { cronFields, type CronField } from '@tenantry/kube/cron';

/**
 * Lists why Argo CD would not use a project. It then reports an error on every Application of the project.
 * Source: ValidateProject in pkg/apis/application/v1alpha1/app_project_types.go of argo-cd
 */
export function validateProjectFields(name: string, spec: AppProjectSpec): Finding[] {
  const { destinations = [], sourceNamespaces = [], sourceRepos = [], roles = [] } = spec;
  const destinationKeys = destinations.map(({ server, name: cluster, namespace = '' }) =>
    [server ?? cluster ?? '', namespace].join('/'),
  );
  const findings = [
    ...listDuplicates(['spec', 'destinations'], destinationKeys),
    ...listDuplicates(['spec', 'sourceNamespaces'], sourceNamespaces),
    ...listDuplicates(['spec', 'sourceRepos'], sourceRepos),
    ...listDuplicates(
      ['spec', 'roles'],
      roles.map((role) => role.name),
    ),
    ...listTotalDenials(spec),
    ...roles.flatMap((role, i) => validateRole(name, role, ['spec', 'roles', i])),
    ...validateSyncWindows(spec.syncWindows ?? []),
    ...validateAccounts(spec),
  ];
  if (spec.sourceIntegrity && (spec.signatureKeys ?? []).length > 0) {
    const message = 'must be left out beside sourceIntegrity, in place of which it is passed over';
    findings.push(errorAt(['spec', 'signatureKeys'], message, 'appproject'));
  }
  return findings;
}

function listDuplicates(path: Path, values: readonly string[]): Finding[] {
  return values.flatMap((value, i) =>
    values.indexOf(value) === i
      ? []
      : [errorAt([...path, i], `must be there once, got ${show(value)} again`, 'appproject')],
  );
}

function listTotalDenials({ destinations = [], sourceRepos = [] }: AppProjectSpec): Finding[] {
  const places: [Path, string | undefined][] = [
    ...sourceRepos.map((one, i): [Path, string] => [['spec', 'sourceRepos', i], one]),
    ...destinations.flatMap((one, i) =>
      (['server', 'name', 'namespace'] as const).map((field): [Path, string | undefined] => [
        ['spec', 'destinations', i, field],
        one[field],
      ]),
    ),
  ];
  return places
    .filter(([, value]) => value === '!*')
    .map(([path]) => errorAt(path, "must let something in, got '!*'", 'appproject'));
}

const ROLE = /^[a-zA-Z0-9](?:[-_a-zA-Z0-9]*[a-zA-Z0-9])?$/;

function validateRole(project: string, role: ProjectRole, path: Path): Finding[] {
  const { name, policies = [], groups = [] } = role;
  const findings = [
    ...listDuplicates([...path, 'policies'], policies),
    ...listDuplicates([...path, 'groups'], groups),
  ];
  if (!ROLE.test(name)) {
    const must = `must be letters, digits, '-' and '_', and begin and end with none of these two`;
    findings.push(errorAt([...path, 'name'], `${must}, got ${show(name)}`, 'appproject'));
  }
  policies.forEach((policy, i) => {
    const fault = findPolicyFault(project, name, policy);
    if (fault === undefined) return;
    findings.push(errorAt([...path, 'policies', i], `${fault}, got ${show(policy)}`, 'appproject'));
  });
  groups.forEach((group, i) => {
    if (isGroup(group)) return;
    const must = 'must be the name of a group, in double quotes where it holds a comma';
    findings.push(errorAt([...path, 'groups', i], `${must}, got ${show(group)}`, 'appproject'));
  });
  return findings;
}

const RESOURCES = ['applications', 'applicationsets', 'logs', 'exec', 'clusters', 'repositories'];
const ACTIONS = /^(?:get|create|update|delete|sync|override|\*)$|(?:action|update|delete)\//;

function findPolicyFault(project: string, role: string, policy: string): string | undefined {
  const parts = policy.split(',').map((part) => part.replaceAll(/^ +| +$/g, ''));
  const [p, subject = '', resource = '', action = '', object = '', effect = ''] = parts;
  if (parts.length !== 6 || p !== 'p') {
    return `must have the form 'p, proj:${project}:${role}, applications, get, ${project}/*, allow'`;
  }
  if (subject !== `proj:${project}:${role}`) return `must be of 'proj:${project}:${role}'`;
  if (!RESOURCES.includes(resource)) return `must be about one of ${RESOURCES.join(', ')}`;
  if (!ACTIONS.test(action)) return 'must have an action that Argo CD knows';
  const rest = object.startsWith(project) ? object.slice(project.length) : '';
  if (!/^(?:\/[*\w.-]+)?\/[*\w.-]+$/.test(rest)) return `must be about '${project}/...'`;
  return effect === 'allow' || effect === 'deny' ? undefined : "must end with 'allow' or 'deny'";
}

function isGroup(group: string): boolean {
  const trimmed = group.trim();
  const isQuoted = trimmed.length > 1 && /^".*"$/s.test(trimmed);
  const name = isQuoted ? trimmed.slice(1, -1) : trimmed;
  if (name === '' || (!isQuoted && name.includes(','))) return false;
  return !/["\n\r\t]/.test(name) && (group.length <= 1 || group === trimmed);
}

function validateSyncWindows(windows: readonly SyncWindow[]): Finding[] {
  const windowKeys = windows.map((window) => {
    const { manualSync: _, description: __, syncOverrun: ___, ...identity } = window;
    return JSON.stringify(Object.entries(identity).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return windows.flatMap((window, i) => {
    const path: Path = ['spec', 'syncWindows', i];
    const at = (field: keyof SyncWindow, must: string): Finding =>
      errorAt([...path, field], `must be ${must}, got ${show(window[field])}`, 'appproject');
    const { kind, schedule, duration, timeZone = '', applications, namespaces, clusters } = window;
    const findings: Finding[] = [];
    if (kind !== 'allow' && kind !== 'deny') findings.push(at('kind', "'allow' or 'deny'"));
    if (!isSchedule(schedule ?? '')) {
      findings.push(at('schedule', "five fields of cron, such as '0 22 * * 1-5'"));
    }
    if (parseDuration(duration ?? '') === undefined)
      findings.push(at('duration', "such as '2h' or '1h30m'"));
    if (timeZone !== '' && !isTimeZone(timeZone)) {
      findings.push(at('timeZone', "such as 'Europe/Berlin': Argo CD takes UTC in its place"));
    }
    if ([applications, namespaces, clusters].every((one = []) => one.length === 0)) {
      const message = 'must name applications, namespaces or clusters, got none';
      findings.push(errorAt(path, message, 'appproject'));
    }
    if (windowKeys.indexOf(windowKeys[i]!) !== i) {
      findings.push(errorAt(path, 'must be there once, got the same again', 'appproject'));
    }
    return findings;
  });
}

function validateAccounts({ destinationServiceAccounts = [] }: AppProjectSpec): Finding[] {
  const accountKeys = destinationServiceAccounts.map(({ server, namespace = '' }) =>
    [server, namespace].join('/'),
  );
  const path: Path = ['spec', 'destinationServiceAccounts'];
  return [
    ...listDuplicates(path, accountKeys),
    ...destinationServiceAccounts.flatMap((one, i) => {
      const { server, namespace = '', defaultServiceAccount: account } = one;
      const findings = [['server', server] as const, ['namespace', namespace] as const]
        .filter(([, value]) => value.includes('!') || compileGlob(value) === undefined)
        .map(([field, value]) =>
          errorAt(
            [...path, i, field],
            `must be a pattern without '!', got ${show(value)}`,
            'appproject',
          ),
        );
      if (account.trim() === '' || /[!*[\]{}\\/]/.test(account)) {
        const message = `must be a ServiceAccount, as name or namespace:name, got ${show(account)}`;
        findings.push(errorAt([...path, i, 'defaultServiceAccount'], message, 'appproject'));
      }
      return findings;
    }),
  ];
}

/**
 * Whether a text has five cron fields, as Argo CD reads them: minute, hour, day, month, day of the week from 0.
 * Source: https://pkg.go.dev/github.com/robfig/cron/v3
 */
function isSchedule(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === cronFields.length &&
    fields.every((field, i) => {
      const ranges = field.split(',').filter((range) => range !== '');
      return ranges.every((range) => isRange(range, cronFields[i]!));
    })
  );
}

function isRange(range: string, field: CronField): boolean {
  const [between = '', step, ...more] = range.split('/');
  const [from = '', to, ...rest] = between.split('-');
  if (more.length > 0) return false;
  if (step !== undefined && !(isNumber(step) && Number(step) > 0)) return false;
  if (from === '*' || from === '?') return true;
  if (rest.length > 0) return false;
  const first = parseFieldValue(from, field);
  const last = to === undefined ? first : parseFieldValue(to, field);
  if (first === undefined || last === undefined) return false;
  return first >= field.min && last <= field.max && first <= last;
}

function parseFieldValue(text: string, { words, min }: CronField): number | undefined {
  const at = words.indexOf(text.toLowerCase());
  if (at >= 0) return at + min;
  return isNumber(text) ? Number(text) : undefined;
}

function isNumber(text: string): boolean {
  return /^\+?[0-9]+$/.test(text);
}
