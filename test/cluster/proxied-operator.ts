import type { Platform } from '../../model/declaration.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { UnsteadyClock } from '@tenantry/testing/clock/unsteady-clock';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { platform as observing } from '../operator/given.ts';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { Operator, type OperatorProps } from '../soak/operator.ts';

/** The tenant operator behind a proxy of its own. */
export interface ProxiedOperator extends AsyncDisposable {
  readonly operator: Operator;
  readonly proxy: FaultyProxy;
  readonly clock: UnsteadyClock;
}

interface ProxiedProps extends Partial<Pick<OperatorProps, 'leaderElection'>> {
  /** @default - a platform whose operator only observes */
  readonly platform?: Platform;
}

/** Creates the operator behind a proxy of its own, without starting it. Its clock runs ten times as fast. */
export async function operatorOn(
  { admin }: ClusterAccess,
  { platform = observing, ...props }: ProxiedProps = {},
): Promise<ProxiedOperator> {
  const proxy = await FaultyProxy.start(connectionOfUser(admin));
  const clock = new UnsteadyClock({ clock: systemClock, rate: 10 });
  const controllers = () => [
    tenantController({ platform, cluster: 'eu', rolloutDeadline: 10_000 }),
  ];
  const operator = new Operator({ proxy, clock, controllers, ...props });
  return {
    operator,
    proxy,
    clock,
    [Symbol.asyncDispose]: async () => {
      await operator.stop();
      await proxy.stop();
    },
  };
}
