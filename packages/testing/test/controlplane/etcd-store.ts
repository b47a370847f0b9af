import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** An entry of etcd. Keys and values are in base64, as in etcd's JSON gateway. */
export interface StoredEntry {
  readonly key: string;
  /** Changes with each write of the key. */
  readonly revision: string;
  /** Empty if only keys were requested. */
  readonly value: string;
}

/** A key that gets this value, or that is deleted. */
export interface StoredChange {
  readonly key: string;
  readonly value?: string | undefined;
}

const PREFIX = '/registry/';
/** etcd accepts 128 operations in a transaction. */
const AT_ONCE = 100;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The storage of an API server, accessed directly. The server observes each change as it does its own. */
export class EtcdStore {
  readonly #socket: string;

  /** `socket`: the path of the socket on which etcd listens. */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Returns all entries by key, or only their keys and revisions. */
  async entries({ keysOnly = false } = {}): Promise<readonly StoredEntry[]> {
    const range = { key: base64(PREFIX), range_end: base64('/registry0'), keys_only: keysOnly };
    const { kvs = [] } = (await this.#ask('/v3/kv/range', range)) as {
      readonly kvs?: readonly { key: string; mod_revision: string; value?: string }[];
    };
    return kvs.map(({ key, mod_revision: revision, value = '' }) => ({ key, revision, value }));
  }

  /** Writes the changes and returns the new revision of each key. */
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

  /** Compacts all revisions but the current one, as an API server requests every five minutes. */
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
