import { object, string } from '../../schema/language.ts';
import { named } from './named.ts';

/** `corev1.ObjectReference`. */
export const objectReference = (description: string) =>
  named(
    'OlmObjectReference',
    object(
      description,
      {
        apiVersion: string('The version of its API.'),
        kind: string('Its kind.'),
        namespace: string('Its namespace.'),
        name: string('Its name.'),
        uid: string('Its UID.'),
        resourceVersion: string('Its resourceVersion when it was read.'),
        fieldPath: string('A field within it.'),
      },
      { mapType: 'atomic' },
    ),
    'A reference to an object.',
  );
