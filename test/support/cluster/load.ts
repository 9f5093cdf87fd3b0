import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Nodes } from '../postgres-nodes.ts'
import { newRegistration } from '../requests.ts'
import { startBuying } from './buyers.ts'

/** What came of the requests, each of which was sent again until it was answered. */
export interface Load {
  /** The imports by their keys. */
  readonly answers: ReadonlyMap<string, Answer>
  /** The tickets that were admitted. */
  readonly admitted: ReadonlySet<string>
  /** The orders, by the ids of their forms. */
  readonly orders: ReadonlyMap<string, string>
  /** How many of the orders money is back from. */
  readonly refunded: number
  /** How often a server said that it cannot answer now. */
  readonly refusals: number
  /** Waits until so many more imports are answered. */
  more(imports: number): Promise<void>
  /** Stops sending, waits for those under way, and asks for each again: the same has to come. */
  stop(): Promise<void>
}

export interface LoadOptions {
  eventId: string
  types: Readonly<Record<string, string>>
  key: string
  /** Tells its keys from those of other loads. */
  name: string
  /** How many of the clients order, pay and get money back. */
  buyers: number
  /** How long a client waits after an answer, in milliseconds: what is asked for is asked for again at the end. */
  breath: number
}

/** A request that may be sent again. */
interface Keyed {
  path: string
  key: string
  body: string
}

interface Answer {
  status: number
  text: string
}

/** How many clients send at once. */
const CLIENTS = 32
/** How long a client waits for an answer, in milliseconds, and before it sends again. */
const PATIENCE = 7_000
const PAUSE = 100

export function startLoad(
  nodes: Nodes,
  { eventId, types, key, buyers, breath, name: load }: LoadOptions,
): Load {
  // Those of one type would wait for each other even without the lock.
  const bodies = Object.values(types).map(registration_type_id =>
    JSON.stringify(newRegistration({ eventId, types }, { registration_type_id })),
  )
  const answers = new Map<string, Answer>()
  const checkIns: [Keyed, Answer][] = []
  const admitted = new Set<string>()
  let refusals = 0
  let isStopping = false

  const send = async (
    { path, key: idempotencyKey, body }: Keyed,
    at: number,
  ): Promise<Answer | undefined> => {
    const server = nodes.servers[at % nodes.servers.length]
    const response = await fetch(`${server?.url}${path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        'idempotency-key': idempotencyKey,
      },
      body,
      signal: AbortSignal.timeout(PATIENCE),
    })
    const text = await response.text()
    if (response.status !== 429 && response.status !== 503) return { status: response.status, text }
    assert.match((JSON.parse(text) as { error: { message: string } }).error.message, /^[A-Z].*\.$/)
    refusals++
    return undefined
  }
  /** Sends a request to one server after the other, until one answers. */
  const ask = async (keyed: Keyed, first: number): Promise<Answer> => {
    for (let at = first; ; at++) {
      nodes.signal.throwIfAborted()
      const answer = await orNothing(send(keyed, at))
      if (answer !== undefined) return answer
      await pause(PAUSE)
    }
  }
  const toImport = (name: string): Keyed => ({
    ...{ path: '/registrations', key: name },
    body: bodies[Number(name.split('-')[2]) % bodies.length] as string,
  })
  /** Has two doors admit one ticket at once. */
  const admit = async (ticket: string, first: number) => {
    const both = [0, 1].map(door => ({
      ...{ path: '/check-ins', key: `door-${door}-${ticket}` },
      body: JSON.stringify({ attendee_id: ticket }),
    }))
    const [one, other] = await Promise.all(both.map((keyed, door) => ask(keyed, first + door)))
    const ends = [one, other] as [Answer, Answer]
    assert.deepEqual(ends.map(({ status }) => status).sort(), [201, 409], JSON.stringify(ends))
    for (const [door, end] of ends.entries()) checkIns.push([both[door] as Keyed, end])
    admitted.add(ticket)
  }
  const client = async (name: number) => {
    for (let count = 0; !isStopping; count++) {
      const keyed = toImport(`${load}-${name}-${count}`)
      const answer = await ask(keyed, name + count)
      assert.equal(answer.status, 201, answer.text)
      answers.set(keyed.key, answer)
      if (count % 4 === 0) await admit(ticketOf(answer), name)
      await pause(breath)
    }
  }
  const again = async ([keyed, before]: [Keyed, Answer]) => {
    assert.deepEqual(await ask(keyed, before.text.length), before)
  }
  const clients = Promise.all(Array.from({ length: CLIENTS - buyers }, (_, name) => client(name)))
  clients.catch(() => undefined)
  const buying = buyers === 0 ? undefined : startBuying(nodes, Object.values(types)[0] as string, buyers)
  return {
    ...{ answers, admitted },
    get orders() {
      return buying?.orders ?? new Map<string, string>()
    },
    get refunded() {
      return buying?.refunded ?? 0
    },
    get refusals() {
      return refusals
    },
    more: async imports => {
      const goal = answers.size + imports
      while (answers.size < goal) await Promise.race([pause(20), clients])
    },
    stop: async () => {
      isStopping = true
      await Promise.all([clients, buying?.stop()])
      const all: [Keyed, Answer][] = [...answers].map(([name, answer]) => [toImport(name), answer])
      await inTurns([...all, ...checkIns], again)
    },
  }
}

/** What a network does to a request is no answer. */
export async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return undefined
  }
}

/** Does so with each, as many at once as there are clients. */
export async function inTurns<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const turn = async () => {
    for (let each = left.pop(); each !== undefined; each = left.pop()) await work(each)
  }
  await Promise.all(Array.from({ length: CLIENTS }, turn))
}

function ticketOf({ text }: Answer): string {
  return (JSON.parse(text) as { attendees: [{ id: string }] }).attendees[0].id
}
