import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/**
 * Finds a file that is probably meant as a file that does not exist: it has the same name with another ending of YAML,
 * such as `tenantry.yml` for `tenantry.yaml`. Returns its path, or undefined.
 */
export function findMisnamedFile(path: string): string | undefined {
  const name = basename(path);
  const stem = basename(name, extname(name)).toLowerCase();
  const isMeant = (one: string): boolean => {
    const [, start, end] = /^(.*?)(\.ya?ml|\.ya?ml\.txt|\.ymal|\.json)$/i.exec(one) ?? [];
    return one !== name && start?.toLowerCase() === stem && end !== undefined;
  };
  try {
    const entries = readdirSync(dirname(path), { withFileTypes: true });
    const found = entries.find((entry) => entry.isFile() && isMeant(entry.name));
    return found && join(dirname(path), found.name);
  } catch {
    return undefined;
  }
}
