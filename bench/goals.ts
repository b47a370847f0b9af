import { most, type Goal } from './goal.ts';
import { CHECK, ONE_CHANGED } from './incremental.ts';
import type { Results } from './results.ts';
import { HUGE, LARGE } from './sizes.ts';

/** The goals for Tenantry's speed, in the words of its users. */
export function goals(results: Results): Goal[] {
  const growth = (program: string): number | undefined => {
    const [large, small] = [results.median(program, LARGE), results.median(program, 1000)];
    return large === undefined || small === undefined ? undefined : large / small;
  };
  const memory = (program: string, size = LARGE) => results.median(program, size, 'memory');
  const against = (peer: string, size = LARGE) => results.ratio('ours', peer, size);
  return [
    most('YAML at 100: time of Helm', against('helm', 100), 1, 'x'),
    most('YAML at 1,000: time of Helm', against('helm', 1000), 0.6, 'x'),
    most('YAML: time of Helm', against('helm'), 0.3, 'x'),
    most('YAML: time of jsonnet', against('jsonnet'), 0.3, 'x'),
    most('YAML: time of CUE (YAML)', against('cue-yaml'), 0.25, 'x'),
    most('YAML: time of KCL (YAML)', against('kcl-yaml'), 0.25, 'x'),
    most('YAML: time of KCL (JSON)', against('kcl'), 0.25, 'x'),
    most('constructs: time of Helm', results.ratio('constructs', 'helm', LARGE), 0.6, 'x'),
    most('constructs: time of jsonnet', results.ratio('constructs', 'jsonnet', LARGE), 0.6, 'x'),
    most('YAML: memory', memory('ours'), 400, 'MB'),
    most('constructs: memory', memory('constructs'), 400, 'MB'),
    most('YAML: time of the floor', against('floor'), 8, 'x'),
    most('YAML: 10,000 tenants against 1,000', growth('ours'), 11, 'x'),
    most('constructs: 10,000 tenants against 1,000', growth('constructs'), 11, 'x'),
    most('one file of 10,000 changed', results.median(ONE_CHANGED, LARGE), 0.35, 's'),
    most('`tenantry check`, nothing of 10,000 changed', results.median(CHECK, LARGE), 0.5, 's'),
    most('YAML: 100,000 tenants', results.median('ours', HUGE), 25, 's'),
    most('YAML: memory for 100,000 tenants', memory('ours', HUGE), 1000, 'MB'),
  ];
}
