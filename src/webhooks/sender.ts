import { Agent, request } from 'undici'
import type { Clock } from '../time.ts'
import { AddressRefused, guardedLookup, isPublicAddress, literalAddress } from './address-guard.ts'
import { signWebhook } from './signature.ts'

/** The whole of an attempt, from DNS to the end of the answer, in milliseconds: specification section 6. */
const DEADLINE = 10_000
/** How many attempts one endpoint gets at a time. */
export const IN_FLIGHT_OF_ENDPOINT = 4
/** Pools of connections that are kept. */
const MAX_AGENTS = 1_000
/** Bytes of an answer's body after which nobody reads on, and those of them that are kept. */
const MAX_READ = 16 * 1024
const MAX_KEPT = 1024

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
  /** Milliseconds of the clock. */
  startedAt: number
  endedAt: number
  /** Milliseconds that passed. */
  duration: number
  statusCode: number | null
  /** One of few sentences, which tell nothing of the inside of a network; null for an answer, whatever its status. */
  error: string | null
  /** The start of the answer's body; null without one. */
  response: string | null
}

export interface SenderOptions {
  clock: Clock
  /** Lifts the rules on scheme and address: for sandboxes and tests. */
  allowInsecure: boolean
  deadline?: number
}

/** Sends webhooks, over connections that are kept for each endpoint and checked by the address guard. */
export class Sender {
  readonly #clock: Clock
  readonly #allowInsecure: boolean
  readonly #deadline: number
  /** A pool of connections for each endpoint, the least recently used first. */
  readonly #agents = new Map<string, Agent>()

  constructor({ clock, allowInsecure, deadline = DEADLINE }: SenderOptions) {
    this.#clock = clock
    this.#allowInsecure = allowInsecure
    this.#deadline = deadline
  }

  /** Makes one attempt. Never throws: whatever happens is a result. */
  async send(outgoing: Outgoing): Promise<AttemptResult> {
    const startedAt = this.#clock()
    const started = performance.now()
    const ended = (
      result: Pick<AttemptResult, 'succeeded' | 'statusCode' | 'error' | 'response'>,
    ): AttemptResult => ({
      startedAt,
      endedAt: this.#clock(),
      duration: Math.round(performance.now() - started),
      ...result,
    })
    const signal = AbortSignal.timeout(this.#deadline)
    let statusCode: number | null = null
    try {
      this.#guardLiteral(outgoing.url)
      const answer = await request(outgoing.url, {
        method: 'POST',
        dispatcher: this.#agentOf(outgoing.endpointId),
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Turnout',
          'svc-signature': signWebhook(outgoing.secrets, startedAt, outgoing.body),
          'svc-event-type': outgoing.type,
          'svc-event-id': outgoing.eventId,
        },
        body: outgoing.body,
      })
      statusCode = answer.statusCode
      const response = await readStart(answer.body)
      return ended({ succeeded: statusCode >= 200 && statusCode < 300, statusCode, error: null, response })
    } catch (error) {
      return ended({ succeeded: false, statusCode, error: describe(error, signal.aborted), response: null })
    }
  }

  /** Cuts off what is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(agent => agent.destroy()))
  }

  #agentOf(endpointId: string): Agent {
    const agent =
      this.#agents.get(endpointId) ??
      new Agent({
        connections: IN_FLIGHT_OF_ENDPOINT,
        pipelining: 1,
        keepAliveTimeout: 30_000,
        connect: { timeout: this.#deadline, ...(this.#allowInsecure ? {} : { lookup: guardedLookup }) },
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

  #guardLiteral(url: string): void {
    const address = literalAddress(new URL(url))
    if (!this.#allowInsecure && address !== undefined && !isPublicAddress(address)) throw new AddressRefused()
  }
}

/** Reads to the end, or to the first 16 KiB, and gives the first of it; then the connection is closed where bytes are left. */
async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of body) {
    if (read < MAX_KEPT) chunks.push(chunk)
    read += chunk.length
    if (read >= MAX_READ) break
  }
  // SQLite and PostgreSQL both keep no U+0000 in text.
  return Buffer.concat(chunks).subarray(0, MAX_KEPT).toString('utf8').replaceAll('\u0000', '\ufffd')
}

const SENTENCES: Record<string, string> = {
  ERR_ADDRESS_REFUSED: 'The address of the endpoint is not allowed.',
  ENOTFOUND: 'The name of the endpoint could not be resolved.',
  EAI_AGAIN: 'The name of the endpoint could not be resolved.',
  UND_ERR_HEADERS_OVERFLOW: 'The answer could not be read.',
}

function describe(error: unknown, timedOut: boolean): string {
  if (timedOut) return 'The endpoint did not answer in time.'
  const code = codeOf(error)
  if (SENTENCES[code] !== undefined) return SENTENCES[code]
  if (code.startsWith('HPE_')) return 'The answer could not be read.'
  if (/CERT|SSL|TLS|SIGNED|ISSUER/.test(code)) return 'The certificate of the endpoint could not be verified.'
  return 'The connection to the endpoint failed.'
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined || cause === null ? '' : codeOf(cause)
}
