import type { OwnMetrics } from '@tenantry/runtime/controller/declaration';
import { AccessRequest, roleBindings } from '../cluster/kinds.ts';
import { bindingName } from './binding.ts';
import { isExpired } from './decision.ts';

type Own = OwnMetrics<typeof AccessRequest | typeof roleBindings>;

/** Registers the metrics of requests, see docs/break-glass.md. They name neither people nor tenants. */
export function registerRequestMetrics({ instruments, cache, clock }: Own): void {
  const count = (isOver: boolean): number | undefined => {
    const view = cache();
    return view?.list(AccessRequest).filter((request) => {
      const { namespace } = request.metadata;
      const isBound =
        view.get(roleBindings, { name: bindingName(request), namespace }) !== undefined;
      return isBound && isExpired(request, clock.date()) === isOver;
    }).length;
  };
  const granted = 'Grants of requested access that exist and have not expired';
  instruments.gauge({ name: 'tenantry_break_glass_grants', help: granted, labels: [] }, (gauge) => {
    gauge.set({}, count(false) ?? 0);
  });
  const overdue = 'Grants of requested access that exist although they have expired';
  instruments.gauge(
    { name: 'tenantry_break_glass_overdue', help: overdue, labels: [] },
    (gauge) => {
      gauge.set({}, count(true) ?? 0);
    },
  );
}
