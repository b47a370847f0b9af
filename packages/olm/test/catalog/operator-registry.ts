/**
 * The rules that correspond to an error of operator-registry; at least one of them must be reported here. An error that
 * it reports for a missing part is reported here at the place where the part is missing.
 */
const meanings: readonly (readonly [message: RegExp, ...rules: string[]])[] = [
  [/missing root schema field/, 'catalog-schema'],
  [/duplicate keys for key/, 'catalog-repeated-field'],
  [/expected value for key/, 'catalog-type'],
  [
    /cannot unmarshal|illegal base64|parse (?:package|channel|bundle|deprecation):/,
    'catalog-type',
    'catalog-schema',
    'catalog-property',
  ],
  [/read bundle objects/, 'catalog-property'],
  [/package with no name|invalid package name/, 'catalog-package-name'],
  [/^duplicate package /, 'catalog-package-unique'],
  [/unknown package|package name must be set/, 'catalog-package-missing'],
  [/channel with no name/, 'catalog-channel-name'],
  [/has duplicate channel/, 'catalog-channel-unique'],
  [/duplicate entry/, 'catalog-entry-unique'],
  [/has duplicate bundle/, 'catalog-bundle-unique'],
  [/parse properties for bundle/, 'catalog-property'],
  [
    /must have exactly 1|does not match "olm.package" property/,
    'catalog-package-property',
    'catalog-property',
  ],
  [/invalid image pull spec/, 'catalog-image'],
  [/error parsing bundle .* release version/, 'catalog-release'],
  [/error parsing bundle .* version/, 'catalog-version'],
  [/not found in any channel entries/, 'catalog-bundle-channel', 'catalog-bundle-name'],
  [/no olm.bundle blobs found/, 'catalog-entry-bundle'],
  [/maximum of one deprecation|duplicate deprecation entry/, 'catalog-deprecation-unique'],
  [
    /cannot deprecate|schema must be set|package name must be empty for/,
    'catalog-deprecation-reference',
  ],
  [/package must contain at least one channel/, 'catalog-package-channels'],
  [/default channel must be set/, 'catalog-default-channel', 'catalog-package-channels'],
  [
    /channel must contain at least one bundle/,
    'catalog-channel-entries',
    'catalog-default-channel',
    'catalog-package-channels',
  ],
  [/no channel head|multiple channel heads/, 'catalog-channel-head'],
  // An entry without a name replaces the one that replaces nothing.
  [/detected cycle in .*:  ->/, 'catalog-entry-bundle', 'catalog-bundle-name'],
  [/detected cycle/, 'catalog-channel-cycle'],
  [/stranded bundles/, 'catalog-channel-stranded'],
  [/name must be set/, 'catalog-bundle-name', 'catalog-entry-bundle'],
  [/does not match normalized name|cannot use build metadata/, 'catalog-release'],
  [/skip\[\d+\] is empty/, 'catalog-entry-skips'],
  [/invalid skipRange/, 'catalog-skip-range'],
  [/must be exactly one property/, 'catalog-package-property', 'catalog-entry-bundle'],
  [/bundle image must be set/, 'catalog-bundle-image', 'catalog-entry-bundle'],
  [/duplicate versions found/, 'catalog-version-unique', 'catalog-entry-bundle'],
  [/message must be set/, 'catalog-deprecation-message'],
];

/** Headings in its tree of errors, which only lead to other errors. */
const HEADING = /invalid (?:index|package|channel|bundle)[^:]*:$/;

/** Returns, for each error of a message, the rules of which one must be reported. */
export function expectedRules(message: string): readonly (readonly string[])[] {
  if (message === '') return [];
  const lines = message.startsWith('invalid index') ? message.split('\n') : [message];
  return lines
    .map((line) => line.replace(/^[│├└─ ]*/, '').trim())
    .filter((line) => line !== '' && !HEADING.test(line))
    .map((line) => {
      const [, ...rules] = meanings.find(([pattern]) => pattern.test(line)) ?? [
        line,
        `unknown: ${line}`,
      ];
      return rules;
    });
}
