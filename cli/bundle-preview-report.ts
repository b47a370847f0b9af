import { escapeForTerminal } from '../kube/printable.ts';
import { emitYaml } from '../kube/yaml/write.ts';
import { scopeWords } from '../olm/permissions/groups.ts';
import { plainText, wrapText } from '../olm/preview/plain-text.ts';
import type { NamedAddress, Preview, PreviewKind, PreviewRights } from '../olm/preview/preview.ts';
import type { Paint } from './words.ts';

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
