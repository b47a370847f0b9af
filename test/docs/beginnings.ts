import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Project } from '../cli/project.ts';
import type { Texts } from '../synth/output/folders.ts';
import { Site } from './recipes.ts';

/** The steps before a request or a push. */
export type Prepare = (site: Site) => Promise<void>;

/** Initial repositories for tests, made once and independent of the forge. */
export class Beginnings {
  readonly #files: Texts;
  readonly #made = new Map<Prepare | undefined, Promise<Project>>();

  /** @param files the files of main, which also gets the rendered ones */
  constructor(files: Texts) {
    this.#files = files;
  }

  /** Returns a site in the folder of a project, with these steps already done on its branches. */
  async copyTo(project: Project, prepare?: Prepare): Promise<Site> {
    const begun = this.#made.get(prepare) ?? this.#make(prepare);
    this.#made.set(prepare, begun);
    cpSync((await begun).folder, project.folder, { recursive: true });
    const site = new Site(project);
    await site.author('git remote set-url origin "$(dirname "$PWD")/origin.git"');
    return site;
  }

  async remove(): Promise<void> {
    for (const made of await Promise.all(this.#made.values())) {
      rmSync(dirname(made.folder), { recursive: true, force: true });
    }
  }

  async #make(prepare?: Prepare): Promise<Project> {
    const project = new Project(mkdtempSync(join(tmpdir(), 'tenantry-site-')), {});
    if (prepare) await prepare(await this.copyTo(project));
    else await new Site(project).begin(this.#files);
    return project;
  }
}
