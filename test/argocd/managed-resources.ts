import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { isMapping } from '../../kube/mapping.ts';
import { formatSteps } from '../../operator/drift/difference.ts';
import type { ArgoCd } from './argocd.ts';

/** Source: CacheVersion of Argo CD 3.5, common/common.go. */
const version = '1.8.3';

/** What Argo CD keeps of one object of an Application, from which its pages and `argocd app diff` are made. */
export interface ManagedResource {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** JSON, which is `null` where there is nothing. */
  readonly normalizedLiveState: string;
  /** JSON of what would be there after a sync. */
  readonly predictedLiveState: string;
  /** Of the state that was looked at; absent where there is none. */
  readonly resourceVersion?: string;
}

/** A field that a sync would change. */
export interface FieldDifference {
  /** Empty: the whole object. A list is one field. */
  readonly field: string;
  readonly desired: unknown;
  readonly live: unknown;
}

/** What Argo CD found when it last looked at an Application, as it keeps it in its redis. */
export async function managedResources(argoCd: ArgoCd, name: string): Promise<ManagedResource[]> {
  const value = await redisGet(
    argoCd.log('redis').trim(),
    `app|managed-resources|${name}|${version}.gz`,
  );
  return JSON.parse(gunzipSync(value).toString()) as ManagedResource[];
}

/** What differs, as Argo CD shows it: what is there beside what it expects after a sync. */
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

/** Of two where one may be absent. */
function isMap(one: unknown, other: unknown): boolean {
  return [one, other].every((value) => value === undefined || isMapping(value));
}

/** The bytes under a key. Source: https://redis.io/docs/latest/develop/reference/protocol-spec/ */
async function redisGet(address: string, key: string): Promise<Buffer> {
  const [host, port] = address.split(':') as [string, string];
  const socket = connect(Number(port), host);
  socket.write(`*2\r\n$3\r\nGET\r\n$${Buffer.byteLength(key)}\r\n${key}\r\n`);
  let answer = Buffer.alloc(0);
  // Whoever leaves the loop ends the connection.
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    answer = Buffer.concat([answer, chunk]);
    const end = answer.indexOf('\r\n');
    if (end < 0) continue;
    const head = answer.toString('latin1', 0, end);
    const length = Number(/^\$(\d+)$/.exec(head)?.[1]);
    if (Number.isNaN(length)) throw new Error(`redis has no ${key}: ${head}`);
    if (answer.length >= end + 2 + length) return answer.subarray(end + 2, end + 2 + length);
  }
  throw new Error(`redis has not said all of ${key}`);
}
