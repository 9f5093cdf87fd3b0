import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { HOUR } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { seeded } from '#test/durability/power-cut.ts'
import { startOfferingToSubscriber } from '#test/support/offers.ts'

/** The rule in a few lines: what should stand in the database after each step. */
class Model {
  readonly types = new Map([
    ['Free', { capacity: 3, sold: 0, rooms: ['room'] }],
    ['Other', { capacity: 4, sold: 0, rooms: ['room'] }],
    ['Alone', { capacity: 2, sold: 0, rooms: [] as string[] }],
  ])
  readonly rooms = new Map([['room', { capacity: 5, sold: 0 }]])
  /** The people, in the order in which they came. */
  readonly people: { name: string; type: string; quantity: number; state: string; until: number }[] = []

  free(type: string): number {
    const { capacity, sold, rooms } = this.#type(type)
    const left = rooms.map(name => this.#room(name).capacity - this.#room(name).sold)
    return Math.min(capacity - sold, ...left)
  }

  move(type: string, quantity: number): void {
    const found = this.#type(type)
    found.sold += quantity
    for (const name of found.rooms) this.#room(name).sold += quantity
  }

  /** @param now milliseconds */
  release(type: string, quantity: number, now: number): void {
    this.move(type, -quantity)
    this.serve(type, this.#type(type).rooms, now)
  }

  serve(type: string, rooms: readonly string[], now: number): void {
    for (const person of this.people) {
      const isOfRoom = this.#type(person.type).rooms.some(name => rooms.includes(name))
      if (person.state !== 'waiting' || (person.type !== type && !isOfRoom)) continue
      if (person.quantity > this.free(person.type)) continue
      this.move(person.type, person.quantity)
      Object.assign(person, { state: 'answer', until: now + 24 * HOUR })
    }
  }

  #type(name: string) {
    return this.types.get(name) as { capacity: number; sold: number; rooms: string[] }
  }

  #room(name: string) {
    return this.rooms.get(name) as { capacity: number; sold: number }
  }
}

const STEPS = 150

async function walk(t: TestContext, seed: number): Promise<Set<string>> {
  const model = new Model()
  const server = await startOfferingToSubscriber(t, {
    ends_at: '2027-12-01T09:00:00Z',
    registration_types: [...model.types].map(([name, { capacity }]) => ({ name, price: 0, capacity })),
    pools: [{ name: 'room', capacity: 5, registration_types: ['Free', 'Other'] }],
  })
  const { db, accountId, eventId, types, clock, expiry } = server
  const random = seeded(seed)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]
  const idOf = (type: string) => types[type] as string
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  const sold: { id: string; type: string; quantity: number }[] = []
  const offered = () => model.people.filter(({ state }) => state === 'answer')
  const done = new Set<string>()
  const end = (person: Model['people'][number] | undefined, state: string) => {
    if (person === undefined) return
    person.state = state
    model.release(person.type, person.quantity, clock())
  }
  const actions: Record<string, () => Promise<void>> = {
    async sell() {
      const type = pick([...model.types.keys()]) as string
      const quantity = 1 + Math.floor(random() * 2)
      const buyer = { name: 'Ada', email: 'ada@example.org' }
      const input = { event_id: eventId, registration_type_id: idOf(type), buyer, quantity }
      try {
        const { resource } = await write(tx => registrations.create(tx, input))
        sold.push({ id: resource.id, type, quantity })
        assert.ok(model.free(type) >= quantity, 'sold out')
        model.move(type, quantity)
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'sold_out') throw error
        assert.ok(model.free(type) < quantity, 'there was room')
      }
    },
    async join() {
      const name = `n${model.people.length}`
      const type = pick([...model.types.keys()]) as string
      const quantity = 1 + Math.floor(random() * 3)
      const entry = { name, email: `${name}@example.org`, quantity, language: 'en' } as const
      await write(tx => waitlist.join(tx, eventId, { ...entry, typeId: idOf(type) }))
      model.people.push({ name, type, quantity, state: 'waiting', until: 0 })
    },
    async cancel() {
      const [one] = sold.splice(Math.floor(random() * sold.length), 1)
      if (one === undefined) return
      await write(tx => cancelRegistration(tx, one.id))
      model.release(one.type, one.quantity, clock())
    },
    async take() {
      const person = pick(offered())
      if (person === undefined) return
      await server.take(person.name)
      person.state = 'confirmed'
      const [line] = (await server.orderOf(person.name)).registrations
      sold.push({ id: line?.id as string, type: person.type, quantity: person.quantity })
    },
    async turnDown() {
      const person = pick(offered())
      if (person !== undefined) await server.turnDown(person.name)
      end(person, 'turned_down')
    },
    async cancelOffered() {
      const person = pick(offered())
      if (person === undefined) return
      const [line] = (await server.orderOf(person.name)).registrations
      await write(tx => cancelRegistration(tx, line?.id as string))
      end(person, 'cancelled')
    },
    async lapse() {
      clock.advance(Math.floor(random() * 20) * HOUR)
      // Those of one transaction end together, in the order of their ids.
      const ids = new Map((await server.listed()).map(({ buyer, id }) => [buyer.name, id]))
      const due = offered().filter(({ until }) => until <= clock())
      due.sort(
        (a, b) => a.until - b.until || ((ids.get(a.name) as string) < (ids.get(b.name) as string) ? -1 : 1),
      )
      await expiry.look()
      for (const person of due) end(person, 'lapsed')
    },
    async raise() {
      const type = pick([...model.types.keys()]) as string
      const found = model.types.get(type)
      if (found === undefined || found.capacity > 6) return
      found.capacity++
      await write(tx => registrationTypes.update(tx, eventId, idOf(type), { capacity: found.capacity }))
      model.serve(type, [], clock())
    },
  }
  const names = Object.keys(actions)
  for (let step = 0; step < STEPS; step++) {
    clock.advance(1)
    const name = pick([...names, 'sell', 'join', 'join', 'cancel']) as string
    await actions[name]?.()
    const states = { ...Object.fromEntries(model.people.map(({ name }) => [name, 'waiting'])) }
    for (const { buyer, status, waits_for, failed_for } of (await server.listed()).reverse())
      states[buyer.name] = waits_for ?? failed_for ?? status
    for (const person of model.people) if (person.state === 'confirmed') states[person.name] = 'confirmed'
    for (const { state } of model.people) done.add(state)
    const expected = Object.fromEntries(model.people.map(({ name, state }) => [name, state]))
    assert.deepEqual(states, expected, `seed ${seed}, step ${step}: ${name}`)
    const rows = await db.read(accountId, tx => registrationTypes.listByEvent(tx, eventId))
    assert.deepEqual(
      Object.fromEntries(rows.map(type => [type.name, type.sold])),
      Object.fromEntries([...model.types].map(([type, { sold }]) => [type, sold])),
      `seed ${seed}, step ${step}: ${name}`,
    )
    assert.ok(
      [...model.types.values(), ...model.rooms.values()].every(({ sold, capacity }) => sold <= capacity),
    )
  }
  assert.deepEqual(await server.damage(), [])
  return done
}

test('whatever people do, and in whatever order, each place is held for whose turn it is, and none is sold twice', async t => {
  const done = new Set<string>()
  for (const seed of [1, 2, 3]) for (const state of await walk(t, seed)) done.add(state)
  assert.deepEqual([...done].sort(), [
    ...['answer', 'cancelled', 'confirmed', 'lapsed', 'turned_down', 'waiting'],
  ])
})
