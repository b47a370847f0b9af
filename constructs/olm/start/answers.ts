import { A_DNS_1035_LABEL, isDns1035Label } from '../../../kube/names.ts';
import { didYouMean, findNearest } from '../../../kube/problem.ts';
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
  askOne('package', '--package', 'Name of the package', 'shops', (text) =>
    isDns1035Label(text) ? undefined : A_DNS_1035_LABEL,
  ),
  askOne('displayName', '--display-name', 'Name that people read', 'Shops', requireText),
  askOne('description', '--description', 'What it does, in Markdown', 'Runs shops.', requireText),
  {
    ...askOne('version', '--operator-version', 'Version', '1.0.0', requireVersion),
    otherwise: '0.1.0',
  },
  askOne('image', '--image', 'Image of the operator', 'quay.io/example/shops:1.0.0', (text) =>
    isImage(text) && !text.endsWith(':latest') ? undefined : AN_IMAGE,
  ),
  {
    ...askMany('channels', '--channel', 'Channels', 'candidate, stable', requireChannel),
    otherwise: 'stable',
  },
  askMany(
    'maintainers',
    '--maintainer',
    'Maintainers',
    'Shops <shops@example.com>',
    requireMaintainer,
  ),
  askOne('provider', '--provider', 'Who stands behind it', 'Example', requireText),
  {
    ...askOne(
      'capabilities',
      '--capabilities',
      'What it can do',
      'Basic Install',
      requireOneOf(capabilities),
    ),
    otherwise: 'Basic Install',
  },
  askMany('categories', '--category', 'Categories', 'Database', requireOneOf(categories)),
  {
    ...askOne(
      'minKubeVersion',
      '--min-kube-version',
      'Oldest Kubernetes',
      '1.30.0',
      requireVersion,
    ),
    otherwise: '1.30.0',
  },
];

type AnswerCheck = (text: string) => string | undefined;

function askOne(
  key: keyof BundleAnswers,
  flag: string,
  asks: string,
  example: string,
  wrong: AnswerCheck,
) {
  return { key, flag, asks, example, isList: false, wrong };
}

function askMany(
  key: keyof BundleAnswers,
  flag: string,
  asks: string,
  example: string,
  wrong: AnswerCheck,
) {
  return { ...askOne(key, flag, asks, example, wrong), isList: true };
}

function requireText(text: string): string | undefined {
  return text.trim() === '' ? 'a text' : undefined;
}

function requireVersion(text: string): string | undefined {
  return parseVersion(text) ? undefined : A_VERSION;
}

function requireChannel(text: string): string | undefined {
  return /^[A-Za-z0-9][\w.-]*$/.test(text) ? undefined : "a channel such as 'stable'";
}

function requireMaintainer(text: string): string | undefined {
  const { name, email } = parseMaintainer(text);
  return name !== '' && isMailAddress(email) ? undefined : `a name and ${A_MAIL_ADDRESS} in '<>'`;
}

/** The parts of `Name <address>`. */
export function parseMaintainer(text: string): { readonly name: string; readonly email: string } {
  const [, name = '', email = ''] = /^([^<]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  return { name: name.trim(), email: email.trim() };
}

function requireOneOf(known: Readonly<Record<string, true>>): AnswerCheck {
  const words = Object.keys(known);
  return (text) =>
    words.includes(text)
      ? undefined
      : `one of ${words.join(', ')}${didYouMean(findNearest(text, words))}`;
}

/** The items of an answer. */
export function parseItems(question: BundleQuestion, text: string): readonly string[] {
  if (!question.isList) return [text.trim()];
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}
