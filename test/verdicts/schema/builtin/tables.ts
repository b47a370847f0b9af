import { validateBuiltinObject } from '@tenantry/crd/schema/builtin-object';
import type { KubeObject } from '@tenantry/kube/object';
import { formatFinding } from '@tenantry/kube/finding';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import { shown, table } from '../../table.ts';
import { builtinObjects } from './objects.ts';

/** The results of decoding the object, of a create request and of an apply request. */
interface Reading {
  readonly create: Answer;
  readonly apply: Answer;
}

/** `none`: the kind is not served. Only whether the object was decoded is recorded. */
type Answer = 'reads' | 'refuses' | 'none';

const options = { dryRun: true, fieldValidation: 'Strict' } as const;

async function readingOf(client: Client, object: Body): Promise<Reading> {
  return {
    create: answerOf(await client.create(object, options)),
    apply: answerOf(await client.apply(object, { ...options, fieldManager: 'a', force: true })),
  };
}

/** Classifies an answer: undecodable objects are bad requests, and objects that rules or admission refuse are not. */
function answerOf({ status }: Reply): Answer {
  if (status === 404) return 'none';
  return status === 400 || status === 500 ? 'refuses' : 'reads';
}

/** Objects of Kubernetes' own kinds that an API server cannot decode under strict field validation. */
export const builtinTables = [
  table<Body, Reading>({
    topic: 'schema/builtin/objects',
    cases: builtinObjects,
    describe({ apiVersion, kind, ...fields }) {
      const { metadata, ...rest } = fields;
      const isPlain = Object.keys(metadata ?? {}).join() === 'name,namespace';
      return `${apiVersion} ${kind} ${shown(isPlain ? rest : fields)}`;
    },
    async ask(client, cases) {
      const answers: Reading[] = [];
      for (const object of cases) answers.push(await readingOf(client, object));
      return answers;
    },
    disagreement(object, server) {
      const faults = validateBuiltinObject(object as unknown as KubeObject);
      const ours = faults === undefined ? 'none' : faults.length > 0 ? 'refuses' : 'reads';
      // Server-side apply truncates numbers that do not fit, and accepts no list for bytes.
      const isRefused = ours === 'refuses' && server.apply === 'refuses';
      const agree = ours === server.create || isRefused;
      return agree ? undefined : { ours, messages: faults?.map(formatFinding), server };
    },
  }),
];
