import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { isPublicAddress } from '#base/public-address.ts'
import type { Clock } from '#base/time.ts'
import { AddressRefused, guardLookup, literalAddress } from './address-guard.ts'
import { attemptErrors } from './attempt-errors.ts'
import { headersOf } from './headers.ts'
import { nameLookup } from './name-lookup.ts'
import { signWebhook } from './signature.ts'

/** The most time that an attempt may take, from DNS to the end of the answer, in milliseconds (specification section 6). */
const DEADLINE = 10_000
/** The most attempts that one endpoint gets at a time. */
export const MAX_IN_FLIGHT_PER_ENDPOINT = 4
/** The most pools of connections that are kept. */
const MAX_AGENTS = 1_000
/** How many bytes of an answer's body are read, and how many of them are kept. */
const MAX_READ = 16 * 1024
const MAX_KEPT = 1024

type Undici = typeof import('undici')

export interface Outgoing {
  endpointId: string
  eventId: string
  type: string
  body: string
  url: string
  secrets: readonly string[]
}

/** How an attempt ended. */
export interface AttemptResult {
  succeeded: boolean
  /** The URL of the attempt. */
  url: string
  /** Milliseconds of the clock. */
  startedAt: number
  endedAt: number
  /** The elapsed time in milliseconds. */
  duration: number
  statusCode: number | null
  /**
   * One of a few sentences, which reveal nothing about the inside of a network. It is null if there was an answer, whatever its
   * status.
   */
  error: string | null
  /** The start of the answer's body. It is null without one. */
  response: string | null
}

export interface SenderOptions {
  clock: Clock
  /** Lifts the rules on scheme and address, for sandboxes and tests. */
  allowInsecure: boolean
  /** Milliseconds. */
  deadline?: number | undefined
  /** How names are looked up, before the address guard checks them. */
  lookup?: LookupFunction | undefined
}

/** Sends webhooks over connections that are kept for each endpoint. The address guard checks each connection. */
export class Sender {
  readonly #clock: Clock
  readonly #allowInsecure: boolean
  readonly #deadline: number
  readonly #connect: NonNullable<Agent.Options['connect']>
  readonly #underWay = new Set<AbortController>()
  /** A pool of connections for each endpoint. The least recently used comes first. */
  readonly #agents = new Map<string, Agent>()

  constructor({ clock, allowInsecure, deadline = DEADLINE, lookup = nameLookup() }: SenderOptions) {
    this.#clock = clock
    this.#allowInsecure = allowInsecure
    this.#deadline = deadline
    this.#connect = {
      timeout: deadline,
      // This holds whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      ...(allowInsecure ? {} : { lookup: guardLookup(lookup) }),
    }
  }

  /** Makes one attempt. It never throws, because every outcome is a result. */
  async send(outgoing: Outgoing): Promise<AttemptResult> {
    const abort = new AbortController()
    this.#underWay.add(abort)
    // undici is loaded when it is first needed. Most servers have no endpoint, and every start would wait for it.
    const undici = await import('undici')
    const startedAt = this.#clock()
    const started = performance.now()
    const ended = (
      result: Pick<AttemptResult, 'succeeded' | 'statusCode' | 'error' | 'response'>,
    ): AttemptResult => ({
      url: outgoing.url,
      startedAt,
      endedAt: this.#clock(),
      duration: Math.round(performance.now() - started),
      ...result,
    })
    const timer = setTimeout(() => abort.abort(), this.#deadline)
    let statusCode: number | null = null
    const start: Buffer[] = []
    try {
      this.#guard(new URL(outgoing.url))
      const answer = await undici.request(outgoing.url, {
        method: 'POST',
        dispatcher: this.#agentOf(outgoing.endpointId, undici),
        signal: abort.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
        headers: {
          ...headersOf(outgoing.type, outgoing.eventId),
          'svc-signature': signWebhook(outgoing.secrets, startedAt, outgoing.body),
        },
        body: outgoing.body,
      })
      statusCode = answer.statusCode
      await readStart(answer.body, start)
      const succeeded = statusCode >= 200 && statusCode < 300
      return ended({ succeeded, statusCode, error: null, response: textOf(start) })
    } catch (error) {
      const response = statusCode === null ? null : textOf(start)
      return ended({
        succeeded: false,
        statusCode,
        error: describe(error, abort.signal.aborted, undici),
        response,
      })
    } finally {
      clearTimeout(timer)
      this.#underWay.delete(abort)
    }
  }

  /** Aborts the attempts under way. */
  async close(): Promise<void> {
    for (const abort of this.#underWay) abort.abort()
    await Promise.all([...this.#agents.values()].map(agent => agent.destroy()))
  }

  #agentOf(endpointId: string, undici: Undici): Agent {
    const agent =
      this.#agents.get(endpointId) ??
      new undici.Agent({
        connections: MAX_IN_FLIGHT_PER_ENDPOINT,
        pipelining: 1,
        keepAliveTimeout: 30_000,
        connect: this.#connect,
      })
    this.#agents.delete(endpointId)
    this.#agents.set(endpointId, agent)
    if (this.#agents.size > MAX_AGENTS) {
      const [oldest, idle] = this.#agents.entries().next().value as [string, Agent]
      this.#agents.delete(oldest)
      void idle.close()
    }
    return agent
  }

  /** Checks the URL again, because another server with laxer rules may have registered the endpoint. */
  #guard(url: URL): void {
    if (this.#allowInsecure) return
    const address = literalAddress(url)
    if (url.protocol !== 'https:' || (address !== undefined && !isPublicAddress(address)))
      throw new AddressRefused()
  }
}

/**
 * Reads the body to its end or to the first 16 KiB, and adds its start to `start`. If bytes are left, the connection is closed.
 */
async function readStart(body: AsyncIterable<Buffer>, start: Buffer[]): Promise<void> {
  let read = 0
  for await (const chunk of body) {
    if (read < MAX_KEPT) start.push(chunk)
    read += chunk.length
    if (read >= MAX_READ) break
  }
}

function textOf(start: Buffer[]): string {
  const bytes = Buffer.concat(start).subarray(0, MAX_KEPT)
  // In stream mode, the decoder leaves out a character that the cut goes through.
  const text = new TextDecoder().decode(bytes, { stream: true })
  // Neither SQLite nor PostgreSQL keeps U+0000 in text.
  return text.replaceAll('\u0000', '\ufffd')
}

const SENTENCES: readonly [RegExp, string][] = [
  [/^ERR_ADDRESS_REFUSED$/, attemptErrors.refused],
  [/^UND_ERR_CONNECT_TIMEOUT$/, attemptErrors.late],
  [/^UND_ERR_HEADERS_OVERFLOW$/, attemptErrors.unreadable],
  [/CERT|SIGNED|SIGNATURE|ISSUER|HOSTNAME/, attemptErrors.certificate],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EBADRESP|ETIMEOUT|ECANCELLED|EAI_.+)$/, attemptErrors.unresolved],
]

function describe(error: unknown, timedOut: boolean, { errors }: Undici): string {
  if (timedOut) return attemptErrors.late
  if (error instanceof errors.HTTPParserError) return attemptErrors.unreadable
  const code = codeOf(error)
  const sentence = SENTENCES.find(([pattern]) => pattern.test(code))?.[1]
  return sentence ?? attemptErrors.unconnected
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined || cause === null ? '' : codeOf(cause)
}
