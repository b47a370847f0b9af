import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Project, tenant, type Ended } from '../cli/project.ts';

/** What somebody commits beside a rendered output, and what a pipeline says that checks it out. */
export interface Commit {
  readonly put: (project: Project) => void | Promise<void>;
  /**
   * The lines by which `check` names it; with them it fails. `synth` says the same, keeps what it
   * rendered and ends with 1. Absent: it is a harmless neighbour of an attack, and both are done.
   */
  readonly named?: readonly string[];
  /** `synth` makes it right, so that a `check` after it is done. @default - false */
  readonly mended?: boolean;
  /** Why both refuse to look any further; nothing is changed. */
  readonly refused?: RegExp;
}

/** One test for each commit, on a fresh clone: what Git does not keep is no part of an attack. */
export function commits(cases: Readonly<Record<string, Commit>>): void {
  let folder = '';
  let base: Project;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'commits-'));
    base = new Project(folder, {
      'tenants/acme.yaml': tenant('acme'),
      'tenants/payments.yaml': tenant('payments'),
    });
    await base.tenantry('synth');
    await base.commit();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(Object.entries(cases))('%s', async (_what, { put, named = [], mended, refused }) => {
    const work = mkdtempSync(join(folder, 'case-'));
    const author = await clone(base, join(work, 'author'));
    await put(author);
    await author.git('add -A -f');
    await author.git('commit -q -m change');
    const pipeline = await clone(author, join(work, 'pipeline'));
    const before = pipeline.tree();

    const checked = await pipeline.tenantry('check');
    expect(pipeline.tree()).toEqual(before);
    expectSafe(checked);
    if (refused === undefined) expect(lines(checked)).toEqual(named);
    else expect(checked.err).toMatch(refused);
    expect(checked.code).toBe(named.length > 0 || refused !== undefined ? 1 : 0);

    const written = await pipeline.tenantry('synth');
    expectSafe(written);
    if (refused !== undefined) expect(written.err).toMatch(refused);
    else expect(lines(written)).toEqual(mended === true ? [] : named);
    expect(written.code).toBe(mended === true ? 0 : checked.code);
    if (mended === true) expect((await pipeline.tenantry('check')).code).toBe(0);
    else expect(pipeline.tree()).toEqual(before);
  });
}

async function clone(from: Project, folder: string): Promise<Project> {
  mkdirSync(folder);
  const project = new Project(folder, {});
  await project.git(`clone -q ${from.folder} .`);
  return project;
}

/** The lines of stderr that name something. */
function lines({ err }: Ended): string[] {
  return err.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
}

/** Neither a stack trace nor anything that a terminal obeys. */
function expectSafe({ err, out }: Ended): void {
  expect(err).not.toContain('    at ');
  expect((err + out).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
}
