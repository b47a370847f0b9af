import { expect } from '@jest/globals';
import { OPERATOR } from '../../model/operator/access.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Event } from '@tenantry/runtime/kinds/events';
import type { AuditEntry, ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { until } from '@tenantry/testing/waiting/until';
import { Account } from '../cluster/accounts.ts';
import { clientOf, closeClients, runAs, type RunningOperator } from '../examples/operator.ts';
import { CONTROLLER } from './world.ts';
import { isWrite } from './writes.ts';

/** The operator next to Argo CD, with the account and the rights that Argo CD synced. */
export class OperatorBeside {
  readonly #cluster: ClusterAccess;
  readonly #account: Account;
  readonly #running: RunningOperator;

  constructor(cluster: ClusterAccess, account: Account, running: RunningOperator) {
    this.#cluster = cluster;
    this.#account = account;
    this.#running = running;
  }

  /** Returns whether the operator has observed the current Tenant and found it as declared. */
  async isWell(name: string): Promise<boolean> {
    const { metadata, status } = await clientOf(this.#cluster.admin).get(Tenant, { name });
    const ready = findCondition(status?.conditions, 'Ready');
    return status?.observedGeneration === metadata.generation && ready?.reason === 'AsDeclared';
  }

  /** Returns the notes of its events about a Tenant, with their reasons. */
  async events(name: string): Promise<string[]> {
    const { items } = await clientOf(this.#cluster.admin).list(Event);
    return items
      .filter(({ regarding }) => regarding?.kind === 'Tenant' && regarding.name === name)
      .map(({ reason, note }) => `${reason}: ${note}`);
  }

  /**
   * Returns the writes of the operator and Argo CD so far as `verb resource namespace/name by user`, without dry runs.
   */
  writes(): string[] {
    return this.#written().map(
      ({ verb, objectRef, user }) =>
        `${verb} ${[objectRef?.resource, objectRef?.subresource].filter(Boolean).join('/')} ${objectRef?.namespace ?? ''}/${objectRef?.name ?? ''} by ${user.username === CONTROLLER ? 'Argo CD' : 'the operator'}`,
    );
  }

  /** Returns what both write during an action, which starts when all earlier work is done. */
  async writesDuring(act: () => Promise<void>): Promise<string[]> {
    let before = -1;
    const isDone = (): boolean => {
      const known = before;
      before = this.writes().length;
      return before === known;
    };
    // The audit log receives a write some time after its response.
    await until('nothing is written between two looks', isDone, { every: 2_000 });
    await act();
    return this.writes().slice(before);
  }

  /** Returns the operator's writes that carried a mark with which Argo CD recognizes its applied objects. */
  marked(): string[] {
    return this.#written()
      .filter(({ user }) => user.username === this.#account.user)
      .map(({ requestObject }) => JSON.stringify(requestObject))
      .filter((text) => /tracking-id|kubernetes\.io\/instance/.test(text));
  }

  async stop(): Promise<void> {
    await this.#running.stop();
    closeClients();
    const errors = this.#running.logs.filter((line) => line.includes('"level":"error"'));
    expect(errors).toEqual([]);
  }

  #written(): AuditEntry[] {
    const by = new Set([CONTROLLER, this.#account.user]);
    return this.#cluster
      .auditLog()
      .filter(
        (entry) =>
          by.has(entry.user.username) &&
          isWrite(entry) &&
          (entry.responseStatus?.code ?? 500) < 300 &&
          entry.objectRef?.apiGroup !== 'authorization.k8s.io',
      );
  }
}

/** Starts the operator in this process, because its pods run nothing here. */
export async function startOperator(
  cluster: ClusterAccess,
  spec: PlatformSpec,
): Promise<OperatorBeside> {
  const platform = resolvePlatform(spec);
  const controller = tenantController({ platform, cluster: 'eu1' });
  const name = { namespace: 'tenantry-system', name: OPERATOR };
  const account = await Account.of(cluster, name, controller.access);
  return new OperatorBeside(cluster, account, runAs(account.client, controller));
}
