import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HookRefused, type HookContext } from './sender.ts';

/**
 * Reads the keys of a hook's Secret from files. The kubelet mounts the Secret as a folder and updates it when it
 * changes. Each key is read when it is used, so the operator needs no right to read Secrets.
 */
export function mountedCredentials(
  folder: string,
  hook: { readonly name: string; readonly secret: string },
): Pick<HookContext, 'credential' | 'optionalCredential'> {
  const optionalCredential = async (key: string): Promise<string | undefined> => {
    try {
      const text = await readFile(join(folder, hook.name, key), 'utf8');
      return text.replace(/\r?\n$/, '') || undefined;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      const message = `the key '${key}' of Secret ${hook.secret} could not be read (${code})`;
      throw new HookRefused(message, { final: false, cause });
    }
  };
  return {
    optionalCredential,
    credential: async (key) => {
      const value = await optionalCredential(key);
      if (value !== undefined) return value;
      const message = `Secret ${hook.secret} must have the key '${key}', and it is not there, or empty`;
      throw new HookRefused(message, { final: false });
    },
  };
}
