import type { JSONSchemaProps, ValidationRule } from '@tenantry/crd/schema/json-schema';
import { shown, table } from '../../table.ts';
import { agrees, serverVerdicts } from './evaluation.ts';
import { isChecked, ourAnswer, ourRefusal } from './ours.ts';
import { brokenRules, soundRules, subject, wholeRules } from './rules.ts';
import { refusesRule } from './server.ts';
import { cases, type Case } from './values.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';

interface RuleCase {
  readonly rule: ValidationRule;
  readonly schema: JSONSchemaProps;
  /** What is expected of both sides. */
  readonly sound: boolean;
}

const describeRule = ({ rule, ...rest }: ValidationRule): string =>
  Object.keys(rest).length === 0 ? rule : shown({ rule, ...rest });

const rules: readonly RuleCase[] = [
  ...soundRules.map((rule) => ({ rule: { rule }, schema: subject, sound: true })),
  ...brokenRules.map((rule) => ({ rule: { rule }, schema: subject, sound: false })),
  ...wholeRules.map(({ rule, sound }) => ({ rule, schema: subject, sound })),
  ...cases.map(({ rule, schema }) => ({ rule, schema, sound: true })),
];

export const celTables = [
  table<RuleCase, 'sound' | 'broken'>({
    topic: 'schema/cel/rules',
    cases: rules,
    describe: ({ rule }) => describeRule(rule),
    ask: (client, cases) =>
      mapConcurrently(cases, async ({ rule, schema }) => {
        const refused = await refusesRule(client, rule, schema);
        return refused === undefined ? 'sound' : 'broken';
      }),
    disagreement({ rule, schema, sound }, server) {
      const ours = ourRefusal(rule, schema);
      const isSound = ours === undefined;
      const agree = isChecked(rule, schema) && isSound === sound && sound === (server === 'sound');
      return agree ? undefined : { ours, sound, server };
    },
  }),
  table<Case, 'takes' | readonly string[]>({
    topic: 'schema/cel/values',
    cases,
    describe: ({ rule, value, old }) =>
      [
        describeRule(rule),
        'of',
        shown(value),
        ...(old === undefined ? [] : ['after', shown(old)]),
      ].join(' '),
    ask: async (client, cases) =>
      (await serverVerdicts(client, cases)).map((refusals) => refusals ?? 'takes'),
    disagreement({ rule, schema, value, old }, server) {
      const ours = ourAnswer(rule, schema, value, old);
      return agrees(ours, server === 'takes' ? undefined : server) ? undefined : { ours, server };
    },
  }),
];
