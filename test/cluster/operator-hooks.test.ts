import { afterAll, expect } from '@jest/globals';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { hookController } from '../../operator/hooks/hook-controller.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { Event } from '@tenantry/runtime/kinds/events';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { UnsteadyClock } from '@tenantry/testing/clock/unsteady-clock';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { isWrite, nth, of } from '@tenantry/testing/faults/requests';
import { ScriptedServer, type RequestHandler } from '@tenantry/testing/faults/scripted-server';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { WebhookReceiver } from '../operator/hooks/doubles/webhook-receiver.ts';
import { MountedSecrets, signingKey } from '../operator/hooks/given.ts';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { Operator } from '../soak/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { serve } from './crds.ts';

const given = await ownClusters();
afterAll(closeClients);

const authority = new Authority();
const pair = authority.issue({ commonName: 'cmdb', hosts: ['127.0.0.1'] });
const token = 'planted-token-of-the-receiver';

/** Starts an operator with a webhook for both events, behind a proxy of its own. Its clock runs ten times as fast. */
async function operatorOn({ admin }: ClusterAccess) {
  const proxy = await FaultyProxy.start(connectionOfUser(admin));
  const clock = new UnsteadyClock({ clock: systemClock, rate: 10 });
  const receiver = new WebhookReceiver([signingKey], () => clock.date().getTime() / 1000);
  receiver.token = token;
  /** A callback that runs after the receiver has done its work and before it answers. */
  const between = { once: (): void => undefined };
  const answer: RequestHandler = ({ method, url, headers, body }, response) => {
    const asked = { method, path: url, query: new URLSearchParams(), headers, body };
    const { status } = receiver.answer(asked);
    const { once } = between;
    between.once = () => undefined;
    once();
    response.writeHead(status).end();
  };
  const server = await ScriptedServer.start(answer, pair);
  const secrets = new MountedSecrets().put('cmdb', { 'signing-key': signingKey, token });
  const platform = resolvePlatform({
    clusters: [{ name: 'eu' }],
    defaultClass: 'standard',
    operator: {
      hooks: [
        {
          name: 'cmdb',
          events: ['Onboarded', 'Offboarding'],
          secret: 'cmdb',
          authorities: authority.pair.certificate,
          webhook: { url: server.url },
        },
      ],
    },
  });
  const credentials = secrets.folder;
  const controllers = () => [
    tenantController({ platform, cluster: 'eu', rolloutDeadline: 10_000 }),
    hookController({ platform, cluster: 'eu', credentials }),
  ];
  const operator = new Operator({ proxy, clock, controllers });
  return {
    operator,
    proxy,
    receiver,
    between,
    platform,
    [Symbol.asyncDispose]: async () => {
      await operator.stop();
      await proxy.stop();
      await server.stop();
      secrets[Symbol.dispose]();
    },
  };
}

given.test(
  'a tenant is onboarded and off-boarded once although the operator is killed at every write, and between a call and its receipt',
  async () => {
    await using cluster = await given.newCluster();
    const { admin } = cluster;
    const client = clientOf(admin);
    for (const one of [tenant, tenantClass]) await serve(admin, crdManifest(one));
    await client.create(TenantClass, { metadata: { name: 'standard' }, spec: {} });
    await using running = await operatorOn(cluster);
    const { operator, proxy, receiver, between, platform } = running;
    operator.start();
    const fleet = new Fleet(platform);
    fleet.classes.add({ name: 'standard', spec: {} });

    const stateOf = async (name: string): Promise<string | undefined> =>
      (await client.get(Tenant, { name })).status?.hooks?.find((one) => one.event === 'Onboarded')
        ?.state;
    const declare = async (name: string): Promise<void> => {
      for (const { objects } of fleet.desired({ name, spec: {} }).namespaces) {
        for (const object of objects) await admin.apply(object, { fieldManager: 'argocd' });
      }
      await client.create(Tenant, { metadata: { name }, spec: {} });
    };
    const isGone = async (name: string): Promise<boolean> =>
      (await client.list(Tenant)).items.every(({ metadata }) => metadata.name !== name);
    /** Kills the operator during an action, and waits for the result of the action. */
    const killedWhile = async (
      what: string,
      kill: (dead: () => void) => void,
      act: () => Promise<unknown>,
      isDone: () => Promise<boolean>,
    ): Promise<boolean> => {
      let isDead = false;
      let back = Promise.resolve();
      kill(() => {
        isDead = true;
        back = operator.crashed();
      });
      await act();
      await until(what, isDone);
      proxy.clear();
      between.once = () => undefined;
      await back;
      return isDead;
    };

    const kills: ((dead: () => void) => void)[] = [1, 2, 3, 4, 5].flatMap((n) =>
      (['before', 'after'] as const).map((at) => (dead: () => void) => {
        void proxy.next({ kind: 'crash', at }, nth(n, of(Tenant, isWrite))).then(dead);
      }),
    );
    kills.push((dead) => {
      between.once = () => {
        proxy.crash();
        dead();
      };
    });
    const killed = { coming: 0, going: 0 };
    for (const [i, kill] of kills.entries()) {
      const name = `t${i}`;
      const isOnboarded = async (): Promise<boolean> => (await stateOf(name)) === 'Delivered';
      const coming = await killedWhile(
        `${name} is onboarded`,
        kill,
        () => declare(name),
        isOnboarded,
      );
      if (coming) killed.coming += 1;
      const remove = () => client.delete(Tenant, { name });
      const going = await killedWhile(`${name} is gone`, kill, remove, () => isGone(name));
      if (going) killed.going += 1;
    }
    // Onboarding writes the finalizer, the status, and receipts for its start and its end. Offboarding writes
    // receipts, and removes the finalizer.
    expect(killed.coming).toBeGreaterThanOrEqual(8);
    expect(killed.going).toBeGreaterThanOrEqual(6);

    const delivered = [...receiver.events.values()].map(
      ({ type, subject }) => `${type} ${subject}`,
    );
    const expected = kills.flatMap((_, i) =>
      ['onboarded', 'offboarding'].map((what) => `dev.tenantry.tenant.${what} t${i}`),
    );
    expect(delivered.toSorted()).toEqual(expected.toSorted());
    expect(receiver.deliveries).toBeGreaterThan(delivered.length);
    expect(operator.problems).toEqual([]);

    const events = await client.list(Event);
    for (const text of [operator.log.join('\n'), JSON.stringify(events)]) {
      expect(text).toContain('hook');
      expect(text).not.toContain(token);
      expect(text).not.toContain(signingKey.slice(6));
    }
  },
);
