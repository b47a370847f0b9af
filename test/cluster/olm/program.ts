import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot, fillOnce } from '@tenantry/testing/controlplane/cache';

/** The program of OLM's operator, and the folder with the definitions of its kinds. */
export interface OlmProgram {
  readonly program: string;
  readonly definitions: string;
}

/** An `OlmProgram`, or the reason why there is none. */
export type FoundOlm = (OlmProgram & { readonly reason?: undefined }) | { readonly reason: string };

const PACKED = 'olm-linux-amd64.xz';

/**
 * Finds OLM through the environment. Unpacks the content of TENANTRY_OLM once, into our cache. Node has no xz, so it
 * runs the one on this machine.
 */
export async function findOlm(env: NodeJS.ProcessEnv = process.env): Promise<FoundOlm> {
  const { TENANTRY_OLM: folder, TENANTRY_OLM_CRDS: definitions } = env;
  if (!folder) return { reason: 'TENANTRY_OLM is not set to the folder of OLM' };
  if (!definitions)
    return { reason: 'TENANTRY_OLM_CRDS is not set to the folder of the kinds of OLM' };
  const packed = join(folder, PACKED);
  if (!existsSync(packed)) return { reason: `TENANTRY_OLM has no ${PACKED}` };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { reason: 'OLM is available only for Linux on amd64' };
  }
  const key = createHash('sha256').update(readFileSync(packed)).digest('hex').slice(0, 12);
  const entry = join(cacheRoot(env), 'olm', key);
  let failed = '';
  const report = (line: string): void => void process.stderr.write(`tenantry: ${line}\n`);
  await fillOnce(entry, report, (empty) => {
    failed = unpack(packed, join(empty, 'olm'));
    return Promise.resolve(failed === '');
  });
  if (!existsSync(entry)) return { reason: `OLM cannot be unpacked: ${failed}` };
  return { program: join(entry, 'olm'), definitions };
}

/** Unpacks a file, and returns the error; an empty text if it succeeded. */
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
