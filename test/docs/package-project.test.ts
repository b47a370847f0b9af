import { expect } from '@jest/globals';
import { inProject } from '../cli/project.ts';
import { lackOfKustomize } from '../olm/project/kustomized.ts';
import { sdkProject } from '@tenantry/olm/test/project/shops';
import { testUnless } from '../skipping.ts';
import { readPage } from './pages.ts';

const { text } = readPage('docs/package-your-operator.md');
const [, section = ''] = /\n## From a kubebuilder project\n(.*?)\n## /s.exec(text) ?? [];
const commands = [...section.matchAll(/^ *(tenantry bundle import .*)$/gm)].map(
  ([, line]) => line!,
);

testUnless(await lackOfKustomize())(
  'the page leads from a kubebuilder project to a working one',
  inProject(sdkProject, async (project) => {
    expect(commands).toEqual(['tenantry bundle import . --to packaging']);
    const { code, out, err } = await project.tenantry(commands[0]!.replace('tenantry ', ''));
    expect(code).toBe(0);
    const shown = [...section.matchAll(/^ +((?:warning|shops) .*)$/gm)].map(([, line]) => line!);
    const [written, ...warnings] = shown.toReversed();
    expect(err.trimEnd().split('\n')).toEqual(warnings.toReversed());
    expect(out.split('\n')).toContain(written);
    const files = Object.keys(project.tree('packaging')).filter((path) => !path.endsWith('/'));
    for (const path of files) {
      const [name = path] = path.split('/');
      if (!['app.ts', 'icon.ts'].includes(name)) expect(section).toContain(name);
    }
    const [, again = ''] = /`tenantry (crd import [^`]*)`/.exec(section) ?? [];
    expect(await project.tenantry(again.replaceAll(/\s+/g, ' '))).toMatchObject({ code: 0 });
  }),
);
