import { warningAt } from '../findings/tenant-finding.ts';
import { findNearest, type Path } from '@tenantry/kube/problem';
import type { Settings } from '../../crds/settings.ts';
import { NAMESPACE_PLACEHOLDERS } from '../../crds/placeholders.ts';
import {
  fillTextPlaceholders,
  findPlaceholders,
  formatUnknownPlaceholder,
  type PlaceholderValues,
  buildPlaceholderValues,
  type PlaceholderContext,
} from '../placeholders.ts';
import type { MergedSettings, PlaceholderFinding } from './resolved.ts';

/** Receives a finding about a placeholder that could not be filled in. */
type PlaceholderReporter = (unfilled: PlaceholderFinding) => void;

type Texts = Readonly<Record<string, string>>;

/** Fills in what differs between namespaces: names of objects, labels, annotations, contact. */
export class NamespacePlaceholders {
  readonly #meanings: PlaceholderValues;
  readonly #report: PlaceholderReporter;

  constructor(surroundings: PlaceholderContext, report: PlaceholderReporter) {
    this.#meanings = buildPlaceholderValues(surroundings, 'the namespace has no environment');
    this.#report = report;
  }

  /** Fills in a text of a setting whose schema allows no other placeholder. */
  fillText(text: string, setting: Path): string {
    if (!text.includes('{')) return text;
    const { value, findings } = fillTextPlaceholders(text, this.#meanings, setting);
    for (const finding of findings) this.#report({ ...finding, lacksEnvironment: true });
    return value;
  }

  /** Fills in labels, or names by what they are the names of. */
  fillTexts<T extends Texts>(texts: T, setting: Path): T;
  fillTexts(texts: Texts, setting: Path): Texts {
    return mapTexts(texts, (text, key) => this.fillText(text, [...setting, key]));
  }

  /**
   * Fills in texts with any content. Braces around a word that is not a placeholder stay as they are, and a word that
   * was most likely meant as a placeholder is reported.
   */
  fillFreeTexts(texts: Texts, setting: Path): Texts {
    return mapTexts(texts, (text, key) => this.#freeText(text, [...setting, key]));
  }

  #freeText(text: string, setting: Path): string {
    const meanings = new Map(this.#meanings);
    for (const { name } of findPlaceholders(text)) {
      if (meanings.has(name)) continue;
      meanings.set(name, { value: `{${name}}` });
      if (findNearest(name, NAMESPACE_PLACEHOLDERS) === undefined) continue;
      const message = formatUnknownPlaceholder(name, NAMESPACE_PLACEHOLDERS);
      this.#report({
        ...warningAt(setting, message, 'placeholder-misspelt'),
        lacksEnvironment: false,
      });
    }
    const { value, findings } = fillTextPlaceholders(text, meanings, setting);
    for (const finding of findings) this.#report({ ...finding, lacksEnvironment: true });
    return value;
  }
}

function mapTexts(texts: Texts, fill: (text: string, key: string) => string): Texts {
  if (!Object.values(texts).some((text) => text.includes('{'))) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, text.includes('{') ? fill(text, key) : text]),
  );
}

/** Fills in the names of list items that merge by name. Two items that get the same name are merged. */
export function fillNames(settings: Settings, filling: NamespacePlaceholders): Settings {
  const { serviceAccounts, disruptionBudgets } = settings;
  const isPlain = [...(serviceAccounts ?? []), ...(disruptionBudgets ?? [])].every(
    ({ name }) => !name.includes('{'),
  );
  if (isPlain) return settings;
  return {
    ...settings,
    ...(serviceAccounts && {
      serviceAccounts: serviceAccounts.map((one) => fillName(one, filling, ['serviceAccounts'])),
    }),
    ...(disruptionBudgets && {
      disruptionBudgets: disruptionBudgets.map((one) =>
        fillName(one, filling, ['disruptionBudgets']),
      ),
    }),
  };
}

function fillName<T extends { readonly name: string }>(
  one: T,
  filling: NamespacePlaceholders,
  setting: Path,
): T {
  return { ...one, name: filling.fillText(one.name, setting) };
}

type FillableSettings = Pick<
  MergedSettings,
  | 'labels'
  | 'annotations'
  | 'contact'
  | 'quota'
  | 'limits'
  | 'network'
  | 'grants'
  | 'serviceAccounts'
>;

/** Fills in all settings of a namespace, so that all rules see what is rendered. */
export function fillSettings<T extends FillableSettings>(
  settings: T,
  filling: NamespacePlaceholders,
): T {
  const { labels, annotations, contact, quota, limits, network } = settings;
  return {
    ...settings,
    labels: filling.fillTexts(labels, ['labels']),
    annotations: filling.fillFreeTexts(annotations, ['annotations']),
    contact: filling.fillFreeTexts(contact, ['contact']),
    quota: { ...quota, name: filling.fillText(quota.name, ['quota', 'name']) },
    limits: { ...limits, name: filling.fillText(limits.name, ['limits', 'name']) },
    network: {
      ...network,
      policyNames: filling.fillTexts(network.policyNames, ['network', 'policyNames']),
    },
    grants: settings.grants.map(({ bindingName, ...grant }) => ({
      ...grant,
      ...(bindingName !== undefined && { bindingName: filling.fillText(bindingName, ['access']) }),
    })),
    serviceAccounts: settings.serviceAccounts.map((account) => ({
      ...account,
      ...(account.labels && { labels: filling.fillTexts(account.labels, ['serviceAccounts']) }),
      ...(account.annotations && {
        annotations: filling.fillFreeTexts(account.annotations, ['serviceAccounts']),
      }),
    })),
  };
}
