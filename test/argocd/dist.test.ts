import { expect } from '@jest/globals';
import { root } from '../../scripts/steps.ts';
import { waitFor } from '@tenantry/testing/waiting/until';
import { findBinaries } from '@tenantry/testing/controlplane/binaries';
import type { Cluster } from '@tenantry/testing/controlplane/cluster';
import { inLongRuns } from '../skipping.ts';
import { isSettled, type Application } from './application.ts';
import { Stage } from './stage.ts';
import { argoCdTests } from './tests.ts';
import { writesOfArgoCd } from './writes.ts';

const given = await argoCdTests();

/** Two control planes and some fifty Applications take both cores for minutes. */
const longTest = inLongRuns(given.test);

/** Milliseconds. */
const LIMIT = 1_800_000;

longTest(
  'the complete dist/ of this repository becomes Synced and Healthy, and stays so during two refreshes without writes',
  async () => {
    const { binaries } = await findBinaries();
    await using stage = await Stage.start({
      binaries: binaries!,
      programs: given.programs,
      project: root,
      resync: 60,
    });
    stage.commit('Render');
    await stage.bootstrap();
    const settled = await untilAll(stage, 'all are Synced and Healthy', (one) => isSettled(one));
    expect(settled.size).toBeGreaterThan(40);

    const before = writesOf(stage);
    for (let look = 0; look < 2; look++) {
      const since = Date.now();
      await untilAll(
        stage,
        'all were compared again',
        ({ status }) => Date.parse(status?.reconciledAt ?? '') > since,
      );
    }
    expect(writesOf(stage).slice(before.length)).toEqual([]);
    const after = await untilAll(stage, 'all are Synced and Healthy', (one) => isSettled(one));
    expect([...after.keys()]).toEqual([...settled.keys()]);
  },
  LIMIT,
);

/** Waits until a condition holds for every Application, while none is added or removed. */
function untilAll(
  stage: Stage,
  what: string,
  isSo: (application: Application) => boolean,
): Promise<Map<string, Application>> {
  let known = -1;
  return waitFor(
    what,
    async () => {
      for (const cluster of stage.clusters.values()) await fulfil(cluster);
      const all = await stage.argoCd.applications();
      const isCalm = all.size === known && all.size > stage.clusters.size;
      known = all.size;
      const rest = [...all.values()].filter((one) => !isSo(one));
      const seen = rest.map(({ metadata, status }) => ({ name: metadata?.name, status }));
      return { seen, answer: isCalm && rest.length === 0 && all };
    },
    { within: LIMIT, every: 2_000 },
  );
}

const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };

/** Sets the statuses of third-party controllers, which do not run here: what Argo CD applied is done. */
async function fulfil({ admin }: Cluster): Promise<void> {
  const kinds = [
    { apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret' },
    { apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
  ];
  for (const kind of kinds) {
    const { status, body } = await admin.list(kind);
    const waiting = status === 200 ? (body.items ?? []).filter((one) => !one.status) : [];
    for (const { metadata } of waiting) {
      await admin.patch({ ...kind, namespace: metadata!.namespace!, name: metadata!.name! }, ready);
    }
  }
}

/** Returns the writes of Argo CD so far, with their clusters. */
function writesOf(stage: Stage): string[] {
  return [...stage.clusters].flatMap(([name, cluster]) =>
    writesOfArgoCd(cluster).map((one) => `${name}: ${one}`),
  );
}
