import type { HookReceipt } from '../../crds/tenantry/tenant-status.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant } from '../cluster/kinds.ts';
import type { DeliveryContext } from './hook-access.ts';
import { withReceipt } from './receipts.ts';

/** The receipts in the status of one Tenant. Each write keeps the receipts of earlier writes. */
export class TenantReceipts {
  readonly #client: DeliveryContext['client'];
  #now: Live<typeof Tenant>;

  constructor({ client, object }: Pick<DeliveryContext, 'client' | 'object'>) {
    this.#client = client;
    this.#now = object;
  }

  /**
   * Writes a receipt, on condition that the Tenant is as it was last read or written. Returns whether the Tenant still
   * exists.
   */
  async write(receipt: HookReceipt): Promise<boolean> {
    const { metadata, status } = this.#now;
    const { name, uid, resourceVersion } = metadata;
    const patch = {
      metadata: { uid, resourceVersion },
      status: { hooks: withReceipt(status?.hooks, receipt) },
    };
    const written = await this.#client
      .patch(Tenant, { name }, patch, { subresource: 'status' })
      .catch(ifGone);
    this.#now = written ?? this.#now;
    return written !== undefined;
  }
}
