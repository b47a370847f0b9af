import { expect, test } from '@jest/globals';
import type { TenantSpec } from '../../../crds/types.ts';
import {
  runFinalizerTasks,
  isFinalizerNeeded,
  FINALIZER,
  createRevokeAccessTask,
  type FinalizeResult,
  type FinalizerTask,
  type FinalizeRun,
} from '../../../operator/finalize/finalizer-task.ts';
import { fleetOf, liveTenant } from '../given.ts';
import type { Healer } from '../../../operator/heal/healer.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';

const nobody = new Proxy({} as never, { get: () => expect(undefined).toBe('asked') });

const leaving = (spec: TenantSpec = {}, finalizers: readonly string[] = []): FinalizeRun => ({
  tenant: liveTenant(spec, { finalizers }),
  fleet: fleetOf(),
  policy: 'Heal',
  cluster: 'eu',
  objects: nobody,
  client: nobody,
  signal: new AbortController().signal,
  now: () => 0,
});

const task = (
  name: string,
  isDue: boolean,
  came: FinalizeResult,
  ran: string[] = [],
): FinalizerTask => ({
  name,
  isDue: () => isDue,
  run: async () => {
    ran.push(name);
    return came;
  },
});
const well: FinalizeResult = { problems: [] };

test('a tenant needs the finalizer while a finalizer task is pending', () => {
  const [no, yes] = [task('a', false, well), task('b', true, well)];
  expect(isFinalizerNeeded([], leaving())).toBe(false);
  expect(isFinalizerNeeded([no], leaving())).toBe(false);
  expect(isFinalizerNeeded([no, yes], leaving())).toBe(true);
});

test('a cordoned tenant is left as it is, with or without the finalizer', () => {
  const cordoned = { cordoned: true };
  expect(isFinalizerNeeded([task('a', true, well)], leaving(cordoned))).toBe(false);
  expect(isFinalizerNeeded([task('a', false, well)], leaving(cordoned, [FINALIZER]))).toBe(true);
});

test('all pending tasks run despite failures, and the earliest retry time is returned', async () => {
  const ran: string[] = [];
  const problem = { reason: 'HealRefused', message: 'no' } as const;
  const came = await runFinalizerTasks(
    [
      task('a', true, { problems: [problem], retryAfter: 9000 }, ran),
      task('b', false, { problems: [], notes: ['never'] }, ran),
      task('c', true, { problems: [], retryAfter: 500 }, ran),
      task('d', true, { problems: [], notes: ['d is done'] }, ran),
    ],
    leaving(),
  );
  expect(ran).toEqual(['a', 'c', 'd']);
  expect(came).toEqual({ problems: [problem], retryAfter: 500, notes: ['d is done'] });
});

test('a cordoned tenant is released without running its tasks', async () => {
  const ran: string[] = [];
  const came = await runFinalizerTasks([task('a', true, well, ran)], leaving({ cordoned: true }));
  expect(ran).toEqual([]);
  expect(came).toEqual({
    problems: [],
    notes: ['it was cordoned: the operator did nothing for it'],
  });
});

/** Returns the notes for the namespaces of a tenant that is being deleted. */
async function collectNotes(spec: TenantSpec, metadata: Partial<Live['metadata']> = {}) {
  const healer = { revoke: async () => ({ revoked: [], problems: [] }) } as unknown as Healer;
  const leaving = {
    tenant: liveTenant(spec, metadata),
    fleet: fleetOf(),
    policy: 'Heal',
    cluster: 'eu',
    objects: { namespacesOf: () => ['acme'] },
    now: () => 0,
  };
  return (await createRevokeAccessTask(healer).run(leaving as never)).notes;
}

test('the deletion of a tenant reports which access stays: of one from Git, only what Argo CD or Flux leave', async () => {
  const labels = { 'kustomize.toolkit.fluxcd.io/name': 'tenants' };
  expect(await collectNotes({})).toEqual([
    'acme (Active) stays, with quotas, network policies and access as declared',
  ]);
  expect(await collectNotes({}, { labels })).toEqual([
    'acme (Active) stays, with quotas and network policies, and no access but what Argo CD or Flux leave',
  ]);
  expect(await collectNotes({ lifecycle: 'Suspended' }, { labels })).toEqual([
    'acme (Suspended) stays, with quotas and network policies, and without access for its users',
  ]);
});
