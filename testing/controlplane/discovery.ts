import type { KindReference, Reply } from './objects.ts';

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

type Get = (path: string) => Promise<Reply>;

/** Where objects of a kind lie, or what the API server answered instead. */
export type PathResult =
  | { readonly path: string; readonly refusal?: undefined }
  | { readonly refusal: Reply; readonly path?: undefined };

/** Learns the paths of kinds from the API server itself; what it found it keeps. */
export class Discovery {
  readonly #get: Get;
  readonly #found = new Map<string, Resource>();

  constructor(get: Get) {
    this.#get = get;
  }

  /** A kind that is not served (yet) gives a refusal with status 404, and is asked for again. */
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
