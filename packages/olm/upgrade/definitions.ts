import {
  compareDefinitionSets,
  type Change,
  type DefinitionComparison,
} from '@tenantry/crd/compatibility';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { readDefinitions } from '@tenantry/crd/manifests';
import { formatProblem } from '@tenantry/kube/problem';
import { formatCanonicalJson } from '@tenantry/kube/json';
import type { Bundle, BundleManifest } from '../bundle/bundle.ts';
import type { Decoded } from '../bundle/decoded.ts';
import type { WebhookDefinition } from '../bundle/cluster-service-version.ts';
import { defineUpgradeRules, type UpgradeChange, type UpgradeVerdict } from './upgrade-check.ts';

const rules = defineUpgradeRules('definitions', {
  unread: [
    'definition-unread',
    'review',
    'a CustomResourceDefinition changed and cannot be compared: it is of `apiextensions.k8s.io/v1beta1`, or the API server could not read it',
  ],
  stored: [
    'stored-version',
    'review',
    'a version is removed in which objects may be stored: OLM refuses the upgrade if `status.storedVersions` of the cluster contains it',
  ],
  gone: [
    'definition-removed',
    'breaking',
    'the kind is removed: deleting its definition deletes all its objects',
  ],
});

/** The rules of definitions that `crd diff` does not have, or judges differently. */
export const definitionRules = Object.values(rules);

const verdicts: Readonly<Record<Change['verdict'], UpgradeVerdict>> = {
  breaking: 'breaking',
  unknown: 'review',
  compatible: 'fine',
};

/**
 * Compares the definitions of two bundles as `crd diff` does. Their conversion is as OLM sets it up, by the webhooks of
 * the ClusterServiceVersion.
 */
export function compareBundleDefinitions(before: Bundle, after: Bundle): UpgradeChange[] {
  const [olds, news] = [indexDefinitions(before), indexDefinitions(after)];
  const unread = new Set(
    [...olds, ...news].filter(([, one]) => !one.manifest).map(([name]) => name),
  );
  const readable = (all: Definitions): CustomResourceDefinitionManifest[] =>
    [...all].flatMap(([name, { manifest }]) => (manifest && !unread.has(name) ? [manifest] : []));
  const compared = compareDefinitionSets(
    readable(olds).map((manifest) => ({ manifest })),
    readable(news),
  );
  const changes = compared.flatMap(listChanges);
  for (const name of [...unread].toSorted())
    changes.push(...reportUnreadDefinition(name, olds, news));
  return changes.toSorted((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0));
}

function listChanges({ name, changes, notChecked }: DefinitionComparison): UpgradeChange[] {
  const subject = name;
  const judged = changes.map(
    ({ version, path, verdict, rule, message, ...rest }): UpgradeChange => {
      const place = [version, path].filter(Boolean).join(' ');
      const { before, after } = rest;
      return {
        area: 'definitions',
        verdict: verdicts[verdict],
        rule,
        subject,
        message: place === '' ? message : `${place}: ${message}`,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      };
    },
  );
  // The effect of a conversion webhook is unknown, as it was before.
  const stored = notChecked.filter(({ rule }) => rule === 'stored-version');
  return [
    ...judged,
    ...stored.map(({ message }) => ({
      area: 'definitions' as const,
      verdict: 'review' as const,
      rule: rules.stored.id,
      subject,
      message: `must be migrated before: it is not known ${message}`,
    })),
  ];
}

interface ReadDefinition {
  readonly value: BundleManifest['value'];
  /** Absent if it cannot be read. */
  readonly manifest?: CustomResourceDefinitionManifest;
  readonly why?: string;
}

type Definitions = ReadonlyMap<string, ReadDefinition>;

function indexDefinitions(bundle: Bundle): Definitions {
  const conversions = indexConversions(bundle);
  const found = new Map<string, ReadDefinition>();
  for (const { kind, name, file, value } of bundle.manifests) {
    if (kind !== 'CustomResourceDefinition') continue;
    const { definitions, problems } = readDefinitions(file, JSON.stringify(value));
    const [definition] = definitions;
    const [problem] = problems;
    if (!definition || problem) {
      found.set(name, {
        value,
        why: problem ? formatProblem(problem) : 'it is not a CustomResourceDefinition',
      });
      continue;
    }
    const conversion = conversions.get(name);
    const { manifest } = definition;
    const whole = conversion
      ? { ...manifest, spec: { ...manifest.spec, conversion: conversionBy(conversion) } }
      : manifest;
    found.set(name, { value, manifest: whole });
  }
  return found;
}

type Webhook = Decoded<WebhookDefinition>;

/** Returns the conversion webhooks by the name of the definition. */
function indexConversions({ csv }: Bundle): ReadonlyMap<string, Webhook> {
  const webhooks = csv?.value.spec?.webhookdefinitions ?? [];
  return new Map(
    webhooks
      .filter(({ type }) => type === 'ConversionWebhook')
      .flatMap((webhook) => (webhook.conversionCRDs ?? []).map((name) => [name, webhook] as const)),
  );
}

/**
 * Builds the conversion as OLM writes it into a definition. The Service is named after the Deployment; the namespace,
 * which is that of the operator, is left out.
 */
function conversionBy({
  admissionReviewVersions: conversionReviewVersions = [],
  deploymentName = '',
  webhookPath = '/',
  containerPort = 443,
}: Webhook): CustomResourceDefinitionManifest['spec']['conversion'] & object {
  const name = `${deploymentName.replaceAll('.', '-') || 'operator'}-service`;
  const service = { namespace: 'operator', name, path: webhookPath, port: containerPort };
  return { strategy: 'Webhook', webhook: { clientConfig: { service }, conversionReviewVersions } };
}

function reportUnreadDefinition(
  name: string,
  olds: Definitions,
  news: Definitions,
): UpgradeChange[] {
  const [old, now] = [olds.get(name), news.get(name)];
  const area = 'definitions';
  if (old && !now) {
    const message = 'the kind is removed: deleting its definition deletes all its objects';
    const { id: rule, verdict } = rules.gone;
    return [{ area, verdict, rule, subject: name, message }];
  }
  if (old && now && formatCanonicalJson(old.value) === formatCanonicalJson(now.value)) return [];
  const why = now?.why ?? old?.why ?? '';
  const message = `${now?.why === undefined ? 'OLD' : 'NEW'} cannot be compared: ${why}`;
  const { id: rule, verdict } = rules.unread;
  const unread: UpgradeChange = { area, verdict, rule, subject: name, message };
  if (old) return [unread];
  const added = { verdict: 'fine', rule: 'definition-added', message: 'the kind is new' } as const;
  return [unread, { area, subject: name, ...added }];
}
