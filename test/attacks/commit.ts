import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Project, tenant, type Ended } from '../cli/project.ts';

/** Files that someone commits next to the rendered output, and the result of a pipeline on that commit. */
export interface Commit {
  readonly put: (project: Project) => void | Promise<void>;
  /**
   * The lines by which `check` reports it and fails. `synth` reports the same lines, keeps its output and exits with 1.
   * If absent, the commit is harmless and both succeed.
   */
  readonly named?: readonly string[];
  /** Whether `synth` corrects it, so that `check` succeeds afterwards. @default - false */
  readonly mended?: boolean;
  /** The reason why both stop immediately, without changes. */
  readonly refused?: RegExp;
}

/** Defines a test for each commit. Each runs on a fresh clone, so that only files in Git are part of an attack. */
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

/** Returns the lines of stderr that report something. */
function lines({ err }: Ended): string[] {
  return err.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
}

/** Checks that the output has neither a stack trace nor terminal control characters. */
function expectSafe({ err, out }: Ended): void {
  expect(err).not.toContain('    at ');
  expect((err + out).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
}
