/** Profiles Tenantry's operator, by the purpose of the sampled code. */
import { grouped } from '../markdown.ts';
import {
  flagsInto,
  profileIn,
  rowsOf,
  sharesOf,
  type Profiles,
  type Purposes,
  type Shares,
} from '../profile.ts';
import type { Workspace } from '../workspace.ts';
import { OperatorProcess, type OperatorCommand } from './process.ts';
import type { Track } from './race.ts';

const PURPOSES: Purposes = [
  ['start: Node and loading code', /^node:internal\/(modules|bootstrap|main|process\/esm)/],
  ['JSON', /^runtime\/connection\/json\./],
  [
    'HTTP, TLS and sockets, of Node',
    /^node:(_http|http|_tls|tls|net|internal\/(crypto|js_stream|stream|http|timers|event_target|abort)|stream|events|string_decoder|buffer|timers|diagnostics)/,
  ],
  ['requests and answers', /^runtime\/(connection|client|access|errors|leader)\//],
  ['watches and caches', /^runtime\/(watch|cache|kinds)\//],
  ['queue and controller', /^runtime\/(queue|controller|manager|clock|log)\//],
  ['the reconcile itself', /^bench\//],
];

/** In the order of the page. */
export const purposes = rowsOf(PURPOSES);

/** Profiles the operator while it creates everything, and while it starts with nothing to do. */
export async function profile(
  workspace: Workspace,
  command: OperatorCommand,
  { observer, objects }: Track,
): Promise<Profiles> {
  const once = async (done: (operator: OperatorProcess) => Promise<unknown>): Promise<Shares> => {
    const folder = workspace.fresh('profile');
    const args = [...flagsInto(folder), ...command.args];
    const operator = new OperatorProcess({ ...command, args });
    try {
      await Promise.race([done(operator), operator.reconciled]);
      await done(operator);
      await operator.stop();
    } finally {
      operator.kill();
    }
    return sharesOf(profileIn(folder), workspace.builtUrl(), PURPOSES);
  };
  await observer.clear();
  const made = observer.made(objects);
  return new Map([
    [`making ${grouped(objects)}`, await once(() => made)],
    ['starting with nothing to do', await once(({ reconciled }) => reconciled)],
  ]);
}
