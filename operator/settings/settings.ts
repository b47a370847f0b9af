import * as takers from './setting.ts';
import type { Setting } from './setting.ts';

function setting<T>(
  taker: takers.SettingType<T>,
  description: string,
  absent: string,
): Setting<T> & { readonly absent: string };
function setting<T>(
  taker: takers.SettingType<T>,
  description: string,
  absent: { readonly absence: string },
): Setting<T> & { readonly absent: undefined };
function setting<T>(
  taker: takers.SettingType<T>,
  description: string,
  absent: string | { readonly absence: string },
): Setting<T> {
  return { taker, description, ...(typeof absent === 'string' ? { absent } : absent) };
}

/** All settings of the operator, by their names in a file. */
export const settings = {
  platform: setting(takers.file, 'the Platform file that dist was rendered from', 'tenantry.yaml'),
  platformDigest: setting(
    takers.nonEmptyText,
    'refuse to start unless the Platform has this digest',
    { absence: 'any Platform is accepted' },
  ),
  cluster: setting(
    takers.nonEmptyText,
    'the name in the Platform of the cluster on which it runs',
    {
      absence: 'the only one of the Platform',
    },
  ),
  kubeconfig: setting(takers.file, 'the kubeconfig of the cluster', {
    absence: 'KUBECONFIG, the cluster of the pod, or ~/.kube/config',
  }),
  context: setting(takers.nonEmptyText, 'a context of the kubeconfig', {
    absence: 'its current one',
  }),
  concurrency: setting(takers.count(1, 100), 'how many tenants are reconciled at a time', '4'),
  rolloutDeadline: setting(
    takers.duration('1s', '24h'),
    'how long a state that matches the previous declaration counts as a rollout in progress and not as drift',
    '10m',
  ),
  hookCredentials: setting(
    takers.folder,
    'the folder of the Secrets of hooks: a folder for each hook, with a file for each key',
    '/etc/tenantry-hooks',
  ),
  leaderElection: setting(
    takers.trueOrFalse,
    'enable leader election; required when running more than one replica',
    'true',
  ),
  leaseName: setting(takers.objectName, 'the Lease for leader election', 'tenantry-operator'),
  leaseNamespace: setting(takers.objectName, 'the namespace of the Lease', {
    absence: 'the namespace of the operator in the Platform',
  }),
  gracefulStop: setting(
    takers.duration('1s', '10m'),
    'the time limit for stopping; set less than terminationGracePeriodSeconds of the pod',
    '30s',
  ),
  metricsAddress: setting(takers.address, 'the address that serves /metrics', ':8080'),
  healthAddress: setting(takers.address, 'the address that serves /healthz and /readyz', ':8081'),
  logLevel: setting(
    takers.word('debug', 'info', 'warn', 'error'),
    'the level of the log on standard error; SIGUSR2 toggles debug',
    'info',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

/** The name of a setting. */
export type SettingName = keyof typeof settings;

type Taken<S> = S extends Setting<infer T> & { readonly absent: infer A }
  ? A extends string
    ? T
    : T | undefined
  : never;

/** The resolved settings: the result of flags, variables, a file and defaults. */
export type Settings = { readonly [N in SettingName]: Taken<(typeof settings)[N]> };

/** The names in the order of the help text. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** The flag that names the file with settings. */
export const CONFIG = 'config';

/** Returns the flag of a setting: `rollout-deadline` for `rolloutDeadline`. */
export function formatFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the variable of a setting: `TENANTRY_ROLLOUT_DEADLINE` for `rolloutDeadline`. */
export function formatVariable(name: string): string {
  return `TENANTRY_${formatFlag(name).replaceAll('-', '_').toUpperCase()}`;
}
