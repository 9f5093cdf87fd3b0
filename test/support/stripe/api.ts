import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Accounts, authorize, type Key } from './accounts.ts'
import type { Books } from './books.ts'
import type { Endpoint } from './endpoint.ts'
import { invalid, lockTimeout, StripeRefusal, tooMany } from './errors.ts'
import { expandAnswer, expandSteps } from './expand.ts'
import type { Fault, Faults } from './faults.ts'
import { type FormFields, parseForm } from './form.ts'
import { type Answer, IdempotencyKeys } from './idempotency.ts'
import type { LoggedRequest, Traffic } from './traffic.ts'
import { KNOWN_VERSIONS } from './versions.ts'

export interface ApiRequest {
  method: string
  path: string
  query: string
  headers: IncomingHttpHeaders
  body: string
  requestId: string
  /** The address of the hosted pages. */
  origin: string
}

/** An answer; null closes the connection instead. */
export type Outcome = Answer | null

interface Route {
  endpoint: Endpoint
  id: string
}

const unknown = (before: boolean) =>
  new StripeRefusal(
    500,
    { type: 'api_error', message: 'An unknown error occurred' },
    // A 500 that a key remembers is the same next time, so Stripe says that trying again is of no use.
    { validation: before, headers: before ? {} : { 'stripe-should-retry': 'false' } },
  )

/** Answers the API's requests in the order of Stripe's layers: limits, keys, versions, idempotency, validation, the endpoint. */
export class Api {
  private readonly endpoints: Endpoint[]
  private readonly accounts: Accounts
  private readonly faults: Faults
  private readonly traffic: Traffic
  private readonly keys = new Map<Books, IdempotencyKeys>()

  constructor(parts: { endpoints: Endpoint[]; accounts: Accounts; faults: Faults; traffic: Traffic }) {
    this.endpoints = parts.endpoints
    this.accounts = parts.accounts
    this.faults = parts.faults
    this.traffic = parts.traffic
  }

  /** Answers a request, and completes what the log says of it. */
  async answer(request: ApiRequest, entry: LoggedRequest): Promise<Outcome> {
    const route = this.routeOf(request)
    if (!route) return unrecognized(request)
    entry.endpoint = route.endpoint.path
    const fault = this.faults.take(request.method, route.endpoint.path, request.path)
    try {
      if (fault?.kind === 'drop before') return null
      if (fault?.kind === 'html') return proxyPage()
      if (fault?.kind === 'error before') throw unknown(true)
      if (fault?.kind === 'rate limit') throw tooMany('endpoint-rate')
      if (fault?.kind === 'lock timeout') throw lockTimeout()
      return await this.authenticated(request, route, fault, entry)
    } catch (error) {
      return refusalAnswer(error)
    }
  }

  private routeOf({ method, path }: ApiRequest): Route | undefined {
    const parts = path.split('/')
    for (const endpoint of this.endpoints) {
      const pattern = endpoint.path.split('/')
      if (endpoint.method !== method || pattern.length !== parts.length) continue
      if (!pattern.every((part, at) => part === ':id' || part === parts[at])) continue
      const id = parts[pattern.indexOf(':id')] ?? ''
      return { endpoint, id }
    }
    return undefined
  }

  private async authenticated(
    request: ApiRequest,
    route: Route,
    fault: Required<Fault> | undefined,
    entry: LoggedRequest,
  ) {
    const key = this.accounts.authenticate(request.headers.authorization)
    entry.account = key.account
    this.traffic.admit(`${key.account} ${key.live}`, `${request.method} ${route.endpoint.path}`)
    checkHeaders(request.headers, key)
    const fields = parametersOf(request)
    entry.params = fields
    authorize(key, route.endpoint.permission)
    const books = this.accounts.booksOf(key.account, key.live)
    const work = () => this.traffic.under(() => this.execute(request, route, fields, key, books, fault))
    const chosen = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
    return await this.once(books, request, fields, chosen, entry, work, fault)
  }

  /** Does the work of a key once, and says the same again to who asks again. */
  private async once(
    books: Books,
    { path, requestId }: ApiRequest,
    fields: FormFields,
    chosen: string | string[] | undefined,
    entry: LoggedRequest,
    work: () => Promise<Answer>,
    fault: Required<Fault> | undefined,
  ): Promise<Outcome> {
    if (typeof chosen !== 'string') return delivered(await work().catch(refusalAnswer), fault)
    const keys = this.keysOf(books)
    const earlier = keys.take(chosen, { path, parameters: canonical(fields), requestId })
    if (earlier) {
      entry.replayed = true
      await this.traffic.under(async () => undefined)
      const headers = { 'idempotent-replayed': 'true', 'original-request': earlier.requestId }
      return delivered(
        { ...earlier, headers: { ...earlier.headers, ...headers, 'idempotency-key': chosen } },
        fault,
      )
    }
    try {
      const done = await work()
      keys.keep(chosen, done)
      return delivered({ ...done, headers: { ...done.headers, 'idempotency-key': chosen } }, fault)
    } catch (error) {
      const answer = refusalAnswer(error)
      if (error instanceof StripeRefusal && error.validation) keys.release(chosen)
      else keys.keep(chosen, answer)
      return delivered(answer, fault)
    }
  }

  private keysOf(books: Books): IdempotencyKeys {
    const existing = this.keys.get(books)
    if (existing) return existing
    const made = new IdempotencyKeys(() => books.now())
    this.keys.set(books, made)
    return made
  }

  private async execute(
    request: ApiRequest,
    { endpoint, id }: Route,
    fields: FormFields,
    key: Key,
    books: Books,
    fault: Required<Fault> | undefined,
  ): Promise<Answer> {
    const chosen = request.headers['idempotency-key']
    const cause = { id: request.requestId, idempotency_key: typeof chosen === 'string' ? chosen : null }
    const { expand, run } = endpoint.prepare({ books, id, cause, origin: request.origin }, fields)
    const inList = endpoint.method === 'GET' && !endpoint.path.endsWith(':id')
    const steps = expandSteps(expand, { kind: endpoint.expands, inList, key })
    const shown = expandAnswer(run(), endpoint.expands, steps, books)
    if (fault?.kind === 'slow') await wait(fault.ms)
    if (fault?.kind === 'error after') throw unknown(false)
    return { status: 200, body: JSON.stringify(shown, null, 2), headers: {} }
  }
}

/** An answer that is made, unless the connection is to close on it. */
function delivered(answer: Answer, fault: Required<Fault> | undefined): Outcome {
  return fault?.kind === 'drop after' ? null : answer
}

function checkHeaders(headers: IncomingHttpHeaders, key: Key): void {
  const version = headers['stripe-version']
  if (typeof version !== 'string') throw invalid('The stand-in wants a Stripe-Version in every request.')
  if (!KNOWN_VERSIONS.has(version)) throw invalid(`Invalid Stripe API version: ${version}`)
  if (headers['stripe-account'] === undefined && headers['stripe-context'] === undefined) return
  throw new StripeRefusal(
    403,
    {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message: `The provided key of account '${key.account}' does not have access to other accounts (or that account does not exist). Application access may have been revoked.`,
    },
    { validation: true },
  )
}

function parametersOf({ method, query, headers, body }: ApiRequest): FormFields {
  if (method !== 'POST') return parseForm(query)
  if (query !== '') throw invalid('The stand-in takes the parameters of a POST in its body only.')
  const type = String(headers['content-type'] ?? '').split(';')[0]
  if (body === '' || type === 'application/x-www-form-urlencoded') return parseForm(body)
  throw invalid(
    'Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.',
  )
}

/** Returns the same text for the same parameters, in whatever order they came. */
function canonical(fields: FormFields): string {
  const sorted = Object.keys(fields)
    .sort()
    .map(name => {
      const value = fields[name] ?? ''
      return [name, typeof value === 'string' ? value : canonical(value)]
    })
  return JSON.stringify(sorted)
}

function refusalAnswer(error: unknown): Answer {
  if (!(error instanceof StripeRefusal)) throw error
  return {
    status: error.status,
    body: JSON.stringify({ error: error.body }, null, 2),
    headers: error.headers,
  }
}

function unrecognized({ method, path }: ApiRequest): Answer {
  return refusalAnswer(
    new StripeRefusal(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    }),
  )
}

function proxyPage(): Answer {
  return {
    status: 502,
    body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
    headers: { 'content-type': 'text/html' },
  }
}
