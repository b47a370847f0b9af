/** Schemas of the parts that describe an operator to people. */
import { boolean, enumOf, object, required, string } from '../../../schema/language.ts';
import { named } from './named.ts';

export const maintainer = named(
  'Maintainer',
  object('A person or a group to contact.', {
    name: string('The name.'),
    email: string('The email address.'),
  }),
);

export const namedLink = named(
  'NamedLink',
  object('A named link.', {
    name: string('The name.'),
    url: string('The URL.', { example: 'https://redis.example.com' }),
  }),
  'A named link.',
);

export const icon = named(
  'Icon',
  object('The icon of the operator.', {
    base64data: required(string('The image in base64.')),
    mediatype: required(
      enumOf('The media type of the image.', [
        'image/svg+xml',
        'image/png',
        'image/jpeg',
        'image/gif',
      ]),
    ),
  }),
);

export const installMode = named(
  'InstallMode',
  object('Whether an operator supports a type of OperatorGroup.', {
    type: required(
      named(
        'InstallModeType',
        enumOf('The namespaces that an OperatorGroup selects.', [
          'OwnNamespace',
          'SingleNamespace',
          'MultiNamespace',
          'AllNamespaces',
        ]),
      ),
    ),
    supported: required(boolean('Whether the operator supports it.')),
  }),
);

export const groupVersionKind = named(
  'GroupVersionKind',
  object('A kind in a version.', {
    group: required(string('Its group; empty for the core group.')),
    version: required(string('The version.')),
    kind: required(string('The kind.')),
  }),
);

export const relatedImage = named(
  'RelatedImage',
  object('An image that the operator needs.', {
    name: required(string('The name, unique among the images.')),
    image: required(string('The image with its digest, so that it can be mirrored.')),
  }),
);

export const cleanup = named(
  'Cleanup',
  object('The cleanup when the operator is deleted.', {
    enabled: required(boolean('Whether the objects of its kinds are deleted with the operator.')),
  }),
);
