import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Problem } from '@tenantry/kube/problem';
import type { BundleFile } from '@tenantry/olm/bundle/bundle';
import { readFolder, readBundle } from '@tenantry/olm/folder/read-bundle';
import type { PublishedVersion } from '@tenantry/olm/submission/pipeline-checks';
import type { Submission } from '@tenantry/olm/submission/submission';
import { buildUnreadableProblem, readFile } from '../../manifest-files.ts';

/** The files of a package in a repository. */
interface PublishedPackage {
  readonly others: readonly PublishedVersion[];
  /** The published files of the new version, if it exists already. */
  readonly published?: readonly BundleFile[];
  readonly ci?: string;
  /** The reasons why it cannot be read. */
  readonly problems: readonly Problem[];
}

const CI = 'ci.yaml';

/** Folders of a package that are not versions. */
const noVersions = new Set(['catalog-templates', 'node_modules']);

/** Reads the versions and the `ci.yaml` of a package; empty if there is no such folder. */
export function readPackage(folder: string, version: string): PublishedPackage {
  if (!existsSync(folder)) return { others: [], problems: [] };
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const versions = entries.filter((entry) => {
      return entry.isDirectory() && !entry.name.startsWith('.') && !noVersions.has(entry.name);
    });
    const others = versions
      .filter(({ name }) => name !== version)
      .map(({ name }) => ({ version: name, bundle: readBundle(join(folder, name)) }))
      .filter(({ bundle }) => bundle.csv !== undefined);
    const own = entries.find(({ name }) => name === version);
    const published = own && publishedFiles(join(folder, version), own.isDirectory());
    if (published && 'problem' in published) return { others, problems: [published.problem] };
    const ci = existsSync(join(folder, CI)) ? readFile(join(folder, CI)) : undefined;
    return omitUndefined({
      others,
      published: published?.files,
      ci,
      problems: [],
    });
  } catch (error) {
    return { others: [], problems: [buildUnreadableProblem(folder, error)] };
  }
}

/** Reads all files of a version. If one cannot be read, the published content is unknown. */
function publishedFiles(
  folder: string,
  isFolder: boolean,
): { readonly files: readonly BundleFile[] } | { readonly problem: Problem } {
  if (!isFolder) {
    const message = 'must be the folder of a version, got something else';
    return { problem: { file: folder, path: '', message, rule: 'submission-published' } };
  }
  const { files, faults = [] } = readFolder(folder);
  const [fault] = faults;
  if (!fault) return { files };
  const file = join(folder, fault.file ?? '');
  return { problem: { file, path: '', message: fault.message, rule: fault.rule } };
}

/** Reports that a submission could not be written; nothing of it was left behind. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

/**
 * Writes the folder of a version, and the `ci.yaml` if there is none. Each of the two is written
 * completely or not at all, and files that appeared meanwhile are kept.
 * @param folder the folder of the package
 * @throws {NotWritten} when the version cannot be written
 */
export function writeSubmission(
  folder: string,
  version: string,
  { files, ci, isPublished }: Submission,
): void {
  let beside: string | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    beside = mkdtempSync(join(folder, '.tenantry-'));
    const staged = join(beside, 'version');
    for (const { path, bytes } of isPublished ? [] : files) {
      mkdirSync(dirname(join(staged, path)), { recursive: true });
      writeFileSync(join(staged, path), bytes, { flag: 'wx' });
    }
    if (ci !== undefined) writeFileSync(join(beside, CI), ci);
    // A rename can replace only an empty folder.
    if (!isPublished) renameSync(staged, join(folder, version));
    if (ci === undefined) return;
    try {
      linkSync(join(beside, CI), join(folder, CI));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
      if (!isPublished) renameSync(join(folder, version), staged);
      throw error;
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new NotWritten(`cannot be written: ${error.message}`, { cause: error });
  } finally {
    if (beside !== undefined) rmSync(beside, { recursive: true, force: true });
  }
}
