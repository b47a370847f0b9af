import { isMapping } from '../../../kube/mapping.ts';
import { buildHttpRefusal } from '../refusal.ts';
import { HookRefused, type HttpAnswer } from '../sender.ts';

const LOGIN = 'asks for a login: username or token is not accepted';

/** What an answer in JSON says. */
export function readJson(answer: HttpAnswer, what: string): unknown {
  if (answer.status !== 200) throw jenkinsRefusal(answer, what);
  const read = parsed(answer.body);
  if (isMapping(read)) return read;
  throw new HookRefused(`${what}: answered a page in place of JSON, such as one of a login`, {
    final: false,
  });
}

/**
 * Why an answer is none that was hoped for, in the words of who has to put it right. What is put right in Jenkins, or
 * in the Secret, is tried again: nobody tells us when it is.
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

/** Jenkins leads back to the job where something in it has kept a build out of its queue. */
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
