import { Output } from '../../../synth/output/output.ts';
import { withGeneratedLine } from '../../../synth/output/generated-line.ts';

// Writes an output and kills its own process at the given moment, counted from 0.
const [directory = '', texts = '{}', moment = '0'] = process.argv.slice(2);
let left = Number(moment);
const output = Output.open(directory, {
  mode: 'write',
  onMoment: () => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
  },
});
for (const [path, text] of Object.entries(JSON.parse(texts) as Record<string, string>)) {
  output.put(path, withGeneratedLine(path, text));
}
output.finish();
