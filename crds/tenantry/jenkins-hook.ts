import { map } from './bounded.ts';
import { enumOf, object, required, string } from '../../schema/language.ts';
import { hookAddress } from './hook-address.ts';
import { hookFact } from './hook-facts.ts';
import { named } from './named.ts';

/** One name of a job or folder, as Jenkins allows it. `%` is allowed too, for branches (`feature%2Fa`). */
const jobName = '[A-Za-z0-9_][^/\\\\?*!@#$^&|<>\\[\\]:;]*';

export const jenkinsHook = named(
  'JenkinsHook',
  object(
    "A build of a job in Jenkins. The Secret has `username` and `token`, an API token of that user, who needs Overall/Read, and Job/Read and Job/Build on the job. With the user's password in its place, a crumb is asked for.",
    {
      url: required(
        hookAddress('The address of Jenkins, with its path.', 'https://ci.example.com/jenkins'),
      ),
      job: required(
        string('The job, behind the folders that it is in.', {
          pattern: `^${jobName}(/${jobName})*$`,
          maxLength: 512,
          must: "names with '/' between them, each beginning with a letter, a digit or '_'",
          example: 'platform/onboard-tenant',
        }),
      ),
      parameters: map(
        'What parameters of the job are set to. The job must have each of them: Jenkins drops those that it does not know.',
        hookFact('What it is set to.', 'tenant'),
        { example: { TENANT: 'tenant', TEAM: 'contact.team' }, absent: 'none but `keyParameter`' },
      ),
      keyParameter: string(
        'The parameter that gets the key of the call, by which a build is found again. The job must have it.',
        {
          pattern: '^[A-Za-z_][-A-Za-z0-9_.]*$',
          maxLength: 128,
          must: "a name of letters, digits, '_', '-' and '.'",
          absent: '`TENANTRY_KEY`',
        },
      ),
      wait: enumOf(
        'When the call counts as delivered. Queued: Jenkins has accepted it; it forgets its queue if it is killed. Started: the build has begun. Succeeded: the build has ended well; one that ended otherwise is not begun again, and may be rebuilt by hand.',
        ['Queued', 'Started', 'Succeeded'],
        { absent: '`Started`' },
      ),
    },
  ),
);
