// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/batch.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/batch.ts';

/** CronJob represents the configuration of a single cron job. */
export const CronJob: Kind<CronJob, 'batch', 'CronJob'> = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  scope: 'Namespaced',
};

/** Job represents the configuration of a single job. */
export const Job: Kind<Job, 'batch', 'Job'> = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  scope: 'Namespaced',
};

export type CronJob = api.CronJob;
export type Job = api.Job;
