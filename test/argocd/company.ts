import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlatformSpec } from '../../crds/platform.ts';
import { platform, Project } from '../cli/project.ts';
import type { Texts } from '../synth/output/folders.ts';
import { GitRepository } from './git-repository.ts';

/** Texts by path; undefined deletes a file. */
type Change = Readonly<Record<string, string | undefined>>;

/**
 * A user of Tenantry and Argo CD: a project in the Git repository that Argo CD syncs, with the cluster of Argo CD as
 * its only cluster.
 */
export class Company implements Disposable {
  readonly git: GitRepository;
  readonly platform: PlatformSpec;
  readonly #folder: string;
  readonly #project: Project;

  /** @param spec fields of the Platform besides its cluster and its source */
  constructor(spec: PlatformSpec, files: Texts) {
    this.#folder = mkdtempSync(join(tmpdir(), 'tenantry-company-'));
    this.#project = new Project(this.#folder, files);
    this.git = new GitRepository(this.#project.folder);
    this.platform = {
      clusters: [{ name: 'eu1', server: 'https://kubernetes.default.svc' }],
      argocd: { source: { repoURL: this.git.url, targetRevision: 'main' } },
      ...spec,
    };
    this.#project.write({ 'tenantry.yaml': platform(this.platform) });
  }

  /**
   * Merges a change: writes files, renders, runs `tenantry check`, and commits. Returns the revision.
   * @param allowed names that may disappear although they were not retired
   */
  async merge(
    message: string,
    change: Change = {},
    allowed: readonly string[] = [],
  ): Promise<string> {
    await this.render(change);
    await this.tenantry([
      'check',
      '--quiet',
      ...allowed.flatMap((name) => ['--allow-removal', name]),
    ]);
    return this.git.commit(message);
  }

  /** Writes files and renders, without `tenantry check` and without a commit. */
  async render(change: Change = {}): Promise<void> {
    for (const [path, text] of Object.entries(change)) {
      if (text === undefined) this.#project.remove(path);
      else this.#project.write({ [path]: text });
    }
    await this.tenantry(['synth', '--quiet']);
  }

  /** The folder of the rendered files. */
  get dist(): string {
    return join(this.git.folder, 'dist');
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs a Tenantry command in the project and returns its output. */
  async tenantry(words: readonly string[]): Promise<string> {
    const { code, out, err } = await this.#project.tenantry(words);
    if (code !== 0) throw new Error(err);
    return out;
  }
}
