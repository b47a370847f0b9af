/**
 * `npm run bench:crd`: how long it takes to validate a custom resource, beside Ajv with the same
 * schema, compiled. Both are asked in turns, in one process; what is told is the fastest round.
 * With `-- --write`, its section of docs/benchmarks.md is written.
 */
import { parseArgs } from 'node:util';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { JSONSchemaProps } from '../schema/jsonschema.ts';
import { compileSchema } from '../schema/validator.ts';
import { subjects, type Subject } from './crd-subjects.ts';
import { machine, writeSection } from './page.ts';

const ROUNDS = 30;
const MILLISECONDS = 25;

type Run = () => unknown;

/** What Ajv understands of a schema; fields that are not declared it refuses as the API server does. */
function forAjv(schema: JSONSchemaProps): object {
  const { properties, items, additionalProperties, ...rest } = schema;
  const own = Object.entries(rest).filter(([word]) => !word.startsWith('x-kubernetes-'));
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, forAjv(field)]);
  return {
    ...Object.fromEntries(own),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: forAjv(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: forAjv(additionalProperties) }
      : properties && !isOpen && { additionalProperties: false }),
  };
}

function withAjv(schema: JSONSchemaProps, allErrors: boolean) {
  const ajv = new Ajv({ allErrors, strict: false, logger: false });
  formats.default(ajv);
  return ajv.compile(forAjv(schema));
}

/** Nanoseconds for one run, of the fastest of the rounds; all runs take turns. */
function fastest(runs: Readonly<Record<string, Run>>): Record<string, number> {
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const until = performance.now() + MILLISECONDS;
      const started = performance.now();
      let count = 0;
      while (performance.now() < until) {
        for (let i = 0; i < 100; i += 1) run();
        count += 100;
      }
      const each = ((performance.now() - started) * 1e6) / count;
      best[name] = Math.min(best[name] ?? Infinity, each);
    }
  }
  return best;
}

function row({ name, schema, value, isValid }: Subject): string {
  const ours = compileSchema(schema);
  const first = withAjv(schema, false);
  const all = withAjv(schema, true);
  const answers = [ours.accepts(value), first(value), all(value)];
  if (answers.some((answer) => answer !== isValid)) throw new Error(`${name}: ${answers.join()}`);
  const best = fastest({
    accepts: () => ours.accepts(value),
    check: () => ours.check(value),
    ajv: () => first(value),
    ajvAll: () => all(value),
  });
  const { accepts, check, ajv, ajvAll } = best as Record<
    'accepts' | 'check' | 'ajv' | 'ajvAll',
    number
  >;
  const cells = [
    [accepts, ajv],
    [check, ajvAll],
  ].flatMap(([own = 0, other = 0]) => [
    ...[own, other].map((time) => (time / 1000).toFixed(2)),
    `${(other / own).toFixed(2)}x`,
  ]);
  const size = `${(JSON.stringify(value).length / 1000).toFixed(1)} kB`;
  return `| ${[name, size, ...cells].join(' | ')} |`;
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const rows = subjects().map(row);
const text = `Objects of about 2 kB against the schemas of their kinds, beside Ajv with the same schema, compiled,
in one process; on ${machine()}. Microseconds for one object, the fastest of
${ROUNDS} rounds in turns; above 1x ours is faster. Asked is first for yes or no (\`accepts\`; Ajv as it is),
then for all that is wrong (\`check\`; Ajv with \`allErrors\`). Rules of CEL and lists that are sets or maps are
left out, as Ajv does not know them. Ours reads patterns and formats as Go does, and says what a value
must be and what was got; Ajv says which word of the schema was broken.

| object | size | yes or no: ours | Ajv | ratio | all that is wrong: ours | Ajv | ratio |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
console.log(text);
if (values.write) await writeSection('Validating custom resources', text);
