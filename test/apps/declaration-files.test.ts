import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DeclarationFiles } from '../../apps/declaration-files.ts';
import { Inputs } from '../../synth/render-cache.ts';
import { contentHash } from '../../synth/output/stat-index.ts';
import { inFolder, place, settle } from '../synth/output/folders.ts';

const read = (folder: string, inputs: Inputs) =>
  new DeclarationFiles(folder, undefined, { inputs });

/** What is known of a folder after a run that looked for classes in all its files. */
function after(folder: string): Inputs {
  const inputs = new Inputs(new Map());
  const files = read(folder, inputs);
  for (const name of files.names) files.mayHoldClass(name);
  return new Inputs(inputs.entries);
}

test(
  'a file that holds no class is known from one run to the next, one that may hold one is read',
  inFolder((folder) => {
    place(folder, { 'a.yaml': 'kind: Tenant', 'b.yaml': 'kind: TenantClass', 'c.yaml': 'x' });
    settle();
    const inputs = after(folder);
    const files = read(folder, inputs);
    expect(files.names).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
    expect(files.names.map((name) => files.mayHoldClass(name))).toEqual([false, true, false]);
    expect([...inputs.entries.keys()]).toEqual(['a.yaml', 'c.yaml'].map((n) => join(folder, n)));
    expect(files.hash('a.yaml')).toBe(contentHash('kind: Tenant'));
    expect(files.text('a.yaml')).toBe('kind: Tenant');
  }),
);

test(
  'a file that changes after it was found unchanged has the hash of what is read',
  inFolder((folder) => {
    place(folder, { 'a.yaml': 'one', 'b.yaml': 'one' });
    settle();
    const files = read(folder, after(folder));
    place(folder, { 'a.yaml': 'two' });
    rmSync(join(folder, 'b.yaml'));
    expect(files.hash('a.yaml')).toBe(contentHash('one'));
    expect(files.text('a.yaml')).toBe('two');
    expect(files.hash('a.yaml')).toBe(contentHash('two'));
    expect(() => files.text('b.yaml')).toThrow('must be a file that was read');
  }),
);
