/** The Application that an ApplicationSet makes of each set of parameters. */
import { list, object, required, string } from '../../../schema/language.ts';
import { applicationSpec } from './application-spec.ts';
import { named } from './named.ts';
import { texts } from './parts.ts';

export const template = (description: string) =>
  named(
    'ApplicationSetTemplate',
    object(description, {
      metadata: required(
        named(
          'ApplicationSetTemplateMeta',
          object('The metadata of the Application.', {
            name: string('Its name.', { example: '{{.path.basename}}' }),
            namespace: string('Its namespace.', { absent: "the ApplicationSet's" }),
            labels: texts('Its labels.'),
            annotations: texts('Its annotations.'),
            finalizers: list('Its finalizers.', string('One.')),
          }),
        ),
      ),
      spec: required(applicationSpec('What, from where, to where, and how it is synced.')),
    }),
    'An Application with placeholders.',
  );

/** What most generators take. */
export const common = {
  template: template('Overrides the template of the ApplicationSet for this generator.'),
  values: texts('Further parameters, under `values`.'),
};
