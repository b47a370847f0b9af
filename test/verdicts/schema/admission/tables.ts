import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { isSame } from '../../record.ts';
import { shown, table } from '../../table.ts';
import { tightened, transitions } from './changes.ts';
import { metadatas, valueCases } from './values.ts';
import { ourVerdict, type OfKind } from './ours.ts';
import { FIELD, serverChanges, serverValues, type AskedChange, type AskedValue } from './server.ts';
import { difference, isBlamed, type AdmissionVerdict } from './verdict.ts';

/**
 * The API server's verdict on a spec: it refuses some fields, does not know some of them, or stores something else than
 * was sent. Otherwise it accepts the spec.
 */
type Recorded =
  | 'takes'
  | {
      readonly refuses?: readonly string[];
      readonly unknown?: readonly string[];
      readonly stores?: unknown;
    };

function recorded(verdict: AdmissionVerdict, sent: unknown): Recorded {
  const { isAccepted, blamed, unknown, spec } = verdict;
  const isAsSent = isSame(spec, specOf(sent));
  if (isAccepted && isAsSent && unknown.length === 0) return 'takes';
  return {
    ...(unknown.length > 0 && { unknown }),
    ...(!isAccepted && { refuses: blamed }),
    ...(isAccepted && !isAsSent && { stores: spec }),
  };
}

function restored(verdict: Recorded, sent: unknown): AdmissionVerdict {
  const { refuses, unknown = [], stores = specOf(sent) } = verdict === 'takes' ? {} : verdict;
  const isAccepted = refuses === undefined;
  return { isAccepted, blamed: refuses ?? [], unknown, spec: stores, messages: [] };
}

const specOf = (value: unknown): object => ({ [FIELD]: value });

const schemaOf = (schema: JSONSchemaProps): JSONSchemaProps => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { [FIELD]: schema } } },
});

const head: OfKind = { apiVersion: 'instances.example.com/v1', kind: 'Instance' };

const objectOf = (value: unknown, metadata: object = { name: 'a' }) => ({
  ...head,
  metadata,
  spec: specOf(value),
});

interface NamedValue extends AskedValue {
  readonly about: string;
  /** The schema of the whole object. */
  readonly whole: JSONSchemaProps;
}

const values: readonly NamedValue[] = valueCases.flatMap(({ about, schema, values }) => {
  const whole = schemaOf(schema);
  return values.map((value) => ({ about, schema, whole, value }));
});

const anyText: JSONSchemaProps = { type: 'string' };
const metadata: readonly NamedValue[] = metadatas.map((one) => ({
  about: shown(one),
  schema: anyText,
  whole: schemaOf(anyText),
  value: 'x',
  metadata: one,
}));

const askedOf = (
  topic: string,
  cases: readonly NamedValue[],
  describe: (one: NamedValue) => string,
) =>
  table<NamedValue, Recorded>({
    topic,
    cases,
    describe,
    ask: async (client, cases) => {
      const verdicts = await serverValues(client, cases);
      return verdicts.map((verdict, i) => recorded(verdict, cases[i]!.value));
    },
    disagreement({ whole, value, metadata }, server) {
      const ours = ourVerdict(whole, objectOf(value, metadata));
      return difference(ours, restored(server, value));
    },
  });

const changes: readonly AskedChange[] = [...transitions, ...tightened].flatMap((change) =>
  change.after.map((value) => ({ change, value })),
);

export const admissionTables = [
  askedOf('schema/admission/values', values, ({ about, value }) => `${about}: ${shown(value)}`),
  askedOf('schema/admission/metadata', metadata, ({ about }) => about),
  table<AskedChange, Recorded>({
    topic: 'schema/admission/changes',
    cases: changes,
    describe: ({ change: { about, before }, value }) =>
      `${about}: ${shown(before)} to ${shown(value)}`,
    ask: async (client, cases) => {
      const verdicts = await serverChanges(client, cases);
      return verdicts.map((verdict, i) => recorded(verdict, cases[i]!.value));
    },
    disagreement({ change, value }, server) {
      const { isAccepted, blamed, messages } = ourVerdict(
        schemaOf(change.schema),
        objectOf(value),
        objectOf(change.before),
      );
      const theirs = restored(server, value);
      const agree =
        isAccepted === theirs.isAccepted && blamed.every((field) => isBlamed(field, theirs.blamed));
      return agree ? undefined : { messages, server };
    },
  }),
];
