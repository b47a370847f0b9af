import { expect, test } from '@jest/globals';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { crd, csv, sample } from '@tenantry/olm/test/sample';
import { inProject } from './project.ts';

const bomb = Array.from({ length: 20 }, (_, i) =>
  i === 0
    ? 'a0: &a0 [x]'
    : `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
).join('\n');

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';

/** Writes the sample into a folder, together with bad files. */
const inFolder = (folder: string, more: Readonly<Record<string, string>>) =>
  Object.entries({ ...sample, ...more }).map(([path, text]) => [`${folder}/${path}`, text]);

const files = Object.fromEntries([
  ...inFolder('sound', {}),
  ...inFolder('two', { 'manifests/z.yaml': csv }),
  ...inFolder('twice', { 'manifests/z.yaml': crd }),
  ...inFolder('hidden', { 'manifests/.hidden.yaml': crd }),
  ...inFolder('large', { [CSV]: `${csv}  description: ${'x'.repeat(2 * 2 ** 20)}\n` }),
  ...inFolder('junk', { 'manifests/junk.yaml': '\u0000\u0001\ufffd' }),
  ...inFolder('bomb', { 'manifests/bomb.yaml': bomb }),
  ...inFolder('linked', {}),
]) as Record<string, string>;

/** By mistake: the file that is reported, and the commands that succeed nevertheless. */
const bad = {
  empty: ['', ''],
  two: ['/manifests/z.yaml:1:1', ''],
  // An upgrade compares what OLM installs, and an import keeps both definitions.
  twice: ['/manifests/z.yaml:9:7', 'preview diff import'],
  hidden: ['/manifests/.hidden.yaml', 'preview diff'],
  large: [`/${CSV}:1:1`, ''],
  junk: ['/manifests/junk.yaml:1:1', ''],
  bomb: ['/manifests/bomb.yaml:', ''],
  linked: ['/manifests/passwd.yaml', ''],
} as const;

test(
  'each command reports what is wrong in a folder and where, and leaves nothing behind',
  inProject(files, async (project) => {
    mkdirSync(join(project.folder, 'empty'));
    symlinkSync('/etc/passwd', join(project.folder, 'linked/manifests/passwd.yaml'));
    const before = project.tree();
    for (const [name, [at, goesOn]] of Object.entries(bad)) {
      for (const words of [
        `validate ${name}`,
        `validate ${name} --suite operatorhub`,
        `preview ${name}`,
        `diff sound ${name} --fail-on never`,
        `import ${name} --to imported`,
        `submit ${name} --to hub`,
        `run ${name} --kubeconfig none.yaml`,
      ]) {
        const { code, out, err } = await project.tenantry(`bundle ${words}`);
        const isFine = goesOn.split(' ').includes(words.split(' ')[0]!);
        expect({ words, code, ...(code === 2 && { err }) }).toEqual({
          words,
          code: isFine ? 0 : 1,
        });
        expect(`${out}${err}`).not.toContain('root:');
        // The validator of upstream, with which that suite agrees, has no size limit.
        const where = words.endsWith('operatorhub') ? '' : at;
        if (!isFine) expect(err).toMatch(new RegExp(`^(?:error|warning) ${name}${where}`, 'm'));
        else if (words.startsWith('import')) project.remove('imported');
      }
    }
    expect(project.tree()).toEqual(before);
  }),
);
