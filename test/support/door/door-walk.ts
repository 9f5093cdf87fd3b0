import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { HOUR, MINUTE, SECOND } from '#base/time.ts'
import { renewEpoch } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import {
  type Counts,
  decideMany,
  type ManyScans,
  onlySome,
  previewDecision,
  start,
} from '#product/entrance/check-ins/decide-many.ts'
import { exportScans } from '#product/entrance/check-ins/door-history.ts'
import { type HistoryLine, readHistoryLine } from '#product/entrance/check-ins/door-history-schemas.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { voidTickets } from '#product/guests/registrations/voiding.ts'
import { type Fate, LossyProxy } from '../lossy-proxy.ts'
import { organization } from '../organization.ts'
import { ok, startReceiver } from '../receiver.ts'
import { startWithOrganization } from '../server.ts'
import { subscribeToAll } from '../subscriber.ts'
import { DOOR, DoorClient, type SentItem, secretOf } from './door.ts'
import { DoorModel, type ModelTicket } from './door-model.ts'
import { Phone } from './door-phone.ts'
import { DoorsAtHome } from './doors-at-home.ts'

export type Random = () => number

/** A ticket that people hold up at doors. */
interface ShownTicket extends ModelTicket {
  code: string
  registrationId: string
  typeId: string
  isOfEvent: boolean
}

const FATES: readonly Fate[] = [
  ...['pass', 'pass', 'pass', 'drop', 'lose', 'lose', 'repeat', 'late', 'overtaken'],
] as Fate[]
const WHILES = [SECOND, SECOND, 10 * SECOND, MINUTE, 7 * MINUTE, 40 * MINUTE]
const TYPES = [
  { name: 'Day', price: 0, capacity: 1_000_000 },
  { name: 'Morning', price: 0, capacity: 1_000_000 },
  { name: 'Evening', price: 0, capacity: 1_000_000 },
]
/** The rules of the types in walks with entries. */
const RULES: Readonly<Record<string, { entries: 'once' | 'each_day'; reentry: boolean }>> = {
  Day: { entries: 'each_day', reentry: true },
  Morning: { entries: 'each_day', reentry: false },
  Evening: { entries: 'once', reentry: true },
}
const ZONE = 'Europe/Madrid'
/** In the nights after these evenings the clocks change. */
const CHANGES = ['2027-03-27T18:00:00Z', '2027-10-30T18:00:00Z']
const LONG = { starts_at: '2026-11-21T09:00:00Z', ends_at: '2040-11-22T18:00:00Z' }
/** This many walks share doors: a door that is taken away is replaced. */
const WALKS_A_DOOR = 40

type Server = Awaited<ReturnType<typeof startWithOrganization>>

/** An event with doors behind a bad network, whose guests, organizer and clocks do what a seed says. */
export class DoorWalks {
  readonly #server: Server
  readonly #proxy: LossyProxy
  readonly #isWithEntries: boolean
  readonly #otherEvent: { id: string; typeId: string }
  #phones: Phone[] = []
  #model = new DoorModel()
  #tickets: ShownTicket[] = []
  /** Notes of each scan of a walk its ticket, and whether its door never admits it. */
  #scanned = new Map<string, { ticket: ShownTicket; never: string | undefined }>()
  #doorTypes = new Map<string, string | undefined>()
  #walks = 0
  /** Counts how many scans came to each outcome. */
  readonly seen: Record<string, number> = {}

  private constructor(server: Server, proxy: LossyProxy, isWithEntries: boolean) {
    this.#server = server
    this.#isWithEntries = isWithEntries
    this.#proxy = proxy
    const other = server.applied.events.other as Server['applied']['events'][string]
    this.#otherEvent = { id: other.id, typeId: other.registration_types.Day as string }
    proxy.onForwarded = ({ path, token, body }, { status, text }) => {
      if (path === '/door/scans') this.#replay(token, body, status, text)
    }
  }

  /** @param isWithEntries whether tickets admit more than once */
  static async open(t: TestContext, isWithEntries = false): Promise<DoorWalks> {
    const types = TYPES.map(type => (isWithEntries ? { ...type, ...RULES[type.name] } : type))
    const other = { ...organization().events[0], ...LONG, slug: 'other', title: 'Other' }
    const file = organization({
      event: { ...LONG, ...(isWithEntries && { timezone: ZONE }), registration_types: types },
      events: [{ ...other, registration_types: types }],
    })
    const settings = { allowInsecureWebhooks: true }
    const server = await startWithOrganization(t, file, { logLevel: 'error', settings })
    // Of thousands of walks a receiver keeps nothing.
    const receiver = await startReceiver(t)
    receiver.behave((response, received) => {
      receiver.received.length = 0
      ok(response, received)
    })
    await subscribeToAll(server.db, server.applied.account_id, receiver.url)
    return new DoorWalks(server, await LossyProxy.start(t, server.app.siteUrl), isWithEntries)
  }

  async walk(random: Random): Promise<void> {
    await this.#begin(random)
    const steps = 12 + Math.floor(random() * 28)
    for (let step = 0; step < steps; step++) {
      await this.#step(random)
      this.#proxy.refuseFailure()
    }
    await this.#heal(random)
    await this.#hold()
    for (const phone of this.#phones) await this.#holdPhone(phone)
    // A second time, in another order, it changes nothing.
    for (const phone of [...this.#phones].reverse()) {
      if (phone.kept.length > 0) await phone.send([...phone.kept].reverse())
    }
    this.#proxy.refuseFailure()
    await this.#hold()
    await this.#decideOn({ decision: pick(random, ['count', 'count', 'dismiss']) }, () => true)
    await this.#hold()
    if (this.#isWithEntries) await this.#carry()
  }

  async #begin(random: Random): Promise<void> {
    const { db, applied, clock, eventId } = this.#server
    clock.advance(2 * HOUR)
    // The walks before took weeks at the most.
    const change = CHANGES[Math.floor(this.#walks / 10) - 1]
    if (this.#isWithEntries && this.#walks % 10 === 0 && change !== undefined) clock.set(change)
    this.#model = new DoorModel()
    this.#scanned.clear()
    const noon = clock() + (this.#isWithEntries ? 15 * HOUR : 30 * MINUTE)
    await db.write(applied.account_id, async tx => {
      const set =
        'UPDATE registration_types SET valid_from = $1, valid_until = $2 WHERE event_id = $3 AND name = $4'
      await tx.run(set, [null, noon, eventId, 'Morning'])
      await tx.run(set, [noon, null, eventId, 'Evening'])
      await tx.now()
    })
    if (this.#walks++ % WALKS_A_DOOR === 0) this.#phones = []
    this.#phones = this.#phones.filter(({ isRevoked }) => !isRevoked)
    while (this.#phones.length < 2 + Math.floor(random() * 3)) this.#phones.push(await this.#pair(random))
    for (const phone of this.#phones) phone.forget()
    this.#tickets = [
      await this.#sell('Day', noon),
      await this.#sell(pick(random, ['Morning', 'Evening']), noon),
    ]
    if (random() < 0.5) this.#tickets.push(await this.#sell('Other', noon))
    for (const phone of this.#phones) await phone.catchUp()
  }

  async #pair(random: Random): Promise<Phone> {
    const { db, applied, app, clock, eventId, types } = this.#server
    const typeId = random() < 0.2 ? types.Day : undefined
    const input = {
      ...DOOR,
      event_id: eventId,
      registration_type_ids: typeId === undefined ? null : [typeId],
    }
    const { id, pairing_url } = await db.write(applied.account_id, tx => doors.add(tx, input, app.siteUrl))
    this.#doorTypes.set(id, typeId)
    const client = new DoorClient(this.#proxy.url, clock)
    await client.pair(secretOf(pairing_url))
    return new Phone(id, client, clock())
  }

  async #sell(type: string, noon: number): Promise<ShownTicket> {
    const { client, eventId, types } = this.#server
    const isOfEvent = type !== 'Other'
    const typeId = isOfEvent ? (types[type] as string) : this.#otherEvent.typeId
    const { body } = await client.post('/registrations', {
      event_id: isOfEvent ? eventId : this.#otherEvent.id,
      registration_type_id: typeId,
      buyer: { name: 'Grace', email: 'grace@example.org' },
    })
    const [{ id, qr_code: code }] = body.attendees
    const ticket: ShownTicket = {
      ...{ id, code, registrationId: body.id, typeId, isOfEvent },
      ...{ from: type === 'Evening' ? noon : Number.NEGATIVE_INFINITY, refusal: undefined, isTouched: false },
      ...{ until: type === 'Morning' ? noon : Number.POSITIVE_INFINITY, holder: undefined },
    }
    const rule = this.#isWithEntries && isOfEvent ? RULES[type] : undefined
    if (rule !== undefined) {
      const of = { isEachDay: rule.entries === 'each_day', isReentry: rule.reentry, zone: ZONE }
      ticket.entries = this.#model.entriesOf(ticket, of)
    }
    return ticket
  }

  async #step(random: Random): Promise<void> {
    const { clock } = this.#server
    const phone = pick(random, this.#phones)
    const chance = random()
    if (chance < 0.32) this.#scan(random, phone)
    else if (chance < 0.44) say(random, phone)
    else if (chance < 0.54) this.#undo(random, phone)
    else if (chance < 0.8) await this.#sync(random)
    else if (chance < 0.88)
      clock.advance(pick(random, this.#isWithEntries ? [...WHILES, 3 * HOUR, 7 * HOUR] : WHILES))
    else if (chance < 0.93 && this.#phones.some(({ isRevoked }) => isRevoked))
      await this.#decide(random, phone)
    else await this.#byOthers(random, phone)
  }

  #scan(random: Random, phone: Phone): void {
    const ticket = pick(random, this.#tickets)
    const isByHand = random() < 0.15
    const isOffline = random() < 0.4
    // The clock is wrong, and is corrected but for a second or two; rarely it is right.
    if (random() < 0.1) phone.wrong = pick(random, [0, 2 * HOUR, -5 * HOUR, 3 * 24 * HOUR])
    const offset = random() < 0.95 ? -phone.wrong - Math.floor(random() * 2 * SECOND) : 0
    const at = new Date(this.#server.clock() + phone.wrong).toISOString()
    const shown = isOffline ? (random() < 0.8 ? 'admitted' : 'refused') : null
    const isExit = this.#isWithEntries && random() < 0.35
    const of = isByHand ? { ticket: ticket.id } : { code: ticket.code }
    const item = isExit ? phone.client.exit(of, { at, offset }) : phone.client.scan(of, { at, offset, shown })
    const type = this.#doorTypes.get(phone.id)
    const ofOther = isByHand ? 'not_found' : 'wrong_event'
    const ofType = type === undefined || type === ticket.typeId ? undefined : 'wrong_door'
    this.#scanned.set(item.scan_id, { ticket, never: ticket.isOfEvent ? ofType : ofOther })
    phone.keep(item)
  }

  #undo(random: Random, phone: Phone): void {
    const all = random() < 0.8 ? phone.kept : this.#phones.flatMap(({ kept }) => kept)
    const scans = all.filter(({ item }) => item.kind !== 'undo')
    if (scans.length === 0) return
    if (random() < 0.2) this.#server.clock.advance(11 * MINUTE)
    const undo = phone.client.undo(pick(random, scans).item.scan_id)
    // The undo is sent before its scan half of the time.
    if (random() < 0.5) phone.keep(undo)
    else phone.kept.unshift({ item: undo, acknowledged: 'nothing' })
  }

  /** Several phones send at once, each some of what it has. */
  async #sync(random: Random): Promise<void> {
    this.#proxy.fateOf = () => pick(random, FATES)
    const some = this.#phones.filter(() => random() < 0.7)
    await Promise.all(
      some.map(async phone => {
        if (random() < 0.1) phone.sendAgain()
        const { waiting } = phone
        if (waiting.length === 0) return
        if (random() < 0.3) waiting.sort(() => random() - 0.5)
        await phone.send(waiting.slice(0, 1 + Math.floor(random() * 6)))
      }),
    )
    this.#proxy.fateOf = undefined
    const phone = pick(random, this.#phones)
    if (random() < 0.3 && !phone.isRevoked) await phone.catchUp()
  }

  async #byOthers(random: Random, phone: Phone): Promise<void> {
    const { client, db, applied, clock } = this.#server
    const ticket = pick(random, this.#tickets)
    const chance = random()
    if (chance < 0.3) {
      const { status, body } = await client.post('/check-ins', { attendee_id: ticket.id })
      const refusal = this.#model.refusalOf(ticket, clock())
      assert.equal(status === 201 ? undefined : body.error.code, refusal)
      ticket.isTouched = true
      if (refusal === undefined) {
        ticket.holder = body.id
        ticket.entries?.enter(body.id, clock())
      }
    } else if (chance < 0.5) {
      if (ticket.holder === undefined) return
      await db.write(applied.account_id, tx => checkIns.undo(tx, ticket.id))
      ticket.isTouched = true
      this.#model.takeBack(ticket)
    } else if (chance < 0.65) {
      ticket.isTouched = true
      await client.post(`/registrations/${ticket.registrationId}/cancel`)
      ticket.refusal = 'registration_cancelled'
    } else if (chance < 0.72) {
      if (ticket.refusal !== undefined) return
      ticket.isTouched = true
      const of = { ticketIds: [ticket.id], refunded: 0 }
      await db.write(applied.account_id, tx => voidTickets(tx, ticket.registrationId, of))
      ticket.refusal = 'registration_cancelled'
    } else if (chance < 0.8) {
      await db.write(INSTANCE, tx => renewEpoch(tx, clock()))
      this.#model.epochAt = clock()
    } else if (this.#phones.filter(({ isRevoked }) => !isRevoked).length > 1) {
      await db.write(applied.account_id, tx => doors.revoke(tx, phone.id))
      phone.isRevoked = true
      // Whatever it sends from now on is refused.
      for (const each of this.#tickets) each.isTouched = true
    }
  }

  /** Decides about what is held: the preview comes true, and is what the model says. */
  async #decide(random: Random, phone: Phone): Promise<void> {
    const { clock } = this.#server
    await this.#proxy.settled()
    const decision = pick(random, ['count', 'count', 'dismiss'] as const)
    const from = clock() - pick(random, WHILES)
    const which: Pick<ManyScans, 'deviceId' | 'from' | 'to'> = pick(random, [
      ...[{}, { deviceId: phone.id }, { from }, { to: from }],
    ])
    const { deviceId, from: first = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = which
    await this.#decideOn({ decision, ...which }, ({ id, at }) => {
      const isOfPhone = phone.kept.some(({ item }) => item.scan_id === id)
      return (deviceId === undefined || isOfPhone) && at >= first && at < to
    })
  }

  async #decideOn(
    which: Omit<ManyScans, 'eventId' | 'decision'> & { decision: 'count' | 'dismiss' },
    isMeant: (held: { id: string; at: number }) => boolean,
  ): Promise<void> {
    const { db, applied, eventId } = this.#server
    const scans: ManyScans = { eventId, ...which }
    const accountId = applied.account_id
    const look = await previewDecision(db, accountId, scans)
    const { id } = await db.write(accountId, tx => start(tx, scans, { look, by: 'cli' }))
    const { outcome } = await runHere(db, accountId, id, decideMany)
    const expected = this.#model.decide(which.decision, isMeant)
    assert.deepEqual(onlySome(outcome as unknown as Counts), expected)
    assert.deepEqual(onlySome(look.outcomes), expected)
    if (look.scans === 0) return
    this.#see(`decided: ${which.decision}`)
    for (const each of this.#tickets) each.isTouched = true
  }

  /** What the doors did is carried to a database that has nothing of it, as from a box to the server at home, and is the same there. */
  async #carry(): Promise<void> {
    const { db, applied, clock } = this.#server
    // A database that was restored meanwhile does not carry what it had before.
    if (this.#model.epochAt > Number.NEGATIVE_INFINITY) return
    const tickets = this.#tickets.filter(({ isOfEvent, refusal }) => isOfEvent && refusal === undefined)
    const ids = tickets.map(({ id }) => id)
    const lines: HistoryLine[] = []
    for await (const some of exportScans(db, applied.account_id, clock())) {
      for (const line of some) {
        const read = readHistoryLine(line)
        if (!('line' in read)) continue
        const of = read.line.kind === 'undo' ? this.#scanned.get(read.line.of)?.ticket.id : read.line.ticket
        if (ids.includes(of ?? (read.line.ticket as string))) lines.push(read.line)
      }
    }
    const there = new DoorsAtHome(ids, lines)
    const before = await db.read(applied.account_id, tx => there.read(tx))
    for (const times of [1, 2]) {
      const after = await there.take(db, applied.account_id, times)
      assert.equal(
        JSON.stringify(after, null, 1),
        JSON.stringify(before, null, 1),
        `carried ${times} times: ${JSON.stringify(lines)}`,
      )
    }
    this.#see('carried')
  }

  /** Returns the damage of the database. */
  async findDamage(): Promise<string[]> {
    return findDamage(this.#server.db)
  }

  /** The network is sound again, and everybody says what the guests saw. */
  async #heal(random: Random): Promise<void> {
    await this.#proxy.settled()
    for (const phone of this.#phones) {
      while (phone.kept.some(({ item }) => item.kind === 'scan' && item.shown === null)) say(random, phone)
    }
    for (const phone of this.#phones) await this.#flush(phone)
  }

  async #flush(phone: Phone): Promise<void> {
    while (phone.waiting.length > 0) {
      await phone.send(phone.waiting)
      this.#proxy.refuseFailure()
    }
  }

  /** Has the model take each item that reached the server, and compares the answers. */
  #replay(token: string, body: string, status: number, text: string): void {
    const phone = this.#phones.find(({ client }) => token === `Bearer ${client.token}`)
    assert.ok(phone, 'a scan is from nobody')
    assert.equal(status, 200, text)
    const { results } = JSON.parse(text)
    const { pairedAt, isRevoked } = phone
    for (const [at, item] of (JSON.parse(body).scans as SentItem[]).entries()) {
      const scanned = this.#scanned.get(item.scan_id)
      const now = this.#server.clock()
      const [ticket, never] = [scanned?.ticket, scanned?.never]
      this.#model.take({ item, ticket, never, isRevoked, pairedAt, now })
      if (item.kind === 'undo') {
        const expected = this.#model.undos.get(item.scan_id)?.outcome
        assert.equal(results[at].outcome, expected, text)
        if (expected === 'refused') this.#see('undo too late')
      } else assert.equal(results[at].outcome, this.#model.outcomeOf(item.scan_id), JSON.stringify(item))
    }
  }

  #see(what: string): void {
    this.seen[what] = (this.seen[what] ?? 0) + 1
  }

  /** Compares the database with the model, and with what the phones have received. */
  async #hold(): Promise<void> {
    const { db } = this.#server
    for (const ticket of this.#tickets) {
      const rows = await db.read(INSTANCE, tx =>
        tx.all<{ id: string; scan_id: string | null }>(
          'SELECT id, scan_id FROM check_ins WHERE attendee_id = $1',
          [ticket.id],
        ),
      )
      const holders = rows.map(({ id, scan_id }) => scan_id ?? id)
      assert.deepEqual(holders, ticket.holder === undefined ? [] : [ticket.holder])
      if (ticket.entries !== undefined) await this.#holdEntries(ticket, rows[0]?.id)
      if (!ticket.isTouched) assert.equal(holders.length === 1, this.#model.isInByScans(ticket))
    }
    for (const id of this.#scanned.keys()) {
      const row = await db.read(INSTANCE, tx =>
        tx.one<{ outcome: string; shown: string | null }>('SELECT outcome, shown FROM scans WHERE id = $1', [
          id,
        ]),
      )
      assert.equal(row?.outcome, this.#model.outcomeOf(id))
      this.#see(row?.outcome ?? '')
    }
    for (const { id, outcome } of this.#model.undos.values()) {
      const row = await db.read(INSTANCE, tx =>
        tx.one<{ outcome: string }>('SELECT outcome FROM scans WHERE id = $1', [id]),
      )
      assert.equal(row?.outcome, outcome)
    }
  }

  async #holdEntries({ id, entries }: ShownTicket, checkIn: string | undefined): Promise<void> {
    const rows = await this.#server.db.read(INSTANCE, tx =>
      tx.all<{ scan_id: string | null; left_scan_id: string | null }>(
        'SELECT scan_id, left_scan_id FROM entries WHERE attendee_id = $1 ORDER BY entered_at',
        [id],
      ),
    )
    assert.deepEqual(
      rows.map(({ scan_id, left_scan_id }) => [scan_id ?? checkIn, left_scan_id]),
      entries?.entries.map(({ holder, exit = null }) => [holder, exit]),
    )
    this.#see(`${rows.length} entries`)
  }

  async #holdPhone(phone: Phone): Promise<void> {
    if (phone.isRevoked) return
    await phone.catchUp()
    await this.#flush(phone)
    for (const { item } of phone.kept) {
      if (item.kind === 'undo') continue
      assert.equal(phone.outcomes.get(item.scan_id), this.#model.outcomeOf(item.scan_id), 'a phone has heard')
    }
    const { body } = await phone.client.copy()
    const ofWalk = new Set(this.#tickets.map(({ id }) => id))
    for (const row of body.tickets) {
      if (ofWalk.has(row[0])) assert.equal(phone.copy.get(row[0]), JSON.stringify(row))
    }
  }
}

function say(random: Random, phone: Phone): void {
  const asks = phone.kept.filter(({ item }) => item.kind === 'scan' && item.shown === null)
  const ask = asks.at(Math.floor(random() * asks.length))
  if (ask === undefined) return
  const { scan_id } = ask.item
  // It shows what it heard in time; else its copy decides.
  const answer = phone.outcomes.get(scan_id)
  const isAnswered = answer !== undefined && random() < 0.7
  const isAdmitted = isAnswered ? answer === 'admitted' : random() < 0.6
  ask.item.shown = isAdmitted ? 'admitted' : 'refused'
}

function pick<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)] as T
}
