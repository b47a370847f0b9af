import { afterAll, expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crdManifest } from '@tenantry/crd/definition';
import { readDefinitions } from '@tenantry/crd/manifests';
import { operatorCondition } from '@tenantry/olm/api/operator-condition';
import { systemClock } from '@tenantry/runtime/clock/clock';
import type { ConditionInput } from '@tenantry/runtime/conditions/conditions';
import { jsonLog } from '@tenantry/runtime/log/log';
import { Manager } from '@tenantry/runtime/manager/manager';
import {
  OperatorCondition,
  operatorConditionAccess,
  OperatorConditions,
} from '@tenantry/olm/operator-condition/operator-conditions';
import { until } from '@tenantry/testing/waiting/until';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account } from './accounts.ts';
import { serve } from './crds.ts';
import { RuntimeClients } from './runtime-clients.ts';

const given = await ownClusters();
const clients = new RuntimeClients();
afterAll(() => clients.close());

/**
 * Returns the definition that OLM publishes, or our own copy, which a test compares with it, if OLM's is not
 * installed.
 */
function published() {
  const folder = process.env['TENANTRY_OLM_CRDS'];
  if (!folder) return crdManifest(operatorCondition);
  const path = join(folder, 'operators.coreos.com_operatorconditions.yaml');
  return readDefinitions(path, readFileSync(path, 'utf8')).definitions[0]!.manifest;
}

const at = { name: 'shops.v1.2.3', namespace: 'default' };
const busy = { type: 'Upgradeable', status: 'False', reason: 'Busy', message: 'Wait.' } as const;

given.test(
  'the operator writes conditions with the rights that OLM grants, next to another writer, and respects overrides',
  async () => {
    await using cluster = await given.newCluster();
    const admin = clients.of(cluster.admin);
    await serve(cluster.admin, published());
    const spec = { serviceAccounts: ['shops'], deployments: ['shops'] };
    await admin.create(OperatorCondition, { metadata: at, spec });
    const account = await Account.make(cluster, at.namespace, operatorConditionAccess(at));

    const conditions = new OperatorConditions({
      environment: { OPERATOR_CONDITION_NAME: at.name },
      namespace: at.namespace,
      interval: 200,
    });
    const log = jsonLog({ clock: systemClock, write: () => {} });
    const stop = new AbortController();
    const client = clients.of(account.client);
    const manager = new Manager({ operatorConditions: conditions, client, log });
    const running = manager.run(stop.signal);
    await conditions.set(busy);
    const readConditions = async () =>
      (await admin.get(OperatorCondition, at)).spec?.conditions ?? [];
    expect(await readConditions()).toEqual([{ ...busy, lastTransitionTime: expect.any(String) }]);

    const reviewed: ConditionInput = { ...busy, type: 'Reviewed' };
    await until('another client writes as well', async () => {
      const { metadata } = await admin.get(OperatorCondition, at);
      const [ours] = await readConditions();
      const added = { ...reviewed, lastTransitionTime: '2026-01-01T00:00:00Z' };
      const { resourceVersion } = metadata;
      const patch = { metadata: { resourceVersion }, spec: { conditions: [ours!, added] } };
      return admin.patch(OperatorCondition, at, patch);
    });
    await conditions.set({ ...busy, status: 'True' });
    expect((await readConditions()).map(({ type, status }) => `${type} ${status}`)).toEqual([
      'Upgradeable True',
      'Reviewed False',
    ]);

    const inForce = () => conditions.inForce('Upgradeable');
    const override = { ...busy, message: 'Not on a Friday.' };
    await admin.patch(OperatorCondition, at, { spec: { overrides: [override] } });
    await until('the override holds', () => inForce()?.isOverridden);
    expect(inForce()).toEqual({ ...override, isOverridden: true });
    await admin.patch(OperatorCondition, at, { spec: { overrides: null } });
    await until('the override is gone', () => inForce()?.status === 'True');
    expect((await admin.get(OperatorCondition, at)).spec).toMatchObject(spec);
    stop.abort();
    await running;
    await account.expectExactAccess();
  },
);
