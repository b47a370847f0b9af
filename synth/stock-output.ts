import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { ManifestValidator } from './manifests/manifests.ts';
import type { Output } from './output/output.ts';
import type { Summary } from './report.ts';

/**
 * Copies the files that a stock cdk8s app wrote to a folder, byte by byte, after validating them
 * like any other output.
 * @throws {InvalidInput} with every problem; nothing is written then
 */
export function takeStockOutput(folder: string, output: Output): Summary {
  const manifests = new ManifestValidator();
  const problems: Problem[] = [];
  const files: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).replaceAll('\\', '/');
    if (!entry.isFile()) {
      const message = 'must be a file: a link may lead to another one wherever it is read';
      problems.push({ file: path, path: '', message, rule: 'file-name' });
      continue;
    }
    const text = manifests.validateText(path, readFileSync(file, 'utf8'), path);
    if (text !== undefined) output.put(path, text);
    files.push(path);
  }
  problems.push(...manifests.problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  files.sort();
  const { objects, holders } = manifests;
  return { objects, changes: output.finish(), files, holders, warnings: [], exemptions: [] };
}
