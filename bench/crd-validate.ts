/**
 * `npm run bench:crd`: how long it takes to validate a custom resource, beside Ajv with the same
 * schema, compiled. Both are asked in turns, in one process; what is told is the fastest round.
 */
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { JSONSchemaProps } from '../crds/schema/jsonschema.ts';
import { compile } from '../crds/value/validator.ts';
import { subjects, type Subject } from './crd-subjects.ts';

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
  const ours = compile(schema);
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
  const microseconds = [accepts, ajv, check, ajvAll].map((time) => (time / 1000).toFixed(2));
  const ratios = [ajv / accepts, ajvAll / check].map((ratio) => `${ratio.toFixed(2)}x`);
  const size = `${(JSON.stringify(value).length / 1000).toFixed(1)} kB`;
  return `| ${[name, size, ...microseconds, ...ratios].join(' | ')} |`;
}

console.log('Microseconds for one object; above 1x ours is faster.\n');
console.log('| object | size | accepts | Ajv | check | Ajv allErrors | yes or no | all errors |');
console.log('|---|---|---|---|---|---|---|---|');
for (const subject of subjects()) console.log(row(subject));
