import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import * as v from 'valibot'
import { Problem } from '#base/problem.ts'
import { type Clock, toIso } from '#base/time.ts'
import { readProgress } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import type { Context, FaceRoute, Stage, State } from '#machinery/http/face.ts'
import { parseJson, readBody } from '#machinery/http/json-body.ts'
import type { Holding, MemoryBudget } from '#machinery/http/memory-budget.ts'
import { answerJson, streamOf } from '#machinery/http/sending.ts'
import { valuesOf } from '#machinery/http/sent-headers.ts'
import { REPORT, readerFor } from '#machinery/http/streamed.ts'
import { changesOf, copyOf } from '#product/entrance/doors/copy.ts'
import { receiveScans } from '#product/entrance/doors/receiving.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { pairSchema, scansSchema } from '#product/entrance/doors/schemas.ts'
import { gzipped } from './gzip.ts'

export interface DoorServices {
  db: Database
  clock: Clock
  log: Logger
  memory: MemoryBudget
  clientAddress: (request: IncomingMessage) => string
}

/** One address may send this many requests a minute with a secret or a token that is refused. */
const FAILED = 60

/** Answers a request with a good token. */
type Answer = (context: Context, caller: Caller) => Promise<void>
type Caller = Awaited<ReturnType<typeof doors.authenticate>>

/** Answers the scanners' requests. They send JSON with a token in `Authorization`, and have no limit by device. */
export class DoorRequests {
  readonly #services: DoorServices
  readonly #failures: AddressLimit

  constructor(services: DoorServices) {
    const { clock, clientAddress } = services
    this.#services = services
    this.#failures = new AddressLimit({ clock, clientAddress, most: FAILED })
  }

  routes(): FaceRoute<State>[] {
    return [
      { method: 'POST', path: '/pair', stages: [context => this.#pair(context)] },
      { method: 'GET', path: '/copy', stages: [this.#by((context, caller) => this.#copy(context, caller))] },
      {
        method: 'GET',
        path: '/changes',
        logLevel: 'debug',
        stages: [this.#by((context, caller) => this.#changes(context, caller))],
      },
      {
        method: 'POST',
        path: '/scans',
        stages: [this.#by((context, caller) => this.#scans(context, caller), { isForRevoked: true })],
      },
    ]
  }

  /** Runs a request that needs a device. A revoked device may only send what it holds. */
  #by(answer: Answer, { isForRevoked } = { isForRevoked: false }): Stage {
    return async context => {
      const { db, clock } = this.#services
      const token = bearerOf(context.req)
      const caller = await this.#counted(context, () =>
        db.read(INSTANCE, tx => doors.authenticate(tx, token ?? '', clock()), { ahead: true }),
      )
      context.state.asker = { device_id: caller.device.id }
      if (caller.device.isRevoked && !isForRevoked) throw new Problem('device_revoked')
      await answer(context, caller)
    }
  }

  /** Counts refused requests, so that nobody goes on guessing. */
  async #counted<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Problem) this.#failures.apply(context)
      throw error
    }
  }

  async #pair(context: Context): Promise<void> {
    const { db, clock, memory, clientAddress } = this.#services
    // The device is not known yet, so the address has to hold the memory.
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const { secret } = readJson(pairSchema, await readInto(context, holding))
    const { token, device } = await this.#counted(context, async () => {
      const accountId = await db.read(INSTANCE, tx => doors.accountOfSecret(tx, secret))
      return db.write(accountId, tx => doors.pair(tx, secret))
    })
    const { epoch } = await db.read(INSTANCE, readProgress)
    const { id, name, event_id, search, unlisted, way } = device
    const paired = { id, name, event_id, search, unlisted, way, registration_type_ids: device.typeIds }
    answerJson(context, 201, JSON.stringify({ token, device: paired, epoch, now: toIso(clock()) }))
  }

  async #copy(context: Context, { device, sign }: Caller): Promise<void> {
    const { db, clock, log, memory } = this.#services
    memory.openForDevice(context.res, device.id).keep('answer', REPORT)
    await this.#note(device, sign)
    const chunks = copyOf(readerFor(db, context.res), device, clock)
    const isCompressed = context.acceptsEncodings('gzip', 'identity') === 'gzip'
    context.type = 'application/json; charset=utf-8'
    context.vary('Accept-Encoding')
    if (isCompressed) context.set('Content-Encoding', 'gzip')
    context.status = 200
    context.body = streamOf(context.res, isCompressed ? gzipped(chunks) : chunks, error => {
      if (context.res.destroyed) return
      log.error({ err: error, request_id: context.state.requestId }, 'a list broke off')
    })
  }

  async #changes(context: Context, { device, sign }: Caller): Promise<void> {
    const { db, clock } = this.#services
    const cursor = readCursor(context.querystring)
    await this.#note(device, sign)
    const changes = await db.read(device.account_id, tx => changesOf(tx, device, cursor, clock()))
    answerJson(context, 200, JSON.stringify(changes))
  }

  async #scans(context: Context, { device, sign }: Caller): Promise<void> {
    const { db, clock, memory } = this.#services
    const body = await readInto(context, memory.openForDevice(context.res, device.id))
    const sent = readJson(scansSchema, body)
    const results = await receiveScans({ db }, { device, sign }, sent)
    const { epoch } = await db.read(INSTANCE, readProgress)
    answerJson(context, 200, JSON.stringify({ epoch, now: toIso(clock()), results }))
  }

  /** Writes only if the sign is new, because a read that comes every second must not cause a write each time. */
  async #note(device: doors.CallingDevice, sign: doors.Sign): Promise<void> {
    if (!sign.endsPairing && !sign.isSeen) return
    await this.#services.db.write(device.account_id, tx => doors.noteSign(tx, device.id, sign))
  }
}

function readInto(context: Context, holding: Holding): Promise<Buffer> {
  return readBody(context.req, bytes => holding.keep('body', bytes))
}

/**
 * Returns the token of `Authorization: Bearer`. It returns none if there are two, because a proxy may have checked the other one.
 */
function bearerOf(request: IncomingMessage): string | undefined {
  const [authorization = '', ...others] = valuesOf(request, 'authorization')
  return others.length > 0 ? undefined : /^bearer +([\w-]+)$/i.exec(authorization)?.[1]
}

/** @throws Problem malformed_json, invalid_parameter */
function readJson<Output>(schema: v.GenericSchema<unknown, Output>, body: Buffer): Output {
  const read = v.safeParse(schema, parseJson(body), { abortEarly: true })
  if (read.success) return read.output
  const param = v.getDotPath(read.issues[0]) ?? undefined
  throw new Problem('invalid_parameter', param === undefined ? {} : { param })
}

/** @throws Problem invalid_parameter */
function readCursor(querystring: string): number {
  const [text = '', ...others] = new URLSearchParams(querystring).getAll('cursor')
  if (others.length > 0 || !/^\d{1,15}$/.test(text))
    throw new Problem('invalid_parameter', { param: 'cursor' })
  return Number(text)
}
