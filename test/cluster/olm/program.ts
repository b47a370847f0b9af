import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot, fillOnce } from '../../../testing/controlplane/cache.ts';

/** Where OLM's operator is, and the definitions of its kinds. */
export interface OlmProgram {
  readonly program: string;
  readonly definitions: string;
}

/** The same, or why there is none. */
export type FoundOlm = (OlmProgram & { readonly reason?: undefined }) | { readonly reason: string };

const PACKED = 'olm-linux-amd64.xz';

/** What TENANTRY_OLM has is unpacked once, into our cache: Node has no xz, so the machine's does it. */
export async function findOlm(env: NodeJS.ProcessEnv = process.env): Promise<FoundOlm> {
  const { TENANTRY_OLM: folder, TENANTRY_OLM_CRDS: definitions } = env;
  if (!folder) return { reason: 'TENANTRY_OLM does not say where OLM is' };
  if (!definitions) return { reason: 'TENANTRY_OLM_CRDS does not say where the kinds of OLM are' };
  const packed = join(folder, PACKED);
  if (!existsSync(packed)) return { reason: `TENANTRY_OLM has no ${PACKED}` };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { reason: 'there is a program of OLM for Linux on amd64 alone' };
  }
  const key = createHash('sha256').update(readFileSync(packed)).digest('hex').slice(0, 12);
  const entry = join(cacheRoot(env), 'olm', key);
  let failed = '';
  const say = (line: string): void => void process.stderr.write(`tenantry: ${line}\n`);
  await fillOnce(entry, say, (empty) => {
    failed = unpack(packed, join(empty, 'olm'));
    return Promise.resolve(failed === '');
  });
  if (!existsSync(entry)) return { reason: `OLM cannot be unpacked: ${failed}` };
  return { program: join(entry, 'olm'), definitions };
}

/** What was wrong; nothing where it went well. */
function unpack(packed: string, to: string): string {
  const file = openSync(to, 'w', 0o755);
  try {
    const { error, status, stderr } = spawnSync('xz', ['--decompress', '--stdout', packed], {
      stdio: ['ignore', file, 'pipe'],
    });
    return error?.message ?? (status === 0 ? '' : stderr.toString());
  } finally {
    closeSync(file);
  }
}
