import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { isMapping } from '@tenantry/kube/mapping';
import { formatSteps } from '../../operator/drift/difference.ts';
import type { ArgoCd } from './argocd.ts';

/** Source: CacheVersion of Argo CD 3.5, common/common.go. */
const version = '1.8.3';

/** The cached state of one object of an Application, on which Argo CD's pages and `argocd app diff` are based. */
export interface ManagedResource {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** JSON; `null` if there is no object. */
  readonly normalizedLiveState: string;
  /** JSON of the expected object after a sync. */
  readonly predictedLiveState: string;
  /** The resource version of the compared state; absent if there is no object. */
  readonly resourceVersion?: string;
}

/** A field that a sync would change. */
export interface FieldDifference {
  /** An empty text is the whole object. A list is one field. */
  readonly field: string;
  readonly desired: unknown;
  readonly live: unknown;
}

/** Reads the last comparison of an Application from Argo CD's redis. */
export async function managedResources(argoCd: ArgoCd, name: string): Promise<ManagedResource[]> {
  const value = await redisGet(
    argoCd.log('redis').trim(),
    `app|managed-resources|${name}|${version}.gz`,
  );
  return JSON.parse(gunzipSync(value).toString()) as ManagedResource[];
}

/** Returns the differences as Argo CD shows them: the live object against the expected object after a sync. */
export function fieldDifferences(resource: ManagedResource): readonly FieldDifference[] {
  const { normalizedLiveState, predictedLiveState } = resource;
  return differing(JSON.parse(predictedLiveState), JSON.parse(normalizedLiveState), []);
}

function differing(
  desired: unknown,
  live: unknown,
  path: readonly string[],
): readonly FieldDifference[] {
  if (isDeepStrictEqual(desired, live)) return [];
  if (path.length === 0 ? isMapping(desired) && isMapping(live) : isMap(desired, live)) {
    const [wanted, there] = [desired ?? {}, live ?? {}] as [Fields, Fields];
    const names = new Set([...Object.keys(wanted), ...Object.keys(there)]);
    return [...names].flatMap((name) => differing(wanted[name], there[name], [...path, name]));
  }
  return [{ field: formatSteps(path), desired, live }];
}

type Fields = Readonly<Record<string, unknown>>;

/** Accepts mappings of which one may be absent. */
function isMap(one: unknown, other: unknown): boolean {
  return [one, other].every((value) => value === undefined || isMapping(value));
}

/** Reads the bytes under a key. Source: https://redis.io/docs/latest/develop/reference/protocol-spec/ */
async function redisGet(address: string, key: string): Promise<Buffer> {
  const [host, port] = address.split(':') as [string, string];
  const socket = connect(Number(port), host);
  socket.write(`*2\r\n$3\r\nGET\r\n$${Buffer.byteLength(key)}\r\n${key}\r\n`);
  let answer = Buffer.alloc(0);
  // Leaving the loop closes the connection.
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    answer = Buffer.concat([answer, chunk]);
    const end = answer.indexOf('\r\n');
    if (end < 0) continue;
    const head = answer.toString('latin1', 0, end);
    const length = Number(/^\$(\d+)$/.exec(head)?.[1]);
    if (Number.isNaN(length)) throw new Error(`redis has no ${key}: ${head}`);
    if (answer.length >= end + 2 + length) return answer.subarray(end + 2, end + 2 + length);
  }
  throw new Error(`redis closed the connection before the end of ${key}`);
}
