import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { readDeclarations } from '../crds/declarations.ts';
import { platform as platformKind, type PlatformSpec } from '../crds/platform.ts';
import type { ManifestFile } from '../import/manifests.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import {
  buildUnreadableProblem,
  manifestFiles,
  readFile,
  readStandardInput,
  Unreadable,
} from './manifest-files.ts';

/**
 * Reads the manifests of files, folders and standard input.
 * @param out the folder that the import writes to, which is no source
 * @throws {InvalidInput} with every source that cannot be read
 */
export async function readSources(
  sources: readonly string[],
  out: string,
): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  const problems: Problem[] = [];
  const own = resolve(out) + sep;
  for (const source of new Set(sources)) {
    try {
      if (source === '-') files.push({ file: '-', text: await readStandardInput() });
      else {
        const isFolder = statSync(source).isDirectory();
        const paths = isFolder ? manifestFiles(source) : [source];
        // What an earlier import wrote is no source.
        const others = paths.filter((path) => !resolve(path).startsWith(own));
        if (others.length === 0)
          throw new Unreadable('must hold a .yaml, .yml or .json file, got none');
        for (const file of others) files.push({ file, text: readFile(file) });
      }
    } catch (error) {
      problems.push(buildUnreadableProblem(source === '-' ? 'standard input' : source, error));
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return files;
}

/**
 * Reads the platform file of the repository; undefined if there is none.
 * @throws {InvalidInput} when the file exists and is no Platform
 */
export function readOwnPlatform(file: string): PlatformSpec | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) {
    const message = `must be a file, got ${stats.isDirectory() ? 'a folder' : 'something else'}`;
    throw new InvalidInput([{ file, path: '', message, rule: 'file' }]);
  }
  const { declared, problems } = readDeclarations(file, readFile(file), [platformKind], () => {
    throw new Error('a Platform includes no files');
  });
  if (problems.length > 0) throw new InvalidInput(problems);
  return declared[0]?.spec;
}

/**
 * Reads the tenants of namespaces from a mapping file.
 * @throws {InvalidInput} for anything else
 */
export function readMapping(file: string): ReadonlyMap<string, string> {
  const problems: Problem[] = [];
  const report = (path: string, message: string): void => {
    problems.push({ file, path, message, rule: 'schema' });
  };
  const pinned = new Map<string, string>();
  try {
    const { documents, problems: broken } = readDocuments(readFile(file));
    problems.push(...broken.map((one) => ({ file, ...one, path: '', rule: 'yaml' })));
    const value = documents[0]?.value;
    const tenants = isMapping(value) ? value['tenants'] : undefined;
    if (problems.length === 0 && !isMapping(tenants)) {
      report('tenants', `must be a mapping of tenants to their namespaces, got ${show(tenants)}`);
    }
    for (const [tenant, names] of Object.entries(isMapping(tenants) ? tenants : {})) {
      if (!isDnsLabel(tenant)) report(`tenants.${tenant}`, `must be named by ${A_DNS_LABEL}`);
      if (!Array.isArray(names)) {
        report(`tenants.${tenant}`, `must be a list of namespaces, got ${show(names)}`);
        continue;
      }
      for (const name of names as readonly unknown[]) {
        if (typeof name !== 'string')
          report(`tenants.${tenant}`, `must name namespaces, got ${show(name)}`);
        else if (pinned.has(name)) report(`tenants.${tenant}`, `must not repeat ${show(name)}`);
        else pinned.set(name, tenant);
      }
    }
  } catch (error) {
    problems.push(buildUnreadableProblem(file, error));
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return pinned;
}
