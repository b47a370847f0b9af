import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes copies of a fleet under other names until there are so many namespaces. A fleet has a folder for each namespace.
 * @returns the number of files
 */
export function repeatFleet(fleet: string, to: string, namespaces: number): number {
  const names = readdirSync(fleet).toSorted();
  const pattern = new RegExp(`(?<![\\w-])(${names.join('|')})(?![\\w-])`, 'g');
  let files = 0;
  for (let i = 0; i < namespaces; i += 1) {
    const copy = Math.floor(i / names.length);
    const name = names[i % names.length]!;
    const rename = (text: string): string =>
      copy === 0 ? text : text.replaceAll(pattern, `$1-${copy}`);
    const folder = join(to, rename(name));
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(join(fleet, name))) {
      writeFileSync(join(folder, file), rename(readFileSync(join(fleet, name, file), 'utf8')));
      files += 1;
    }
  }
  return files;
}
