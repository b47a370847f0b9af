import { Agent, type RequestOptions } from 'node:https';

/** What tells connections apart of which one may not serve a call of the other. */
const poolKeyFields = [
  'host',
  'port',
  'ca',
  'cert',
  'key',
  'servername',
  'rejectUnauthorized',
] as const;

type PoolKey = Pick<RequestOptions, (typeof poolKeyFields)[number]>;

/**
 * Kept connections of TLS. Node names the pool of each request by all the texts of its certificates,
 * twice; here the name is made anew when one of them has changed.
 */
export class KeepAliveAgent extends Agent {
  #last: PoolKey = {};
  #name: string | undefined;

  override getName(options: RequestOptions = {}): string {
    if (
      this.#name !== undefined &&
      poolKeyFields.every((one) => options[one] === this.#last[one])
    ) {
      return this.#name;
    }
    const { host, port, ca, cert, key, servername, rejectUnauthorized } = options;
    this.#last = { host, port, ca, cert, key, servername, rejectUnauthorized };
    this.#name = super.getName(options);
    return this.#name;
  }
}
