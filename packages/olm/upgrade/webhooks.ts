import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';
import type { WebhookDefinition } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import {
  defineUpgradeRules,
  type ChangeReporter,
  type UpgradeCheck,
  type UpgradeFacts,
} from './upgrade-check.ts';

type Webhook = Decoded<WebhookDefinition>;

const rules = defineUpgradeRules('webhooks', {
  added: ['webhook-added', 'review', 'a further webhook is called'],
  removed: [
    'webhook-removed',
    'review',
    'a webhook is removed: requests that it refused are accepted, and values that it filled in are missing',
  ],
  policy: [
    'webhook-failure-policy',
    'review',
    'the failure policy of a webhook changes: while it does not answer, `Fail` refuses requests and `Ignore` lets them pass unchecked',
  ],
  requests: [
    'webhook-rules',
    'review',
    'a webhook is called for other requests: `rules`, `objectSelector` or `matchPolicy` changes',
  ],
  changed: ['webhook-changed', 'fine', 'the address or the settings of a webhook change'],
});

const types: Readonly<Record<string, string>> = {
  ValidatingAdmissionWebhook: 'validates',
  MutatingAdmissionWebhook: 'changes',
};

/** The rules for admission webhooks. The rules of definitions cover conversion webhooks. */
export const webhooksCheck: UpgradeCheck<UpgradeFacts> = {
  rules: Object.values(rules),
  compare(before, after, report) {
    const [olds, news] = [byKey(before), byKey(after)];
    for (const key of [...new Set([...olds.keys(), ...news.keys()])].toSorted()) {
      const [gone, come] = differing(olds.get(key) ?? [], news.get(key) ?? []);
      const pairs = Math.min(gone.length, come.length);
      for (let i = 0; i < pairs; i += 1) compareOne(gone[i]!, come[i]!, report);
      for (const one of gone.slice(pairs)) {
        const message = `no longer ${describeEffect(one)} requests`;
        report(rules.removed, nameOf(one), message, { before: one });
      }
      for (const one of come.slice(pairs)) {
        const policy = policyOf(one);
        const message = `${describeEffect(one)} ${requestWords(one)}, failurePolicy ${policy}`;
        report(rules.added, nameOf(one), message, { after: one });
      }
    }
  },
};

function byKey({ spec }: UpgradeFacts): Map<string, Webhook[]> {
  const admission = (spec.webhookdefinitions ?? []).filter(
    ({ type }) => type !== 'ConversionWebhook',
  );
  return Map.groupBy(admission, ({ type = '', generateName = '' }) => `${generateName} ${type}`);
}

/** Returns the webhooks of each list that the other does not have, with their multiplicity. */
function differing(olds: readonly Webhook[], news: readonly Webhook[]): [Webhook[], Webhook[]] {
  return [subtractWebhooks(olds, news), subtractWebhooks(news, olds)];
}

function subtractWebhooks(all: readonly Webhook[], others: readonly Webhook[]): Webhook[] {
  const left = new Map<string, number>();
  for (const one of others.map(formatCanonicalJson)) left.set(one, (left.get(one) ?? 0) + 1);
  return all.filter((one) => {
    const key = formatCanonicalJson(one);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function compareOne(before: Webhook, after: Webhook, report: ChangeReporter): void {
  const subject = nameOf(after);
  const [from, to] = [policyOf(before), policyOf(after)];
  if (from !== to) {
    const what =
      to === 'Fail'
        ? 'requests are refused while it does not answer'
        : 'requests pass unchecked while it does not answer';
    const message = `failurePolicy was ${from}, and is ${to}: ${what}`;
    report(rules.policy, subject, message, { before: from, after: to });
  }
  const [a, b] = [pickMatchFields(before), pickMatchFields(after)];
  if (!isDeepEqual(a, b)) {
    const message = `it is called for ${requestWords(after)} now, and was called for ${requestWords(before)}`;
    report(rules.requests, subject, message, { before: a, after: b });
  }
  const [c, d] = [omitComparedFields(before), omitComparedFields(after)];
  if (isDeepEqual(c, d)) return;
  const fields = [...new Set([...Object.keys(c), ...Object.keys(d)])];
  const others = fields.filter((field) => !isDeepEqual(c[field], d[field])).toSorted();
  report(rules.changed, subject, `another ${others.join(', ')}`, { before: c, after: d });
}

function pickMatchFields({
  rules = [],
  objectSelector = {},
  matchPolicy = 'Equivalent',
}: Webhook): object {
  return { rules, objectSelector, matchPolicy };
}

function omitComparedFields(webhook: Webhook): Readonly<Record<string, unknown>> {
  const { rules: _, objectSelector: _1, matchPolicy: _2, failurePolicy: _3, ...rest } = webhook;
  return rest;
}

function policyOf({ failurePolicy = 'Fail' }: Webhook): string {
  return failurePolicy;
}

function describeEffect({ type = '' }: Webhook): string {
  return types[type] ?? type;
}

function nameOf({ generateName = '' }: Webhook): string {
  return `webhook ${generateName}`;
}

/** Formats requests: `CREATE, UPDATE of redises.example.com`. */
function requestWords({ rules: matched = [] }: Webhook): string {
  if (matched.length === 0) return 'nothing';
  return matched
    .map(({ operations = [], apiGroups = [], resources = [] }) => {
      const groups = apiGroups.map((group) => (group === '' ? 'core' : group));
      return `${operations.join(', ')} of ${resources.join(', ')} (${groups.join(', ')})`;
    })
    .join('; ');
}
