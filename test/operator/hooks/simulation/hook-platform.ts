import { resolvePlatform } from '../../../../model/platform.ts';
import type { Platform } from '../../../../model/declaration.ts';
import type { DriftPolicy, Hook, HookEvent } from '../../../../crds/types.ts';

export const cluster = 'eu';

/** Edits of the declared hooks. */
export interface Edits {
  /** The CMDB has another address. */
  moved: boolean;
  /** The CMDB gets no offboarding calls. */
  deaf: boolean;
  /** The CMDB hook is for another cluster. */
  away: boolean;
  /** The CMDB hook is only for tenants that are created years later. */
  late: boolean;
  /** There is no job. */
  jobless: boolean;
  /** The job also runs for offboarding. */
  farewell: boolean;
  /** There is no channel. */
  mute: boolean;
  /** Channels have another topic. */
  topic: boolean;
  /** The auditors are called for every offboarding. */
  curious: boolean;
}

export const unedited: Edits = {
  moved: false,
  deaf: false,
  away: false,
  late: false,
  jobless: false,
  farewell: false,
  mute: false,
  topic: false,
  curious: false,
};

/** The address of each hook, whatever its other settings. */
export const addresses = {
  cmdb: 'https://cmdb.example.com/tenants',
  moved: 'https://cmdb2.example.com/tenants',
  job: 'https://ci.example.com/ci',
  channel: 'https://slack.example.com/api',
  audit: 'https://audit.example.com/gone',
} as const;

const both: readonly HookEvent[] = ['Onboarded', 'Offboarding'];

/** Returns the hooks of the platform with these edits. Each gives up after an hour. */
export function hooksWith(edits: Edits): readonly Hook[] {
  const cmdb: Hook = {
    name: 'cmdb',
    events: edits.deaf ? ['Onboarded'] : both,
    secret: 'cmdb',
    giveUpHours: 1,
    webhook: { url: edits.moved ? addresses.moved : addresses.cmdb },
    ...(edits.away && { clusters: ['us'] }),
    ...(edits.late && { since: '2030-01-01T00:00:00Z' }),
  };
  const job: Hook = {
    name: 'job',
    events: edits.farewell ? both : ['Onboarded'],
    secret: 'job',
    giveUpHours: 1,
    jenkins: {
      url: addresses.job,
      job: 'platform/tenants',
      parameters: { UID: 'uid', EVENT: 'event' },
    },
  };
  const channel: Hook = {
    name: 'channel',
    events: both,
    secret: 'channel',
    giveUpHours: 1,
    slack: {
      url: addresses.channel,
      channel: 'team-{tenant}',
      topic: edits.topic ? 'Tenant {tenant}, {class}' : 'Tenant {tenant}',
      invite: ['platform@example.com'],
      onboarded: 'Welcome, {tenant}',
      offboarding: 'Farewell, {tenant}',
    },
  };
  const audit: Hook = {
    name: 'audit',
    events: ['Offboarding'],
    secret: 'audit',
    giveUpHours: 1,
    webhook: { url: addresses.audit },
    ...(!edits.curious && { classes: ['strict'] }),
  };
  return [cmdb, ...(edits.jobless ? [] : [job]), ...(edits.mute ? [] : [channel]), audit];
}

export const platformOf = (hooks: readonly Hook[], driftPolicy: DriftPolicy): Platform =>
  resolvePlatform({
    clusters: [{ name: 'eu' }, { name: 'us' }],
    defaultClusters: [cluster],
    defaultClass: 'standard',
    operator: { hooks, driftPolicy },
  });
