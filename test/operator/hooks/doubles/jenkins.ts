import { randomBytes } from 'node:crypto';
import { json, page, type Asked, type Double, type Reply } from './served.ts';
import { pruned } from './tree.ts';

/** A job, identified by its names from the root: `platform/onboard`. */
export interface JenkinsJob {
  /** The declared parameters. */
  readonly parameters: readonly string[];
  isBuildable?: boolean;
  /** Whether the user may see it, and build it. */
  mayRead?: boolean;
  mayBuild?: boolean;
}

export interface JenkinsBuild {
  readonly number: number;
  readonly job: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly timestamp: number;
  /** Undefined while it runs. */
  result?: 'SUCCESS' | 'FAILURE' | 'ABORTED' | 'UNSTABLE' | undefined;
}

interface QueueItem {
  readonly id: number;
  readonly job: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly since: number;
  isCancelled: boolean;
  build?: JenkinsBuild;
}

/**
 * A Jenkins with jobs, a queue and builds. It follows the documentation:
 *
 * - https://www.jenkins.io/doc/book/using/remote-access-api (builds with parameters, `tree`)
 * - https://www.jenkins.io/doc/book/system-administration/authenticating-scripted-clients (Basic, 403 at once)
 * - https://www.jenkins.io/doc/book/security/csrf-protection (crumbs, their sessions, none for API tokens)
 * - https://plugins.jenkins.io/queueredirector (what left the queue is known for five minutes)
 *
 * Where the documentation is silent it follows the source: hudson.model.ParametersDefinitionProperty (201 and Location;
 * undeclared parameters are dropped), jenkins.model.ParameterizedJobMixIn (409, 500), hudson.security.csrf.CrumbFilter.
 *
 * Each request takes one second.
 */
export class JenkinsDouble implements Double {
  readonly jobs = new Map<string, JenkinsJob>();
  readonly builds: JenkinsBuild[] = [];
  readonly queue: QueueItem[] = [];
  readonly user = 'tenantry';
  readonly token = `11${randomBytes(16).toString('hex')}`;
  readonly password = randomBytes(12).toString('hex');
  /** Requests before a free executor takes a queued build; Infinity means that no executor is free. */
  quietPeriod = 0;
  /** Whether changing requests need a crumb, unless they use an API token. */
  hasCrumbs = true;
  /** Whether something prevents builds from entering the queue. */
  refusesBuilds = false;
  /** The address that it believes to have, from its settings or from the request. */
  rootUrl = 'http://jenkins.internal:8080/ci';
  /** The prefix of all paths. */
  readonly contextPath = '/ci';
  /** In milliseconds since 1970. */
  now = Date.parse('2026-03-01T12:00:00Z');
  readonly #sessions = new Map<string, string>();

  answer(asked: Asked): Reply {
    this.now += 1000;
    this.#startBuilds();
    const { headers, method, path } = asked;
    const [user, secret] = credentials(headers.authorization);
    if (user === undefined) return page('Authentication required', 403);
    if (user !== this.user || (secret !== this.token && secret !== this.password)) {
      return page('Error 401 Unauthorized', 401);
    }
    if (!path.startsWith(`${this.contextPath}/`)) return page('Not Found', 404);
    const rest = path.slice(this.contextPath.length + 1);
    if (rest === 'crumbIssuer/api/json') return this.#issueCrumb();
    if (method === 'POST' && secret !== this.token && !this.#isCrumbed(asked)) {
      return page('Error 403 No valid crumb was included in the request', 403);
    }
    const tree = asked.query.get('tree') ?? '';
    if (rest === 'queue/api/json') return this.#showQueue(tree);
    const item = /^queue\/item\/(\d+)\/api\/json$/.exec(rest);
    if (item) return this.#showItem(Number(item[1]), tree);
    return this.#answerJob(rest, asked, tree);
  }

  /** Ends a build. */
  end(number: number, result: NonNullable<JenkinsBuild['result']>): void {
    const build = this.builds.find((one) => one.number === number);
    if (build) build.result = result;
  }

  #answerJob(rest: string, { method, body }: Asked, tree: string): Reply {
    const parts = /^((?:job\/[^/]+\/)+)(.*)$/.exec(rest);
    const names =
      parts?.[1]
        ?.slice(0, -1)
        .split('/')
        .filter((_, at) => at % 2 === 1) ?? [];
    const name = names.map(decodeURIComponent).join('/');
    const job = this.jobs.get(name);
    if (!job || job.mayRead === false) return page('Not Found', 404);
    const what = parts?.[2] ?? '';
    if (what === 'api/json' && method === 'GET') return this.#showJob(name, job, tree);
    const build = /^(\d+)\/api\/json$/.exec(what);
    if (build && method === 'GET') return this.#showBuild(name, Number(build[1]), tree);
    if (what !== 'buildWithParameters') return page('Not Found', 404);
    if (method !== 'POST') return page('Form post required', 405);
    return this.#schedule(name, job, new URLSearchParams(body));
  }

  #schedule(name: string, job: JenkinsJob, form: URLSearchParams): Reply {
    if (job.mayBuild === false)
      return page(`${this.user} is missing the Job/Build permission`, 403);
    if (job.isBuildable === false) return page(`${name} is not buildable!`, 409);
    if (job.parameters.length === 0) return page('This build is not parameterized!', 500);
    if (this.refusesBuilds) return { status: 302, headers: { location: `${this.rootUrl}/job/x/` } };
    const parameters = Object.fromEntries(job.parameters.map((key) => [key, form.get(key) ?? '']));
    // Of two equal waiting builds only one is built.
    const item =
      this.queue.find((one) => isWaiting(one) && one.job === name && same(one, parameters)) ??
      this.#enqueue(name, parameters);
    return { status: 201, headers: { location: `${this.rootUrl}/queue/item/${item.id}/` } };
  }

  #enqueue(job: string, parameters: Readonly<Record<string, string>>): QueueItem {
    const id = this.queue.length + 17;
    const item: QueueItem = { id, job, parameters, since: this.now, isCancelled: false };
    this.queue.push(item);
    return item;
  }

  #startBuilds(): void {
    for (const item of this.queue) {
      if (!isWaiting(item) || this.now - item.since <= this.quietPeriod * 1000) continue;
      const { job, parameters } = item;
      item.build = { number: this.builds.length + 1, job, parameters, timestamp: this.now };
      this.builds.unshift(item.build);
    }
  }

  #showQueue(tree: string): Reply {
    const items = this.queue.filter(isWaiting).map((item) => this.#itemOf(item));
    return json(pruned({ _class: 'hudson.model.Queue', items }, tree));
  }

  #showItem(id: number, tree: string): Reply {
    const item = this.queue.find((one) => one.id === id);
    const left = item?.build?.timestamp ?? this.now;
    if (!item || this.now - left > 300_000) return page('Not Found', 404);
    return json(pruned(this.#itemOf(item), tree));
  }

  #itemOf({ id, job, parameters, isCancelled, build }: QueueItem): object {
    const left = isCancelled || build;
    return {
      _class: left ? 'hudson.model.Queue$LeftItem' : 'hudson.model.Queue$BuildableItem',
      actions: [parametersAction(parameters), { _class: 'hudson.model.CauseAction' }],
      id,
      task: { name: job.split('/').at(-1), url: `${this.rootUrl}/${pathOf(job)}` },
      why: left ? null : 'Waiting for next available executor',
      ...(left && { cancelled: isCancelled }),
      ...(build && { executable: { number: build.number, url: this.#urlOf(build) } }),
    };
  }

  #showJob(name: string, job: JenkinsJob, tree: string): Reply {
    const parameterDefinitions = job.parameters.map((name) => ({ name }));
    const builds = this.builds.filter((one) => one.job === name).map((one) => this.#buildOf(one));
    const shown = {
      buildable: job.isBuildable !== false,
      property: [
        { _class: 'jenkins.model.BuildDiscarderProperty' },
        ...(job.parameters.length > 0 ? [{ parameterDefinitions }] : []),
      ],
      builds: builds.slice(0, 100),
      allBuilds: builds,
    };
    return json(pruned(shown, tree));
  }

  #showBuild(job: string, number: number, tree: string): Reply {
    const build = this.builds.find((one) => one.job === job && one.number === number);
    return build ? json(pruned(this.#buildOf(build), tree)) : page('Not Found', 404);
  }

  #buildOf(build: JenkinsBuild): object {
    const { number, parameters, timestamp, result } = build;
    return {
      _class: 'org.jenkinsci.plugins.workflow.job.WorkflowRun',
      actions: [{}, { _class: 'hudson.model.CauseAction' }, parametersAction(parameters)],
      number,
      timestamp,
      building: result === undefined,
      result: result ?? null,
      url: this.#urlOf(build),
    };
  }

  #urlOf({ job, number }: JenkinsBuild): string {
    return `${this.rootUrl}/${pathOf(job)}${number}/`;
  }

  #issueCrumb(): Reply {
    if (!this.hasCrumbs) return page('Not Found', 404);
    const session = randomBytes(8).toString('hex');
    const crumb = randomBytes(32).toString('hex');
    this.#sessions.set(session, crumb);
    const reply = json({
      _class: 'hudson.security.csrf.DefaultCrumbIssuer',
      crumb,
      crumbRequestField: 'Jenkins-Crumb',
    });
    const cookie = `JSESSIONID.1a2b=${session}; Path=${this.contextPath}; HttpOnly; SameSite=Lax`;
    return { ...reply, headers: { ...reply.headers, 'set-cookie': cookie } };
  }

  #isCrumbed({ headers }: Asked): boolean {
    if (!this.hasCrumbs) return true;
    const session = /JSESSIONID\.1a2b=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '';
    const crumb = this.#sessions.get(session);
    return crumb !== undefined && headers['jenkins-crumb'] === crumb;
  }
}

function isWaiting({ isCancelled, build }: QueueItem): boolean {
  return !isCancelled && build === undefined;
}

function same({ parameters }: QueueItem, others: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(parameters) === JSON.stringify(others);
}

function pathOf(job: string): string {
  return job
    .split('/')
    .map((name) => `job/${encodeURIComponent(name)}/`)
    .join('');
}

function parametersAction(parameters: Readonly<Record<string, string>>): object {
  const list = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return { _class: 'hudson.model.ParametersAction', parameters: list };
}

function credentials(header: string | undefined): (string | undefined)[] {
  const basic = /^Basic (\S+)$/.exec(header ?? '')?.[1];
  if (basic === undefined) return [];
  const text = Buffer.from(basic, 'base64').toString();
  return [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
}
