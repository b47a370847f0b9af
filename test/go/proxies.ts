import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** A server, and what of the environment says by which proxy it is reached. */
export interface ProxyQuestion {
  readonly server: string;
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** The proxies that programs in Go take, undefined for none, in one process. */
export type AskProxies = (questions: readonly ProxyQuestion[]) => (string | undefined)[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function goProxies(): Promise<AskProxies | undefined> {
  const program = await buildGo('proxies');
  if (program === undefined) return undefined;
  return (questions) => linesOf(program, questions).map((line) => line || undefined);
}
