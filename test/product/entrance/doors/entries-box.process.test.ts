import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { seeded } from '#test/durability/power-cut.ts'
import { seedOf } from '#test/fuzz/server.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { DoorClient, pairDoor, type SentItem } from '#test/support/door/door.ts'
import { DoorModel, type ModelTicket } from '#test/support/door/door-model.ts'
import { ofSqlite, openTestDatabase } from '#test/support/engine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { organization } from '#test/support/organization.ts'
import { runCommand, startCommand, startServerProcess } from '#test/support/server-process.ts'

const TICKETS = 12
const SIZE = 12
const ZONE = 'Europe/Madrid'
const RULE = { isEachDay: true, isReentry: true, zone: ZONE }

/** Starts with an event of passes that has gone on for days, a server of it, and a phone that was paired days ago. */
async function start(t: TestContext) {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const clock = Date.now
  const began = clock()
  const db = await openTestDatabase(t, { data, clock })
  const buyer = { name: 'Grace', email: 'grace@example.org' }
  const registration = { reference: 'R', registration_type: 'Pass', buyer, quantity: TICKETS }
  const type = { name: 'Pass', price: 0, capacity: 100, entries: 'each_day', reentry: true }
  const dates = {
    starts_at: new Date(began - 5 * DAY).toISOString(),
    ends_at: new Date(began + DAY).toISOString(),
    timezone: ZONE,
  }
  const event = { ...dates, registration_types: [type], registrations: [registration] }
  await applyOrganization(db, organization({ event }), { clock })
  const server = await startServerProcess(t, data)
  const siteUrl = new URL(server.url).origin
  const paired = await pairDoor({ app: { siteUrl }, db, clock }, accountId, { event_id: eventId })
  const pairedAt = began - 4 * DAY
  await db.write(accountId, async tx => {
    await tx.run('UPDATE devices SET paired_at = $1 WHERE id = $2', [pairedAt, paired.id])
    await tx.now()
  })
  return { data, db, clock, began, server, pairedAt, token: paired.door.token as string }
}

type Pass = ModelTicket & { code: string }

/** What a server has come to by the rules alone. */
class Expected {
  readonly model = new DoorModel()
  readonly tickets: Pass[]

  constructor(codes: readonly Pick<Pass, 'id' | 'code'>[]) {
    this.tickets = codes.map(({ id, code }) => {
      const ticket: Pass = {
        ...{ id, code, refusal: undefined, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
        ...{ holder: undefined, isTouched: false },
      }
      ticket.entries = this.model.entriesOf(ticket, RULE)
      return ticket
    })
  }

  outcomeOf(id: string): string {
    return this.model.undos.get(id)?.outcome ?? this.model.outcomeOf(id)
  }

  /** Takes over the entries of a box which knows all that has been here. A check-in stays while its scan has an entry. */
  takeOver(box: Expected): void {
    for (const [at, ticket] of this.tickets.entries()) {
      const { holder, entries } = box.tickets[at] as Pass
      const own = ticket.entries as NonNullable<Pass['entries']>
      own.entries = (entries?.entries ?? []).map(entry => ({ ...entry }))
      if (own.entries.every(entry => entry.holder !== ticket.holder)) ticket.holder = holder
    }
  }
}

/** A line of the file that a box has written. */
interface CarriedLine {
  kind: SentItem['kind'] | 'entries'
  id: string
  ticket: string | null
  of: string
  scanned_at: string
}

/** A phone that makes scans of passes, each of which the model takes as well. */
class Walk {
  readonly sent: SentItem[] = []
  /** What the server that the phone speaks with has come to. */
  expected: Expected
  readonly #ofItem = new Map<string, string>()
  readonly #at: Pick<Awaited<ReturnType<typeof start>>, 'clock' | 'began' | 'pairedAt' | 'token'>
  readonly #random: () => number
  /** The first scan of the server that the phone speaks with. */
  #from = 0
  client: DoorClient

  constructor(
    at: Awaited<ReturnType<typeof start>>,
    codes: readonly { id: string; qr_code: string }[],
    random: () => number,
  ) {
    this.#at = at
    this.#random = random
    this.client = this.clientOf(at.server.url)
    this.expected = new Expected(codes.map(({ id, qr_code: code }) => ({ id, code })))
  }

  clientOf(url: string): DoorClient {
    const client = new DoorClient(new URL(url).origin, this.#at.clock)
    client.token = this.#at.token
    return client
  }

  /** The phone is led to a server, which has another past than the one before. */
  goTo(url: string): void {
    this.client = this.clientOf(url)
  }

  /** The phone takes back only what this server has seen. */
  goOn(): void {
    this.#from = this.sent.length
  }

  #make(): SentItem {
    const chance = this.#random()
    const recent = this.sent.slice(Math.max(this.#from, this.sent.length - 10))
    const before = recent[Math.floor(this.#random() * recent.length)]
    if (before !== undefined && before.kind !== 'undo' && chance < 0.1) {
      const at = Date.parse(before.at) + Math.floor(this.#random() * 9) * MINUTE
      return this.client.undo(before.scan_id, { at: new Date(at).toISOString() })
    }
    // The last pass has its own part.
    const tickets = this.expected.tickets.slice(0, -1)
    const { id, code } = tickets[Math.floor(this.#random() * tickets.length)] as Pass
    // A phone without a network may send what it has scanned days later.
    const ago = HOUR + Math.floor(this.#random() * 80 * HOUR)
    const when = { at: new Date(this.#at.began - ago).toISOString() }
    const shown = this.#random() < 0.7 ? 'admitted' : this.#random() < 0.5 ? 'refused' : null
    const item =
      chance < 0.4 ? this.client.exit({ code }, when) : this.client.scan({ code }, { ...when, shown })
    this.#ofItem.set(item.scan_id, id)
    return item
  }

  makeBatch(): SentItem[] {
    return Array.from({ length: SIZE }, () => {
      const item = this.#make()
      this.sent.push(item)
      return item
    })
  }

  take(batch: readonly SentItem[]): void {
    for (const item of batch) this.#takeOne(item, this.#ofItem.get(item.scan_id))
  }

  #takeOne(item: SentItem, of: string | undefined): void {
    const { clock, pairedAt } = this.#at
    const { model, tickets } = this.expected
    const ticket = tickets.find(({ id }) => id === of)
    model.take({ item, ticket, never: undefined, isRevoked: false, pairedAt, now: clock() })
  }

  /**
   * Comes home from the box. The server there has had what came before the box, and now takes the lines of the file in their
   * order, as if a door had sent them. Then its entries are those of the box.
   */
  bringHome(before: number, lines: readonly CarriedLine[]): void {
    const box = this.expected
    this.expected = new Expected(box.tickets)
    this.take(this.sent.slice(0, before))
    for (const { kind, id, ticket, of, scanned_at: at } of lines) {
      const shown = kind === 'scan' ? 'admitted' : null
      if (kind !== 'entries')
        this.#takeOne({ scan_id: id, kind, at, offset: 0, shown, of }, ticket ?? undefined)
    }
    this.expected.takeOver(box)
  }

  /** Makes scans of the last pass on one day: each an hour after the one before. */
  makeDouble() {
    const { id, code } = this.expected.tickets.at(-1) as Pass
    const noon = new Date(this.#at.began - 2 * DAY).setUTCHours(10, 0, 0, 0)
    const make = (kind: 'scan' | 'exit', hour: number) => {
      const item = this.client[kind]({ code }, { at: new Date(noon + hour * HOUR).toISOString() })
      if (kind === 'scan') item.shown = 'admitted'
      this.#ofItem.set(item.scan_id, id)
      return item
    }
    const [first, exit, atBox] = [make('scan', 0), make('exit', 1), make('scan', 2)]
    const [second, atHome] = [make('exit', 3), make('scan', 4)]
    return { atHome: [first, atHome], onBox: [atBox, exit, second] }
  }

  async send(batch: readonly SentItem[]): Promise<void> {
    this.sent.push(...batch)
    assert.equal((await this.client.send(batch)).status, 200)
    this.take(batch)
  }

  async scanSome(batches: number): Promise<void> {
    for (let at = 0; at < batches; at++) {
      const batch = this.makeBatch()
      assert.equal((await this.client.send(batch)).status, 200)
      this.take(batch)
    }
  }

  /** Sends all that the phone has kept, as it does where a server has another past. */
  async sendAll(): Promise<void> {
    for (let at = 0; at < this.sent.length; at += SIZE)
      assert.equal((await this.client.send(this.sent.slice(at, at + SIZE))).status, 200)
    this.take(this.sent)
  }

  /**
   * Compares a database with the model: what became of each scan, each entry and each check-in.
   *
   * @param isCarried whether a file has brought the last scans: it has none that came to nothing
   */
  async compare(db: Database, where: string, isCarried = false): Promise<void> {
    const [scans, entries, checkIns] = await db.read(INSTANCE, async tx => [
      await tx.all<{ id: string; outcome: string }>('SELECT id, outcome FROM scans'),
      await tx.all<{ attendee_id: string; scan_id: string; left_scan_id: string | null }>(
        'SELECT attendee_id, scan_id, left_scan_id FROM entries ORDER BY entered_at, slot',
      ),
      await tx.all<{ attendee_id: string; scan_id: string }>('SELECT attendee_id, scan_id FROM check_ins'),
    ])
    const outcomes = new Map(scans.map(({ id, outcome }) => [id, outcome]))
    for (const { scan_id: id, kind } of this.sent) {
      const expected = this.expected.outcomeOf(id)
      const isNothing = expected === 'refused' || (expected === 'undone' && kind !== 'undo')
      if (!isCarried || outcomes.has(id) || !isNothing)
        assert.equal(outcomes.get(id), expected, `${where}: ${kind} ${id}`)
    }
    const known = new Set(this.sent.map(({ scan_id: id }) => id))
    assert.ok(
      scans.every(({ id }) => known.has(id)),
      `${where}: nothing else was scanned`,
    )
    assert.ok(isCarried || scans.length === known.size, where)
    for (const { id, holder, entries: expected } of this.expected.tickets) {
      const own = entries.filter(({ attendee_id }) => attendee_id === id)
      assert.deepEqual(
        own.map(({ scan_id, left_scan_id }) => [scan_id, left_scan_id]),
        expected?.entries.map(each => [each.holder, each.exit ?? null]),
        where,
      )
      const held = checkIns.filter(({ attendee_id }) => attendee_id === id).map(({ scan_id }) => scan_id)
      assert.deepEqual(held, holder === undefined ? [] : [holder], where)
    }
    assert.deepEqual(await findDamage(db), [], where)
  }
}

test(
  'passes go in and out at home, on the box and at home again, each killed in between, as the model says',
  ofSqlite,
  async t => {
    const random = seeded(seedOf(t))
    const at = await start(t)
    const codes = await at.db.read(INSTANCE, tx =>
      tx.all<{ id: string; qr_code: string }>('SELECT id, qr_code FROM attendees ORDER BY id'),
    )
    const walk = new Walk(at, codes, random)
    // Two doors let somebody in with one pass. The box then lets in a third one, and hears late of two exits.
    const double = walk.makeDouble()
    await walk.send(double.atHome)
    walk.goOn()
    await walk.scanSome(4)
    await walk.compare(at.db, 'at home')

    // The box is a restored copy, and the server at home goes on meanwhile.
    const folder = diskFolder(t)
    const [copy, door, file] = ['copy.db', 'door', 'scans.jsonl'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(t, ...args)
      assert.equal(code, 0, stderr)
      return stdout
    }
    await run('backup', copy, '--data', at.data)
    await run('restore', copy, '--data', door)
    let box = await startServerProcess(t, door, { flags: ['--door-only'] })
    walk.goTo(box.url)
    await walk.sendAll()
    const before = walk.sent.length
    await walk.send(double.onBox)
    walk.goOn()
    await walk.scanSome(2)
    for (let kill = 0; kill < 2; kill++) {
      const batch = walk.makeBatch()
      const victim = box
      setTimeout(random() * 15).then(() => victim.kill('SIGKILL'))
      await walk.client.send(batch).catch(() => undefined)
      assert.equal((await victim.ended).signal, 'SIGKILL')
      box = await startServerProcess(t, door, { flags: ['--door-only'] })
      walk.goTo(box.url)
      // Whether the box has them or not: the phone has no answer, and sends them once more.
      assert.equal((await walk.client.send(batch)).status, 200)
      walk.take(batch)
      await walk.scanSome(1)
    }
    box.kill('SIGKILL')
    await box.ended
    const boxed = await openTestDatabase(t, { data: door, clock: at.clock })
    await walk.compare(boxed, 'on the box')
    await run('scan', 'export', file, '--data', door)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1)
    walk.bringHome(
      before,
      lines.map(line => JSON.parse(line)),
    )

    // An import that is killed has brought a part, and the next one brings the rest; a third one brings nothing.
    const killed = startCommand(t, 'scan', 'import', file, '--data', at.data)
    await setTimeout(300 + random() * 900)
    killed.kill('SIGKILL')
    await killed.ended
    at.server.kill('SIGKILL')
    await at.server.ended
    await run('scan', 'import', file, '--data', at.data)
    await walk.compare(at.db, 'brought home', true)
    const again = await run('scan', 'import', file, '--data', at.data)
    assert.match(again, /^New here: 0 admitted, 0 conflicts, 0 undone(, 0 exits)?\. Known already: \d\d+\.$/m)
    await walk.compare(at.db, 'brought home twice', true)

    // The phone goes on at home, and sends first all that it has.
    const home = await startServerProcess(t, at.data)
    walk.goTo(home.url)
    await walk.sendAll()
    await walk.compare(at.db, 'sent once more')
    walk.goOn()
    await walk.scanSome(4)
    await walk.compare(at.db, 'at home again')
    const later = walk.expected.tickets.reduce(
      (sum, { entries }) => sum + Math.max(0, (entries?.entries.length ?? 0) - 1),
      0,
    )
    assert.ok(later > 10, `${later} later entries`)
  },
)
