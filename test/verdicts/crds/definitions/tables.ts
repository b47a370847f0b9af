import type { Finding } from '@tenantry/kube/finding';
import { table, type Verdict } from '../../table.ts';
import { definitionOf, type DefinitionCase } from './case.ts';
import { conversionCases } from './conversion.ts';
import { costCases } from './costs.ts';
import { defaultCases } from './defaults.ts';
import { nameCases } from './names.ts';
import { ourVerdict, ourVerdictOfUpdate } from './ours.ts';
import { ruleCases } from './rules.ts';
import { schemaCases } from './schemas.ts';
import { askServer, isNamed, type ServerVerdict } from './server.ts';
import { manifestOf, storedManifest, updateCases, type UpdateCase } from './updates.ts';
import { serverUpdates } from './updating.ts';
import { versionCases } from './versions.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';

const topics: Readonly<Record<string, readonly DefinitionCase[]>> = {
  names: nameCases,
  versions: versionCases,
  conversion: conversionCases,
  schemas: schemaCases,
  defaults: defaultCases,
  rules: ruleCases,
  costs: costCases,
};

const recorded = ({ accepted, paths }: ServerVerdict): Verdict =>
  accepted ? 'takes' : { refuses: paths };

/** Lists the paths that the API server reports, and Tenantry does not. */
function unnamed(server: Verdict, findings: readonly Finding[]): string[] {
  if (server === 'takes') return [];
  const paths = findings.map(({ path }) => path);
  return server.refuses.filter((path) => !isNamed(path, paths));
}

const holds = (findings: readonly Finding[], wanted: string): boolean =>
  findings.some(({ rule }) => rule === wanted);

function wrongParts(parts: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(parts).flatMap(([what, isAsExpected]) => (isAsExpected ? [] : [what]));
}

/** Returns the parts of a case that differ from its expectations; undefined if there are none. */
function disagreement({ rule, changes, unlike }: DefinitionCase, server: Verdict) {
  const { errors, notChecked } = ourVerdict(definitionOf(changes));
  const isOpen = unlike === 'not checked here';
  const wrong = wrongParts({
    'our verdict': (errors.length === 0) === (rule === undefined || isOpen),
    'what is left open': (errors.length === 0 && notChecked.length > 0) === isOpen,
    'our rule': rule === undefined || holds(isOpen ? notChecked : errors, rule),
    "the server's verdict":
      (server === 'takes') === (rule === undefined || unlike === 'refused here alone'),
    'the paths': unnamed(server, [...errors, ...notChecked]).length === 0,
  });
  return wrong.length > 0 ? { wrong, errors, notChecked, server } : undefined;
}

const GROUP = 'update.example.com';

function disagreementOnUpdate({ stored, rule, changes }: UpdateCase, server: Verdict) {
  const { errors, notChecked } = ourVerdictOfUpdate(
    storedManifest(stored, GROUP),
    manifestOf(stored, GROUP, changes),
    stored.established,
  );
  const wrong = wrongParts({
    'our verdict': (errors.length === 0) === (rule === undefined),
    'our rule': rule === undefined || holds(errors, rule),
    "the server's verdict": (server === 'takes') === (rule === undefined),
    'the paths': unnamed(server, [...errors, ...notChecked]).length === 0,
  });
  return wrong.length > 0 ? { wrong, errors, notChecked, server } : undefined;
}

export const definitionTables = [
  ...Object.entries(topics).map(([topic, cases]) =>
    table<DefinitionCase, Verdict>({
      topic: `crds/definitions/${topic}`,
      cases,
      describe: ({ title }) => title,
      ask: (client, cases) =>
        mapConcurrently(cases, async ({ changes }) =>
          recorded(await askServer(client, definitionOf(changes))),
        ),
      disagreement,
    }),
  ),
  table<UpdateCase, Verdict>({
    topic: 'crds/definitions/updates',
    cases: updateCases,
    describe: ({ title }) => title,
    ask: async (client, cases) => (await serverUpdates(client, cases)).map(recorded),
    disagreement: disagreementOnUpdate,
  }),
];
