import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** What etcd has under a key. Keys and values are as its gateway for JSON has them: in base64. */
export interface StoredEntry {
  readonly key: string;
  /** Another one after each write of the key. */
  readonly revision: string;
  /** Where it was asked for. */
  readonly value: string;
}

/** A key that is to have this value, or not to be there. */
export interface StoredChange {
  readonly key: string;
  readonly value?: string | undefined;
}

const PREFIX = '/registry/';
/** etcd takes 128 in a transaction. */
const AT_ONCE = 100;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What an API server stores, past that server: it hears of each change, as it does of its own. */
export class EtcdStore {
  readonly #socket: string;

  /** `socket`: the path of the one that etcd listens on. */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** All that is there, or its keys and revisions alone; by key. */
  async entries({ keysOnly = false } = {}): Promise<readonly StoredEntry[]> {
    const range = { key: base64(PREFIX), range_end: base64('/registry0'), keys_only: keysOnly };
    const { kvs = [] } = (await this.#ask('/v3/kv/range', range)) as {
      readonly kvs?: readonly { key: string; mod_revision: string; value?: string }[];
    };
    return kvs.map(({ key, mod_revision: revision, value = '' }) => ({ key, revision, value }));
  }

  /** Gives the revision that each key has since. */
  async write(changes: readonly StoredChange[]): Promise<ReadonlyMap<string, string>> {
    const revisions = new Map<string, string>();
    for (let from = 0; from < changes.length; from += AT_ONCE) {
      const some = changes.slice(from, from + AT_ONCE);
      const success = some.map(({ key, value }) =>
        value === undefined ? { requestDeleteRange: { key } } : { requestPut: { key, value } },
      );
      const { header } = (await this.#ask('/v3/kv/txn', { success })) as {
        readonly header: { readonly revision: string };
      };
      for (const { key } of some) revisions.set(key, header.revision);
    }
    return revisions;
  }

  /** Forgets all states but the present one, as an API server has it do every five minutes. */
  async forgetPast(): Promise<void> {
    const { header } = (await this.#ask('/v3/kv/range', { key: base64(PREFIX) })) as {
      readonly header: { readonly revision: string };
    };
    await this.#ask('/v3/kv/compaction', { revision: header.revision });
  }

  async #ask(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const asking = request({
      socketPath: this.#socket,
      path,
      method: 'POST',
      headers,
      agent: false,
    });
    asking.end(JSON.stringify(body));
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    const reply = await json(answer);
    if (answer.statusCode !== 200) throw new Error(`etcd: ${JSON.stringify(reply)}`);
    return reply;
  }
}
