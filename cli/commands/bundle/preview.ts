import type { Command } from 'commander';
import { choice } from '../../options.ts';
import { InvalidInput } from '@tenantry/kube/problem';
import { createFindingLocator } from '@tenantry/olm/bundle/bundle';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import {
  buildPreview,
  type NamedAddress,
  type Preview,
  type PreviewKind,
  type PreviewRights,
} from '@tenantry/olm/preview/preview';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { paintIf, printJson, printProblems, type Paint } from '../../console-output.ts';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { scopeWords } from '@tenantry/kube/rights/groups';
import { plainText, wrapText } from '@tenantry/olm/preview/plain-text';

/** `tenantry bundle preview`: shows a bundle like a page of a catalog. */
export function configure(command: Command): void {
  command
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'))
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .addHelpText(
      'after',
      `
Prints name, provider, channels, capability level, categories, links, maintainers, the description without
Markdown, kinds with examples, install modes, and a description of the rights of the ServiceAccounts. Rights that
can take over other rights come first, with an exclamation mark. Lines are as wide as the terminal. The bundle is
not validated: see bundle validate.

Examples:
  tenantry bundle preview operators/redis/1.2.3
  tenantry bundle preview layout --output json

Exit codes: 0 done; 1 the bundle cannot be read; 2 internal error.`,
    )
    .action(async (bundle: string, options: PreviewOptions) => {
      process.exitCode = runPreview(bundle, options);
    });
}

/** The command line, as commander gives it. */
export interface PreviewOptions {
  readonly output: 'text' | 'json';
  readonly color: ColorChoice;
}

const COMMAND = 'bundle preview';

/** The width of lines in characters: limits for terminals, and the value for other outputs. */
const WIDTH = { least: 40, usual: 80, most: 100 };

/** Prints a bundle as a catalog shows it. */
export function runPreview(source: string, { output, color }: PreviewOptions): ExitCode {
  const bundle = readBundle(source);
  const colors = resolveColors(color);
  const unread = bundle.faults.filter(({ severity }) => severity === 'error');
  if (unread.length > 0) {
    const { problems } = new InvalidInput(unread.map(createFindingLocator(bundle, source)));
    if (output === 'json') printJson(COMMAND, { outcome: 'refused', problems });
    else printProblems(problems, 'nothing is shown', paintIf(colors.err));
    return 1;
  }
  const preview = buildPreview(bundle);
  if (output === 'json') {
    printJson(COMMAND, { outcome: 'done', preview });
    return 0;
  }
  const columns = (process.stdout.isTTY && process.stdout.columns) || WIDTH.usual;
  const width = Math.min(Math.max(columns, WIDTH.least), WIDTH.most);
  for (const line of previewLines(preview, width, paintIf(colors.out))) console.log(line);
  return 0;
}

const LABEL = 18;

const levels = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
];

/**
 * Formats a bundle for a terminal. Texts of its authors are escaped, so that they cannot control
 * the terminal.
 */
export function previewLines(preview: Preview, width: number, paint: Paint): string[] {
  const { displayName, version, provider, summary } = preview;
  const by = provider === '' ? '' : ` by ${provider}`;
  const sections: (readonly [title: string, lines: readonly string[]])[] = [
    ['', fieldLines(preview, width)],
    ['Description', descriptionLines(preview.description, width, paint)],
    ['Kinds', preview.owned.flatMap((kind) => kindLines(kind, width, paint))],
    [
      'Kinds that must be there',
      preview.required.flatMap((one) => wrapEscapedText(`- ${one}`, width, 0, 2)),
    ],
    ['Webhooks', preview.webhooks.flatMap((one) => wrapEscapedText(`- ${one}`, width, 0, 2))],
    ['What it may do', rightsLines(preview.rights, width, paint)],
  ];
  return [
    paint('bold', escapeForTerminal(`${displayName || preview.name} ${version}${by}`)),
    ...wrapEscapedText(summary, width),
    ...sections.flatMap(([title, lines]) => {
      if (lines.length === 0) return [];
      return ['', ...(title === '' ? [] : [paint('bold', title)]), ...lines];
    }),
  ];
}

/** Wraps foreign text to lines and escapes line breaks and invisible characters. */
function wrapEscapedText(text: string, width: number, indent = 0, hanging = indent): string[] {
  const plain = escapeForTerminal(text.replaceAll(/\s+/g, ' '));
  return wrapText(plain, width, indent, hanging);
}

function fieldLines(preview: Preview, width: number): string[] {
  const { channels, defaultChannel, capability } = preview;
  const level = levels.indexOf(capability) + 1;
  const shown = channels.map((one) => (one === defaultChannel ? `${one} (default)` : one));
  const fields: (readonly [label: string, text: string])[] = [
    ['Package', preview.packageName],
    ['Name', preview.name],
    ['Channels', shown.join(', ')],
    ['Capability level', level === 0 ? capability : `${capability} (${level} of ${levels.length})`],
    ['Categories', preview.categories.join(', ')],
    ['Keywords', preview.keywords.join(', ')],
    ['Kubernetes', preview.minKubeVersion === '' ? '' : `${preview.minKubeVersion} or later`],
    ['Install modes', preview.installModes.join(', ')],
    ['Image', preview.image],
    ['Repository', preview.repository],
    ['Created', preview.createdAt],
    ['Maintainers', addresses(preview.maintainers)],
    ['Links', addresses(preview.links)],
    ['Icon', preview.hasIcon ? '' : 'none'],
  ];
  return fields.flatMap(([label, text]) => {
    if (text === '') return [];
    const [first = '', ...rest] = wrapEscapedText(text, width, LABEL);
    return [label.padEnd(LABEL) + first.slice(LABEL), ...rest];
  });
}

function addresses(all: readonly NamedAddress[]): string {
  return all
    .map(({ name, address }) => (address === '' ? name : `${name} <${address}>`.trimStart()))
    .join(', ');
}

function descriptionLines(markdown: string, width: number, paint: Paint): string[] {
  const lines: string[] = [];
  let last = '';
  for (const { kind, text, indent } of plainText(markdown)) {
    const isTogether = kind === last && (kind === 'item' || kind === 'code');
    if (lines.length > 0 && !isTogether) lines.push('');
    if (kind === 'code') lines.push(' '.repeat(indent) + escapeForTerminal(text));
    else if (kind === 'heading') {
      lines.push(...wrapEscapedText(text, width).map((line) => paint('underline', line)));
    } else
      lines.push(...wrapEscapedText(text, width, indent, kind === 'item' ? indent + 2 : indent));
    last = kind;
  }
  return lines;
}

function kindLines(kind: PreviewKind, width: number, paint: Paint): string[] {
  const { displayName, version, definition, description, example } = kind;
  const head = escapeForTerminal(`${displayName} ${version} (${definition})`);
  const yaml = example ? emitYaml([example]).trimEnd().split('\n') : [];
  return [
    paint('underline', head),
    ...wrapEscapedText(description, width, 2),
    ...yaml.map((line) => `    ${escapeForTerminal(line)}`),
  ];
}

function rightsLines(rights: readonly PreviewRights[], width: number, paint: Paint): string[] {
  const places = Map.groupBy(rights, ({ subject, scope }) => `${subject}, ${scopeWords[scope]}`);
  return [...places].flatMap(([place, all]) => [
    ...wrapEscapedText(`${place}:`, width),
    ...all.flatMap(({ may, power }) => {
      const text = power === undefined ? `- ${may}` : `! ${may}: ${power}`;
      const lines = wrapEscapedText(text, width, 2, 4);
      return power === undefined ? lines : lines.map((line) => paint('yellow', line));
    }),
  ]);
}
