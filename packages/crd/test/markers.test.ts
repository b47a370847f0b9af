import { expect, test } from '@jest/globals';
import { define } from '../define.ts';
import { crdManifest } from '../definition.ts';
import { openApi } from '../schema/words.ts';
import {
  evaluate,
  fieldOf,
  fieldRows,
  kindRows,
  buildKindWithProps,
  kindWithVersion,
  plain,
  versionRows,
} from './markers.ts';

test('every marker that controller-gen has for a CRD is in the tables', () => {
  const markers = [...fieldRows, ...kindRows, ...versionRows].map(({ marker }) => marker).join(' ');
  const all =
    'Maximum Minimum ExclusiveMaximum ExclusiveMinimum MultipleOf MaxProperties MinProperties ' +
    'MaxLength MinLength Pattern MaxItems MinItems Enum Format Type PreserveUnknownFields ' +
    'EmbeddedResource XIntOrString XValidation:rule message messageExpression reason fieldPath ' +
    'optionalOldSelf required optional nullable default example immutable AtMostOneOf ' +
    'ExactlyOneOf AtLeastOneOf title listType listMapKey mapType structType externalDocs ' +
    'resource:path shortName categories singular scope subresource:status subresource:scale ' +
    'specpath statuspath selectorpath printcolumn JSONPath description format priority ' +
    'storageversion unservedversion deprecatedversion:warning metadata:labels ' +
    'metadata:annotations selectablefield';
  expect(all.split(' ').filter((marker) => !markers.includes(marker))).toEqual([]);
});

// test/cluster/markers.test.ts checks the same rows against the API server.
for (const row of fieldRows) {
  test(`${row.marker} is ${row.spelling}`, () => {
    expect(plain(openApi(fieldOf(row)))).toMatchObject(plain(evaluate(row.expected)));
  });
}

for (const row of kindRows) {
  test(`${row.marker} is ${row.spelling} of a kind`, () => {
    const props = buildKindWithProps(row);
    const manifest = plain(crdManifest(define(props)));
    expect(manifest['spec']).toMatchObject(plain(evaluate(row.expected)));
    expect(manifest['metadata']).toMatchObject(props.metadata ?? {});
  });
}

for (const row of versionRows) {
  test(`${row.marker} is ${row.spelling} of a version`, () => {
    const [version] = crdManifest(define(kindWithVersion(row))).spec.versions;
    expect(plain(version)).toMatchObject(plain(evaluate(row.expected)));
  });
}
