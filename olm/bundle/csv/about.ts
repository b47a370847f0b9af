/** What people read about an operator. */
import { boolean, enumOf, object, required, string } from '../../../schema/language.ts';
import { named } from './named.ts';

export const maintainer = named(
  'Maintainer',
  object('A person or a group to write to.', {
    name: string('The name.'),
    email: string('An address of mail.'),
  }),
);

export const namedLink = named(
  'NamedLink',
  object('Something with a name that is to be found at an address.', {
    name: string('What it is called.'),
    url: string('Where it is.', { example: 'https://redis.example.com' }),
  }),
  'Something with a name that is to be found at an address.',
);

export const icon = named(
  'Icon',
  object('A picture.', {
    base64data: required(string('The picture, in base64.')),
    mediatype: required(
      enumOf('What picture it is.', ['image/svg+xml', 'image/png', 'image/jpeg', 'image/gif']),
    ),
  }),
);

export const installMode = named(
  'InstallMode',
  object('Whether an operator works in an OperatorGroup of a kind.', {
    type: required(
      named(
        'InstallModeType',
        enumOf('Which namespaces an OperatorGroup selects.', [
          'OwnNamespace',
          'SingleNamespace',
          'MultiNamespace',
          'AllNamespaces',
        ]),
      ),
    ),
    supported: required(boolean('Whether it does.')),
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
    name: required(string('What it is called, once among them.')),
    image: required(string('Where it is: by its digest, so that it can be mirrored.')),
  }),
);

export const cleanup = named(
  'Cleanup',
  object('What goes with the operator.', {
    enabled: required(boolean('Whether the objects of its kinds are deleted with it.')),
  }),
);
