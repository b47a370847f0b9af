import { expect } from '@jest/globals';
import { compileRule } from '../../schema/cel/rule.ts';
import type { ValidationRule } from '../../schema/jsonschema.ts';
import { sharedCluster } from '../control-plane/shared.ts';
import { brokenRules, soundRules, subject, wholeRules } from './cel-rules.ts';
import { definition, serverRefuses } from './cel-server.ts';

const given = await sharedCluster();
const { test } = given;

/** Both verdicts on rules of the subject, where they differ or ours is none. */
async function disagreements(rules: readonly ValidationRule[]) {
  const found: unknown[] = [];
  for (const rule of rules) {
    const { errors, notChecked } = compileRule(rule, subject);
    const crd = definition('subject', {
      spec: { ...subject, 'x-kubernetes-validations': [rule] },
    });
    const server = await serverRefuses(given.cluster.admin, crd);
    const ours = errors[0]?.message;
    if (notChecked !== undefined) found.push({ rule, notChecked, server });
    else if ((ours === undefined) !== (server === undefined)) found.push({ rule, ours, server });
  }
  return found;
}

const plain = (rules: readonly string[]) => rules.map((rule) => ({ rule }));

test('every rule that the API server takes is sound to us', async () => {
  expect(await disagreements(plain(soundRules))).toEqual([]);
  expect(soundRules.filter((rule) => compileRule({ rule }, subject).errors.length > 0)).toEqual([]);
});

test('every rule that the API server refuses is broken to us', async () => {
  expect(await disagreements(plain(brokenRules))).toEqual([]);
});

test('messages, reasons and paths of rules are refused as the API server refuses them', async () => {
  expect(await disagreements(wholeRules.map(({ rule }) => rule))).toEqual([]);
  const verdicts = wholeRules.map(({ rule }) => compileRule(rule, subject).errors);
  expect(verdicts.map((errors) => errors.length === 0)).toEqual(
    wholeRules.map(({ sound }) => sound),
  );
});
