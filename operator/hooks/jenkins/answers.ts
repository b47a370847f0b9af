import { isMapping } from '../../../kube/mapping.ts';
import { buildHttpRefusal } from '../refusal.ts';
import { HookRefused, type HttpAnswer } from '../sender.ts';

const LOGIN = 'requires a login: username or token is not accepted';

/** Parses the JSON body of an answer. */
export function readJson(answer: HttpAnswer, what: string): unknown {
  if (answer.status !== 200) throw jenkinsRefusal(answer, what);
  const read = parsed(answer.body);
  if (isMapping(read)) return read;
  throw new HookRefused(`${what}: answered a page in place of JSON, such as one of a login`, {
    final: false,
  });
}

/**
 * Explains a failed answer in terms of what an administrator has to correct. A correction in Jenkins or in the Secret
 * causes no notification, so these failures are retried.
 */
export function jenkinsRefusal(answer: HttpAnswer, what: string): HookRefused {
  const { status } = answer;
  const why = isRedirectToLogin(answer) ? LOGIN : reasons[status];
  if (why === undefined) return buildHttpRefusal(answer, what);
  return new HookRefused(`${what}: answered ${status}: ${why}`, { final: false });
}

const reasons: Readonly<Record<number, string>> = {
  200: LOGIN,
  401: 'username or token is not accepted',
  403: 'the user has no right to do that',
  404: 'not there, or the user may not see it',
  409: 'the job is disabled',
};

/** https://www.jenkins.io/doc/book/security/csrf-protection */
export function wantsCrumb({ status, body }: HttpAnswer): boolean {
  return status === 403 && body.includes('No valid crumb');
}

/** Whether Jenkins redirects to the job, which it does when something in the job kept a build out of its queue. */
export function leadsBackToJob(answer: HttpAnswer): boolean {
  const location = answer.header('location') ?? '';
  const isJob = location === '.' || /\/job\/[^/?#]+\/?$/.test(location);
  return answer.status === 302 && isJob && !isRedirectToLogin(answer);
}

function isRedirectToLogin(answer: HttpAnswer): boolean {
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const location = answer.header('location') ?? '';
  return isRedirect && /(?<!\/job)\/(login|securityRealm|oauth|saml)\b/i.test(location);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
