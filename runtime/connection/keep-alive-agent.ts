import { Agent, type RequestOptions } from 'node:https';

/** The options in which two connections must agree to serve each other's calls. */
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
 * An agent that keeps TLS connections alive. Node computes the pool's key for each request from all certificate texts,
 * twice; this agent computes it again only if one of them changed.
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
