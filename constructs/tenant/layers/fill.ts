import { warningAt, type Finding } from '../../../kube/finding.ts';
import { nearest, type Path } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';
import { NAMESPACE_PLACEHOLDERS } from '../../../crds/tenantry/placeholders.ts';
import { fillText, placeholdersIn, unknownPlaceholder, type Meanings } from '../placeholders.ts';
import { surroundingMeanings, type Surroundings } from '../surroundings.ts';
import type { Merged } from './merged.ts';

/** Something that was not as it must be when a setting was filled in; its path is the setting's. */
export type Unfilled = Finding & {
  /** Not the text is wrong, but the namespace, which has no environment. */
  readonly lacksEnvironment: boolean;
};

/** Told of it. */
export type TellUnfilled = (unfilled: Unfilled) => void;

type Texts = Readonly<Record<string, string>>;

/** Fills in what is different in each namespace: names of objects, labels, annotations, contact. */
export class Filling {
  readonly #meanings: Meanings;
  readonly #tell: TellUnfilled;

  constructor(surroundings: Surroundings, tell: TellUnfilled) {
    this.#meanings = surroundingMeanings(surroundings, 'the namespace has no environment');
    this.#tell = tell;
  }

  /** A text of a setting whose schema lets no other placeholder in. */
  text(text: string, setting: Path): string {
    if (!text.includes('{')) return text;
    const { value, findings } = fillText(text, this.#meanings, setting);
    for (const finding of findings) this.#tell({ ...finding, lacksEnvironment: true });
    return value;
  }

  /** Labels, or names by what they are the names of. */
  texts<T extends Texts>(texts: T, setting: Path): T;
  texts(texts: Texts, setting: Path): Texts {
    return mapped(texts, (text, key) => this.text(text, [...setting, key]));
  }

  /**
   * Texts that may hold anything: braces around a word that is no placeholder stay as they are, and
   * one that was most likely meant to be a placeholder is told of.
   */
  freeTexts(texts: Texts, setting: Path): Texts {
    return mapped(texts, (text, key) => this.#freeText(text, [...setting, key]));
  }

  #freeText(text: string, setting: Path): string {
    const meanings = new Map(this.#meanings);
    for (const { name } of placeholdersIn(text)) {
      if (meanings.has(name)) continue;
      meanings.set(name, { value: `{${name}}` });
      if (nearest(name, NAMESPACE_PLACEHOLDERS) === undefined) continue;
      const message = unknownPlaceholder(name, NAMESPACE_PLACEHOLDERS);
      this.#tell({
        ...warningAt(setting, message, 'placeholder-misspelt'),
        lacksEnvironment: false,
      });
    }
    const { value, findings } = fillText(text, meanings, setting);
    for (const finding of findings) this.#tell({ ...finding, lacksEnvironment: true });
    return value;
  }
}

function mapped(texts: Texts, fill: (text: string, key: string) => string): Texts {
  if (!Object.values(texts).some((text) => text.includes('{'))) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, text.includes('{') ? fill(text, key) : text]),
  );
}

/** The lists of a layer whose items merge by name, with their names filled in: two that become one merge. */
export function fillNames(settings: Settings, filling: Filling): Settings {
  const { serviceAccounts, disruptionBudgets } = settings;
  const isPlain = [...(serviceAccounts ?? []), ...(disruptionBudgets ?? [])].every(
    ({ name }) => !name.includes('{'),
  );
  if (isPlain) return settings;
  return {
    ...settings,
    ...(serviceAccounts && {
      serviceAccounts: serviceAccounts.map((one) => named(one, filling, ['serviceAccounts'])),
    }),
    ...(disruptionBudgets && {
      disruptionBudgets: disruptionBudgets.map((one) => named(one, filling, ['disruptionBudgets'])),
    }),
  };
}

function named<T extends { readonly name: string }>(one: T, filling: Filling, setting: Path): T {
  return { ...one, name: filling.text(one.name, setting) };
}

type Filled = Pick<
  Merged,
  | 'labels'
  | 'annotations'
  | 'contact'
  | 'quota'
  | 'limits'
  | 'network'
  | 'grants'
  | 'serviceAccounts'
>;

/** The settings of a namespace with everything filled in, so that all rules see what is rendered. */
export function fillSettings<T extends Filled>(settings: T, filling: Filling): T {
  const { labels, annotations, contact, quota, limits, network } = settings;
  return {
    ...settings,
    labels: filling.texts(labels, ['labels']),
    annotations: filling.freeTexts(annotations, ['annotations']),
    contact: filling.freeTexts(contact, ['contact']),
    quota: { ...quota, name: filling.text(quota.name, ['quota', 'name']) },
    limits: { ...limits, name: filling.text(limits.name, ['limits', 'name']) },
    network: {
      ...network,
      policyNames: filling.texts(network.policyNames, ['network', 'policyNames']),
    },
    grants: settings.grants.map(({ bindingName, ...grant }) => ({
      ...grant,
      ...(bindingName !== undefined && { bindingName: filling.text(bindingName, ['access']) }),
    })),
    serviceAccounts: settings.serviceAccounts.map((account) => ({
      ...account,
      ...(account.labels && { labels: filling.texts(account.labels, ['serviceAccounts']) }),
      ...(account.annotations && {
        annotations: filling.freeTexts(account.annotations, ['serviceAccounts']),
      }),
    })),
  };
}
