import type { KindReference, Reply } from './objects.ts';

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

type Get = (path: string) => Promise<Reply>;

/** The path of a kind's objects, or the error of the API server. */
export type PathResult =
  | { readonly path: string; readonly refusal?: undefined }
  | { readonly refusal: Reply; readonly path?: undefined };

/** Finds the paths of kinds by the API server's discovery, and caches what it found. */
export class Discovery {
  readonly #get: Get;
  readonly #found = new Map<string, Resource>();

  constructor(get: Get) {
    this.#get = get;
  }

  /**
   * Returns the path of a kind. A kind that is not served (yet) returns a refusal with status 404,
   * which is not cached.
   */
  async findPath({ apiVersion, kind, namespace }: KindReference): Promise<PathResult> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const key = `${apiVersion} ${kind}`;
    if (!this.#found.has(key)) {
      const reply = await this.#get(root);
      if (reply.status !== 200) return { refusal: reply };
      for (const resource of reply.body['resources'] as Resource[]) {
        if (resource.name.includes('/')) continue;
        this.#found.set(`${apiVersion} ${resource.kind}`, resource);
      }
    }
    const resource = this.#found.get(key);
    if (!resource) return { refusal: createNotServedReply(`${apiVersion} has no kind ${kind}`) };
    const inNamespace =
      resource.namespaced && namespace !== undefined
        ? `/namespaces/${encodeURIComponent(namespace)}`
        : '';
    return { path: `${root}${inNamespace}/${resource.name}` };
  }
}

function createNotServedReply(message: string): Reply {
  const body = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', message };
  return { status: 404, body, warnings: [] };
}
