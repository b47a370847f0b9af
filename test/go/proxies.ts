import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** A server, and the environment variables that select its proxy. */
export interface ProxyQuestion {
  readonly server: string;
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Returns the proxies that Go programs use, undefined for none, evaluated in one process. */
export type AskProxies = (questions: readonly ProxyQuestion[]) => (string | undefined)[];

/** Returns undefined and prints the reason if the Go program cannot be built. */
export async function goProxies(): Promise<AskProxies | undefined> {
  const program = await buildGo('proxies');
  if (program === undefined) return undefined;
  return (questions) => linesOf(program, questions).map((line) => line || undefined);
}
