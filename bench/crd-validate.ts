/**
 * `npm run bench:crd` measures the validation of custom resources, compared with Ajv with the same,
 * compiled schema. Both run in turns in one process, and the fastest round counts. With `-- --write`,
 * it writes its section of docs/reference/benchmarks.md.
 */
import { parseArgs } from 'node:util';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { compileSchema } from '@tenantry/crd/schema/validator';
import { subjects, type Subject } from './crd-subjects.ts';
import { goalTable, type Goal } from './goal.ts';
import { machine, writeSection } from './page.ts';

/** Many short rounds: on a busy machine, some are undisturbed. */
const ROUNDS = 300;
const MILLISECONDS = 3;

type Run = () => unknown;

/** Converts a schema for Ajv. Undeclared fields are refused, as the API server does. */
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

/** Returns the microseconds of one run in the fastest round; all runs take turns. */
function fastest<Name extends string>(runs: Readonly<Record<Name, Run>>): Record<Name, number> {
  const names = Object.keys(runs) as Name[];
  const best = new Map<Name, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names)
      best.set(name, Math.min(best.get(name) ?? Infinity, timeOf(runs[name])));
  }
  return Object.fromEntries(best) as Record<Name, number>;
}

function timeOf(run: Run): number {
  const started = performance.now();
  const until = started + MILLISECONDS;
  let count = 0;
  while (performance.now() < until) {
    for (let i = 0; i < 20; i += 1) run();
    count += 20;
  }
  return ((performance.now() - started) * 1000) / count;
}

/** Microseconds for one value. */
interface Times {
  readonly accepts: number;
  readonly ajv: number;
  readonly check: number;
  readonly ajvAll: number;
}

function timesOf({ name, schema, value, isValid }: Subject): Times {
  const ours = compileSchema(schema);
  const first = withAjv(schema, false);
  const all = withAjv(schema, true);
  const answers = [ours.accepts(value), first(value), all(value)];
  if (answers.some((answer) => answer !== isValid)) throw new Error(`${name}: ${answers.join()}`);
  return fastest({
    accepts: () => ours.accepts(value),
    check: () => ours.check(value),
    ajv: () => first(value),
    ajvAll: () => all(value),
  });
}

function row({ name, value }: Subject, times: Times): string {
  const cells = [
    [times.accepts, times.ajv],
    [times.check, times.ajvAll],
  ].flatMap(([own = 0, other = 0]) => [
    ...[own, other].map((time) => time.toFixed(2)),
    `${(other / own).toFixed(2)}x`,
  ]);
  const size = `${(JSON.stringify(value).length / 1000).toFixed(1)} kB`;
  return `| ${[name, size, ...cells].join(' | ')} |`;
}

function goals(rows: readonly Times[]): Goal[] {
  const most = (promise: string, ratios: readonly number[], bound: number): Goal => ({
    promise,
    reached: Math.max(...ratios),
    bound,
    unit: 'x',
  });
  return [
    most(
      'yes or no: time of Ajv, in the worst row',
      rows.map(({ accepts, ajv }) => accepts / ajv),
      1,
    ),
    most(
      'all that is wrong: time of Ajv, in the worst row',
      rows.map(({ check, ajvAll }) => check / ajvAll),
      4,
    ),
  ];
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const measured = subjects().map((subject) => ({ subject, times: timesOf(subject) }));
const text = `Objects and lists are validated against their schemas, by Tenantry and by Ajv with the same, compiled schema.
Both run in one process; on ${machine()}. Microseconds for one value, the fastest of
${ROUNDS} rounds in turns; above 1x Tenantry is faster. First they validate for yes or no (\`accepts\`; Ajv with its
defaults), then for all errors (\`check\`; Ajv with \`allErrors\`). CEL rules and the list types set and map are
left out, as Ajv does not support them. Tenantry reads patterns and formats as Go does, and reports the expected
and the actual value. Ajv reports the keyword of the schema that was violated.

| object | size | yes or no: Tenantry | Ajv | ratio | all errors: Tenantry | Ajv | ratio |
|---|---|---|---|---|---|---|---|
${measured.map(({ subject, times }) => row(subject, times)).join('\n')}

${goalTable(goals(measured.map(({ times }) => times)))}

The message of an error costs about a tenth of a microsecond, and one or two microseconds for an
unknown field, because of the search for a similar name. Parts around an error are validated again
on the levels above it. So a small value with several errors takes up to four times as long as with Ajv.
`;
console.log(text);
if (values.write) await writeSection('Validating custom resources', text);
