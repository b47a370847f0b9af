import { A_DNS_1035_LABEL, isDns1035Label } from '../../../kube/names.ts';
import { didYouMean, nearest } from '../../../kube/problem.ts';
import { A_VERSION, parseVersion } from '../../../kube/semver.ts';
import { A_MAIL_ADDRESS, isMailAddress } from '../../../olm/mail/address.ts';
import { AN_IMAGE, isImage } from '../../../olm/image/reference.ts';
import { capabilities, categories } from '../import/words.ts';

/** What has to be known for a new bundle, under the names of its flags. */
export interface BundleAnswers {
  readonly package: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly image: string;
  readonly channels: readonly string[];
  /** `Name <address>`. */
  readonly maintainers: readonly string[];
  readonly provider: string;
  readonly capabilities: string;
  readonly categories: readonly string[];
  readonly minKubeVersion: string;
}

/** Something that is asked for a new bundle. */
export interface BundleQuestion {
  readonly key: keyof BundleAnswers;
  readonly flag: string;
  readonly asks: string;
  readonly example: string;
  /** What holds where nothing is answered. */
  readonly otherwise?: string;
  /** Whether there are several, with commas between. */
  readonly isList: boolean;
  /** What one of them must be, where it is not: `must be ...`. */
  readonly wrong: (text: string) => string | undefined;
}

/** In the order in which they are asked. */
export const bundleQuestions: readonly BundleQuestion[] = [
  one('package', '--package', 'Name of the package', 'shops', (text) =>
    isDns1035Label(text) ? undefined : A_DNS_1035_LABEL,
  ),
  one('displayName', '--display-name', 'Name that people read', 'Shops', said),
  one('description', '--description', 'What it does, in Markdown', 'Runs shops.', said),
  { ...one('version', '--operator-version', 'Version', '1.0.0', version), otherwise: '0.1.0' },
  one('image', '--image', 'Image of the operator', 'quay.io/example/shops:1.0.0', (text) =>
    isImage(text) && !text.endsWith(':latest') ? undefined : AN_IMAGE,
  ),
  {
    ...many('channels', '--channel', 'Channels', 'candidate, stable', channel),
    otherwise: 'stable',
  },
  many('maintainers', '--maintainer', 'Maintainers', 'Shops <shops@example.com>', maintainer),
  one('provider', '--provider', 'Who stands behind it', 'Example', said),
  {
    ...one('capabilities', '--capabilities', 'What it can do', 'Basic Install', word(capabilities)),
    otherwise: 'Basic Install',
  },
  many('categories', '--category', 'Categories', 'Database', word(categories)),
  {
    ...one('minKubeVersion', '--min-kube-version', 'Oldest Kubernetes', '1.30.0', version),
    otherwise: '1.30.0',
  },
];

type Wrong = (text: string) => string | undefined;

function one(key: keyof BundleAnswers, flag: string, asks: string, example: string, wrong: Wrong) {
  return { key, flag, asks, example, isList: false, wrong };
}

function many(key: keyof BundleAnswers, flag: string, asks: string, example: string, wrong: Wrong) {
  return { ...one(key, flag, asks, example, wrong), isList: true };
}

function said(text: string): string | undefined {
  return text.trim() === '' ? 'a text' : undefined;
}

function version(text: string): string | undefined {
  return parseVersion(text) ? undefined : A_VERSION;
}

function channel(text: string): string | undefined {
  return /^[A-Za-z0-9][\w.-]*$/.test(text) ? undefined : "a channel such as 'stable'";
}

function maintainer(text: string): string | undefined {
  const { name, email } = maintainerOf(text);
  return name !== '' && isMailAddress(email) ? undefined : `a name and ${A_MAIL_ADDRESS} in '<>'`;
}

/** The parts of `Name <address>`. */
export function maintainerOf(text: string): { readonly name: string; readonly email: string } {
  const [, name = '', email = ''] = /^([^<]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  return { name: name.trim(), email: email.trim() };
}

function word(known: Readonly<Record<string, true>>): Wrong {
  const words = Object.keys(known);
  return (text) =>
    words.includes(text)
      ? undefined
      : `one of ${words.join(', ')}${didYouMean(nearest(text, words))}`;
}

/** The items of an answer. */
export function itemsOf(question: BundleQuestion, text: string): readonly string[] {
  if (!question.isList) return [text.trim()];
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}
