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
        resourceVersion: string('As of when.'),
        fieldPath: string('Which part of it.'),
      },
      { mapType: 'atomic' },
    ),
    'An object that OLM knows of.',
  );
