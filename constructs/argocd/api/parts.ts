/** What kinds of Argo CD have in common. */
import { integer, list, map, string } from '../../../schema/language.ts';

export const strings = (description: string) => list(description, string('One.'));

export const texts = (description: string) => map(description, string('A value.'));

/** Of generators. */
export const requeueAfterSeconds = (absent: string) =>
  integer('The polling interval, in seconds.', { format: 'int64', absent });
