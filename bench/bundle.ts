/**
 * `npm run bench:bundle` measures reading and validating 1,000 bundles of ten manifests, in one
 * process. With `-- --write`, it writes its section of docs/reference/benchmarks.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { validateBundle, type Suite } from '@tenantry/olm/rules/validate-bundle';
import { writeBundles } from './bundles.ts';
import { goalTable, most, number } from './goal.ts';
import { machine, writeSection } from './page.ts';

const SECONDS = 20;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    write: { type: 'boolean', default: false },
  },
});

/** Seconds, and the number of findings in all bundles together. */
interface Times {
  readonly reading: number;
  readonly asking: number;
  readonly findings: number;
}

function timesOf(folders: readonly string[], suite: Suite): Times {
  let [reading, asking, findings] = [0, 0, 0];
  for (const folder of folders) {
    const started = performance.now();
    const bundle = readBundle(folder);
    const read = performance.now();
    findings += validateBundle(bundle, { suite }).length;
    asking += performance.now() - read;
    reading += read - started;
  }
  return { reading: reading / 1000, asking: asking / 1000, findings };
}

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
try {
  const folders = writeBundles(folder, Number(values.count));
  const suites = ['default', 'operatorhub'] as const;
  const measured = suites.map((suite) => ({ suite, times: timesOf(folders, suite) }));
  const peak = process.resourceUsage().maxRSS / 1024;
  const rows = measured.map(({ suite, times: { reading, asking, findings } }) => {
    const cells = [reading, asking, reading + asking].map((time) => `${number(time)} s`);
    return `| ${[suite, ...cells, findings].join(' | ')} |`;
  });
  const worst = Math.max(...measured.map(({ times }) => times.reading + times.asking));
  const text = `${folders.length} bundles of ten manifests, four CustomResourceDefinitions among them, read from files
and validated in one process; on ${machine()}. At most ${Math.round(peak)} MB were taken.

| suite | reading | asking | together | findings |
|---|---|---|---|---|
${rows.join('\n')}

${goalTable([most(`${folders.length} bundles`, worst, SECONDS, 's')])}
`;
  console.log(text);
  if (values.write) await writeSection('Validating bundles', text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
