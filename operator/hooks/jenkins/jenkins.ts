import { omitUndefined, isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { HookRefused, buildHttpRefusal, type HookContext, type HttpAnswer } from '../sender.ts';

/** The configuration of a job. */
interface JobSetUp {
  readonly parameters: ReadonlySet<string>;
}

export interface Build {
  readonly number: number;
  readonly isRunning: boolean;
  /** `SUCCESS`, `FAILURE` and so on; undefined while the build runs. */
  readonly result: string | undefined;
}

/** A queue item: waiting, cancelled or built; undefined once Jenkins no longer knows it. */
type QueueItem =
  { readonly state: 'waits' | 'cancelled' } | { readonly state: 'left'; readonly build: number };

/** The builds of one answer, and the most answers that are searched for a build. */
const PAGE = 100;
const MAX_PAGES = 20;

/** One Jenkins job, accessed by its remote API (https://www.jenkins.io/doc/book/using/remote-access-api). */
export class JenkinsJob {
  readonly #name: string;
  readonly #root: URL;
  readonly #context: HookContext;
  readonly #authorization: string;

  private constructor(name: string, root: URL, context: HookContext, authorization: string) {
    this.#name = name;
    this.#root = root;
    this.#context = context;
    this.#authorization = authorization;
  }

  /**
   * @param name the job's name with its folders: `platform/onboard`
   * @param url the address of Jenkins
   */
  static async open(name: string, url: string, context: HookContext): Promise<JenkinsJob> {
    const user = await context.credential('username');
    const token = await context.credential('token');
    const basic = Buffer.from(`${user}:${token}`).toString('base64');
    return new JenkinsJob(name, new URL(`${url.replace(/\/+$/, '')}/`), context, `Basic ${basic}`);
  }

  async setUp(): Promise<JobSetUp> {
    const tree = 'property[parameterDefinitions[name]]';
    const read = await this.#get(this.#path('api/json'), tree, `read job ${this.#name}`);
    const properties = listAt(read, ['property']);
    const definitions = properties.flatMap((one) => listAt(one, ['parameterDefinitions']));
    return { parameters: new Set(definitions.map((one) => String(valueAt(one, ['name'])))) };
  }

  /** Requests a build. Returns its queue item; undefined if Jenkins does not report it. */
  async build(parameters: Readonly<Record<string, string>>): Promise<number | undefined> {
    const what = `build job ${this.#name}`;
    const path = this.#path('buildWithParameters');
    const answer = await this.#post(path, new URLSearchParams(parameters), what);
    if (leadsBackToJob(answer)) {
      throw new HookRefused(`${what}: Jenkins has let no build into its queue`, { final: false });
    }
    if (answer.status !== 201) throw jenkinsRefusal(answer, what);
    // Only the number is used: the host is the one that Jenkins believes it has.
    const id = /\/queue\/item\/(\d{1,15})\/?$/.exec(answer.header('location') ?? '')?.[1];
    return id === undefined ? undefined : Number(id);
  }

  async queueItem(id: number): Promise<QueueItem | undefined> {
    const url = this.#url(`queue/item/${id}/api/json`, 'cancelled,executable[number]');
    const what = `read queue item ${id}`;
    const answer = await this.#exchange('GET', url);
    if (answer.status === 404) return undefined;
    const read = readJson(answer, what);
    if (valueAt(read, ['cancelled']) === true) return { state: 'cancelled' };
    const build = valueAt(read, ['executable', 'number']);
    return typeof build === 'number' ? { state: 'left', build } : { state: 'waits' };
  }

  /** Returns the queue item of a build whose parameter has a value. */
  async queued(parameter: string, value: string): Promise<number | undefined> {
    const tree = 'items[id,actions[parameters[name,value]]]';
    const read = await this.#get('queue/api/json', tree, 'read the queue');
    const ours = listAt(read, ['items']).find((item) => hasParameter(item, parameter, value));
    const id = valueAt(ours, ['id']);
    return typeof id === 'number' ? id : undefined;
  }

  /** Returns the newest build whose parameter has a value, among those that began at a date or later. */
  async built(parameter: string, value: string, since: Date): Promise<Build | undefined> {
    const what = `look for a build of job ${this.#name}`;
    for (let page = 0; page < MAX_PAGES; page++) {
      const range = `{${page * PAGE},${(page + 1) * PAGE}}`;
      const fields = 'number,timestamp,building,result,actions[parameters[name,value]]';
      const read = await this.#get(this.#path('api/json'), `allBuilds[${fields}]${range}`, what);
      const builds = listAt(read, ['allBuilds']);
      const ours = builds.find((build) => hasParameter(build, parameter, value));
      if (ours !== undefined) return parseBuild(ours);
      const oldest = valueAt(builds.at(-1), ['timestamp']);
      if (builds.length < PAGE || Number(oldest) < since.getTime()) return undefined;
    }
    const most = MAX_PAGES * PAGE;
    throw new HookRefused(`${what}: not among the last ${most}, and older ones are too many`, {
      final: true,
    });
  }

  async buildNumbered(number: number): Promise<Build | undefined> {
    const tree = 'number,building,result';
    return parseBuild(
      await this.#get(this.#path(`${number}/api/json`), tree, `read ${this.#name} #${number}`),
    );
  }

  #path(rest: string): string {
    const folders = this.#name.split('/').map((name) => `job/${encodeURIComponent(name)}/`);
    return `${folders.join('')}${rest}`;
  }

  #url(path: string, tree?: string): URL {
    const url = new URL(path, this.#root);
    if (tree !== undefined) url.searchParams.set('tree', tree);
    return url;
  }

  async #get(path: string, tree: string, what: string): Promise<unknown> {
    return readJson(await this.#exchange('GET', this.#url(path, tree)), what);
  }

  /** Sends a crumb if the first answer requires one: sessions with a password do, API tokens do not. */
  async #post(path: string, form: URLSearchParams, what: string): Promise<HttpAnswer> {
    const url = this.#url(path);
    const answer = await this.#exchange('POST', url, {}, form);
    if (!wantsCrumb(answer)) return answer;
    const crumb = await this.#crumb(what);
    return this.#exchange('POST', url, crumb, form);
  }

  async #crumb(what: string): Promise<Readonly<Record<string, string>>> {
    const answer = await this.#exchange('GET', this.#url('crumbIssuer/api/json'));
    const read = readJson(answer, `${what}: ask for a crumb`);
    const field = valueAt(read, ['crumbRequestField']);
    const crumb = valueAt(read, ['crumb']);
    const isField = typeof field === 'string' && /^[\w.-]{0,58}crumb$/i.test(field);
    if (!isField || typeof crumb !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(crumb)) {
      throw new HookRefused(`${what}: got no crumb that can be sent`, { final: false });
    }
    const cookie = answer.cookies.map((line) => line.split(';')[0] ?? '').join('; ');
    return omitUndefined({
      [field.toLowerCase()]: crumb,
      cookie: cookie !== '' ? cookie : undefined,
    });
  }

  #exchange(
    method: 'GET' | 'POST',
    url: URL,
    headers: Readonly<Record<string, string>> = {},
    form?: URLSearchParams,
  ): Promise<HttpAnswer> {
    return this.#context.http.exchange(
      omitUndefined({
        method,
        url,
        headers: omitUndefined({
          accept: 'application/json',
          authorization: this.#authorization,
          'content-type': form ? 'application/x-www-form-urlencoded' : undefined,
          ...headers,
        }),
        body: form?.toString(),
      }),
    );
  }
}

function parseBuild(read: unknown): Build | undefined {
  const number = valueAt(read, ['number']);
  const result = valueAt(read, ['result']);
  if (typeof number !== 'number') return undefined;
  const isRunning = valueAt(read, ['building']) === true;
  return { number, isRunning, result: typeof result === 'string' ? result : undefined };
}

function hasParameter(of: unknown, name: string, value: string): boolean {
  return listAt(of, ['actions'])
    .flatMap((action) => listAt(action, ['parameters']))
    .some((one) => isMapping(one) && one['name'] === name && one['value'] === value);
}

const LOGIN = 'requires a login: username or token is not accepted';

/** Parses the JSON body of an answer. */
function readJson(answer: HttpAnswer, what: string): unknown {
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
function jenkinsRefusal(answer: HttpAnswer, what: string): HookRefused {
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
function wantsCrumb({ status, body }: HttpAnswer): boolean {
  return status === 403 && body.includes('No valid crumb');
}

/** Whether Jenkins redirects to the job, which it does when something in the job kept a build out of its queue. */
function leadsBackToJob(answer: HttpAnswer): boolean {
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
