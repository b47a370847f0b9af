import type { ImportedModule } from '@tenantry/crd/import';
import { A_DNS_1035_LABEL, isDns1035Label } from '@tenantry/kube/names';
import { didYouMean, findNearest } from '@tenantry/kube/problem';
import { A_VERSION, parseVersion } from '@tenantry/kube/semver';
import { A_MAIL_ADDRESS, isMailAddress } from '../../rules/presentation.ts';
import { AN_IMAGE, isImage } from '../../image/reference.ts';
import { capabilities, categories } from '../import/spec-props.ts';
import {
  Identifier,
  renderImports,
  renderLiteral,
  resolveImportNames,
  type TypeScriptFile,
} from '../import/modules.ts';

/** The answers that a new bundle needs, under the names of their flags. */
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

/** A question about a new bundle. */
export interface BundleQuestion {
  readonly key: keyof BundleAnswers;
  readonly flag: string;
  /** The words that a person sees. */
  readonly prompt: string;
  readonly example: string;
  /** The default answer. */
  readonly otherwise?: string;
  /** Whether the answer is a comma-separated list. */
  readonly isList: boolean;
  /** Returns what an invalid item must be, as in `must be ...`; undefined for a valid one. */
  readonly wrong: (text: string) => string | undefined;
}

/** The questions, in the order of the prompts. */
export const bundleQuestions: readonly BundleQuestion[] = [
  defineQuestion('package', '--package', 'Name of the package', 'shops', (text) =>
    isDns1035Label(text) ? undefined : A_DNS_1035_LABEL,
  ),
  defineQuestion('displayName', '--display-name', 'Display name', 'Shops', requireText),
  defineQuestion(
    'description',
    '--description',
    'Description in Markdown',
    'Runs shops.',
    requireText,
  ),
  {
    ...defineQuestion('version', '--operator-version', 'Version', '1.0.0', requireVersion),
    otherwise: '0.1.0',
  },
  defineQuestion(
    'image',
    '--image',
    'Image of the operator',
    'quay.io/example/shops:1.0.0',
    (text) => (isImage(text) && !text.endsWith(':latest') ? undefined : AN_IMAGE),
  ),
  {
    ...defineListQuestion('channels', '--channel', 'Channels', 'candidate, stable', requireChannel),
    otherwise: 'stable',
  },
  defineListQuestion(
    'maintainers',
    '--maintainer',
    'Maintainers',
    'Shops <shops@example.com>',
    requireMaintainer,
  ),
  defineQuestion('provider', '--provider', 'Name of the provider', 'Example', requireText),
  {
    ...defineQuestion(
      'capabilities',
      '--capabilities',
      'Capability level',
      'Basic Install',
      requireOneOf(capabilities),
    ),
    otherwise: 'Basic Install',
  },
  defineListQuestion(
    'categories',
    '--category',
    'Categories',
    'Database',
    requireOneOf(categories),
  ),
  {
    ...defineQuestion(
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

function defineQuestion(
  key: keyof BundleAnswers,
  flag: string,
  prompt: string,
  example: string,
  wrong: AnswerCheck,
) {
  return { key, flag, prompt, example, isList: false, wrong };
}

function defineListQuestion(
  key: keyof BundleAnswers,
  flag: string,
  prompt: string,
  example: string,
  wrong: AnswerCheck,
) {
  return { ...defineQuestion(key, flag, prompt, example, wrong), isList: true };
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

/** Parses `Name <address>`. */
function parseMaintainer(text: string): { readonly name: string; readonly email: string } {
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

/** Splits an answer into its items. */
export function parseItems(question: BundleQuestion, text: string): readonly string[] {
  if (!question.isList) return [text.trim()];
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/**
 * Renders a starting program for a new bundle and its catalog, to be edited by hand.
 * @param modules of its definitions, as `crd import` writes them
 */
export function renderNewProgram(
  answers: BundleAnswers,
  modules: readonly ImportedModule[],
): readonly TypeScriptFile[] {
  const named = modules.map(({ definition: name, path }) => ({ name, path }));
  const names = resolveImportNames(named);
  const operator = {
    name: answers.package,
    version: answers.version,
    image: answers.image,
    ...(modules.length > 0 && { owned: named.map((one) => new Identifier(names.get(one)!)) }),
    access: modules.flatMap(buildKindAccess),
  };
  const bundle = {
    operator: new Identifier('operator'),
    displayName: answers.displayName,
    description: answers.description,
    maintainers: answers.maintainers.map(parseMaintainer),
    provider: { name: answers.provider },
    minKubeVersion: answers.minKubeVersion,
    channels: answers.channels,
    ...(answers.channels.length > 1 && { defaultChannel: answers.channels.at(-1) }),
    capabilities: answers.capabilities,
    categories: answers.categories,
  };
  return [
    ...modules.map(({ path, text }) => ({ path: `definitions/${path}`, text })),
    {
      path: 'operator.ts',
      text: `import type { OperatorSpec } from '@tenantry/operator-kit';
${renderImports(names)
  .map((line) => `${line}\n`)
  .join('')}
/** What runs, and what it may do: \`access\` is that of its controllers, to which belongs what they make. */
${renderConstant('operator', 'OperatorSpec', operator)}`,
    },
    {
      path: 'bundle.ts',
      text: `import type { BundleProps } from '@tenantry/olm/constructs';
import { operator } from './operator.ts';

/** The metadata of the bundle, for OLM and for people. */
${renderConstant('bundle', 'BundleProps', bundle)}`,
    },
    { path: 'app.ts', text: renderApp(answers) },
  ];
}

function renderConstant(name: string, type: string, value: object): string {
  const head = `export const ${name}: ${type} = `;
  return `${head}${renderLiteral(value, head.length, '')};\n`;
}

/** Builds the rights to the operator's own kinds: it reads the objects and writes their status. */
function buildKindAccess({ path }: ImportedModule): object[] {
  const [group = '', file = ''] = path.split('/');
  const resource = file.replace(/\.ts$/, '');
  return [
    { group, resource, verbs: ['get', 'list', 'watch'] },
    { group, resource: `${resource}/status`, verbs: ['patch'] },
  ];
}

function renderApp({ image }: BundleAnswers): string {
  const bundles = `${image.replace(/@.*$/, '').replace(/:[^:/]*$/, '')}-bundle:v{version}`;
  return `import { App } from 'tenantry';
import { Bundle, Catalog } from '@tenantry/olm/constructs';
import { bundle } from './bundle.ts';

const app = new App();
new Catalog(app, 'catalog', {
  bundles: [new Bundle(app, 'bundle', bundle)],
  image: ${renderLiteral(bundles, 9, '  ')},
});
app.synth();
`;
}
