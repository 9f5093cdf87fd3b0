import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, SECOND } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { paymentWays } from '#product/catalog/events/states.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as connections from '#product/selling/payments/connections.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newEvent, newType, seller } from '#test/support/people/organizer.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

const BANK = { holder: 'Ada', account: 'ES9121000418450200051332', code: null, note: null }

/** Starts a server whose organizer makes events, each with types. Only the event decides how it is paid. */
async function start(t: TestContext) {
  const server = await startDashboard(t, organization({ event: { status: 'draft' } }), {
    settings: { orderRate: 100_000 },
  })
  const { db, accountId, clock, client, member, visitor } = server
  await db.write(accountId, tx => accounts.update(tx, seller))
  const owner = await member('owner')
  /** The server sees what others commit a moment later, or when it commits something itself. */
  const seen = () => client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  const make = async (event: object, types: readonly Parameters<typeof newType>[1][]) => {
    const made = await db.write(accountId, async tx => {
      const { id, slug } = await events.create(tx, newEvent({ ...event, visibility: 'public' }))
      const made = []
      for (const [at, type] of types.entries())
        made.push(await registrationTypes.create(tx, id, newType(`Kind ${at}.`, type)))
      return { id, slug, types: made }
    })
    await seen()
    return made
  }
  const setBank = async (isThere: boolean) => {
    await db.write(accountId, async tx => {
      if (isThere) await connections.saveBank(tx, BANK)
      else await tx.run("DELETE FROM payment_connections WHERE method = 'transfer'", [])
    })
    await seen()
  }
  let buyers = 0
  /** Tries to order so many of a type by the forms of its event. Returns whether there is an order. */
  const tryOrder = async (slug: string, query: string) => {
    const form = await visitor().open(`/ada/${slug}/register?${query}`)
    if (form.status !== 200) return false
    clock.advance(SECOND)
    const email = `buyer-${buyers++}@example.org`
    const review = await form.fill({ 'Your name': 'Grace', 'Your e-mail': email }).press('Continue')
    if (review.status !== 200 || review.heading !== 'Is this right?') return false
    const way = review.document.querySelector<HTMLInputElement>('input[name=pay]')
    if (way?.type === 'radio') way.checked = true
    const isPaid = review.document.querySelector('main .button.main')?.textContent !== 'Register'
    const placed = await review.press(isPaid ? 'Order with obligation to pay' : 'Register')
    return placed.status === 200 && /^\/orders\//.test(placed.path)
  }
  return { ...server, owner, make, setBank, tryOrder, seen }
}

/** Returns the text of each type's pill, in the order of the types. */
const pillsOf = (page: ReadPage) =>
  page.rows().map(row => STATES.find(state => row.includes(state)) ?? `no state in ${row}`)

const STATES = [
  'On sale with a code',
  'On sale once published',
  'On sale later',
  'On sale',
  'No way to pay',
  'Sold out',
  'Sale has ended',
  'Not on sale',
] as const

/** Returns numbers from 0 to below 1 that are the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Some = Awaited<ReturnType<typeof start>>

/** Returns a random event with its types. Instants are whole days from the clock, or hours for an event of this day. */
function eventOf(random: () => number, now: number) {
  const oneOf = <Value>(...values: Value[]) => values[Math.floor(random() * values.length)] as Value
  const starts_at = now + oneOf(-3 * DAY, 6 * HOUR, 10 * DAY, 10 * DAY)
  const event = {
    title: 'Of chance',
    starts_at,
    ends_at: starts_at + 2 * HOUR,
    payment_ways: oneOf(...paymentWays),
    requires_approval: random() < 0.2,
  }
  const types = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const min_per_order = oneOf(1, 1, 2)
    return {
      price: oneOf(0, 30, 5000),
      capacity: oneOf(0, 1, 5, 20),
      active: random() < 0.85,
      hidden: random() < 0.2,
      min_per_order,
      max_per_order: oneOf(null, min_per_order, 3),
      sales_start: oneOf(null, null, now - DAY, now + DAY),
      sales_end: oneOf(null, null, null, now - HOUR, now + 2 * DAY),
    }
  })
  // A sale does not end before it begins.
  return { event, types: types.map(type => ({ ...type, sales_start: sorted(type) })) }
}

function sorted({ sales_start, sales_end }: { sales_start: number | null; sales_end: number | null }) {
  return sales_start !== null && sales_end !== null && sales_end < sales_start ? null : sales_start
}

/** Publishes a draft by its overview, and checks that the page before says what its pills say. */
async function publish({ owner }: Some, id: string, pills: readonly string[]): Promise<void> {
  const overview = await owner.open(`/manage/e/${id}`)
  const isUnpayable = pills.includes('No way to pay')
  const sells = pills.some(pill => /once published|later|No way/.test(pill))
  assert.equal(overview.text.includes('Nobody can pay for'), isUnpayable, overview.text)
  assert.equal(overview.text.includes('That is all it needs'), sells && !isUnpayable, overview.text)
  const answer = await overview.press('Publish')
  if (sells && !isUnpayable) return assert.match(answer.text, /Published/)
  const named = pills.filter(pill => (sells ? pill === 'No way to pay' : pill !== 'Not on sale'))
  assert.match(answer.heading, /all the same\?$/)
  assert.equal(answer.document.querySelectorAll('.will li').length, named.length + 1, answer.text)
  assert.match((await owner.open(`/manage/e/${id}`)).text, /Draft/, 'nothing is published yet')
  assert.match((await answer.press('Publish all the same')).text, /Published/)
}

test('what can be bought is what the checklist, the pills, the needs and the page of an event say, whatever the types, dates and ways', async t => {
  const shop = await start(t)
  const { owner, make, setBank, tryOrder, db, accountId, clock, visitor, seen } = shop
  const random = numbersFrom(24)
  const met = new Set<string>()
  for (let round = 0; round < 32; round++) {
    clock.advance(60 * SECOND)
    if (round % 2 === 0) await setBank(random() < 0.5)
    const { event, types } = eventOf(random, clock())
    const made = await make(event, types)
    await db.write(accountId, tx => codes.create(tx, made.id, CODE))
    const pills = async () => pillsOf(await owner.open(`/manage/e/${made.id}/tickets`))
    const asDraft = await pills()
    if (asDraft.every(pill => pill === 'Not on sale')) continue
    for (const { id, min_per_order: least } of made.types)
      assert.equal(await tryOrder(made.slug, `q.${id}=${least}`), false, 'a draft sells nothing')
    await publish(shop, made.id, asDraft)
    await seen()
    const now = await pills()
    const needs = (await owner.open(`/manage/a/${accountId}`)).text
    const unpayable = now.filter(pill => pill === 'No way to pay').length
    assert.equal(needs.includes('Nobody can pay for'), unpayable > 0, needs)
    const page = await visitor().open(`/ada/${made.slug}/`)
    for (const [at, type] of made.types.entries()) {
      const pill = now[at] as string
      const description = `round ${round}, ${pill}: ${JSON.stringify({ ...event, ...types[at] })}`
      const isOffered = page.document.querySelector(`select[name="q.${type.id}"]`) !== null
      assert.equal(isOffered, pill === 'On sale', description)
      const query = `q.${type.id}=${type.min_per_order}`
      assert.equal(await tryOrder(made.slug, query), pill === 'On sale', description)
      if (pill !== 'On sale') {
        const byCode = await tryOrder(made.slug, `${query}&code=OPEN`)
        assert.equal(byCode, pill === 'On sale with a code', description)
      }
      met.add(pill)
    }
    await db.write(accountId, tx => events.setStatus(tx, made.id, 'completed'))
  }
  assert.deepEqual([...met].sort(), STATES.filter(state => state !== 'On sale once published').sort())
})

const CODE = {
  ...{ code: 'OPEN', percent: null, amount: null, registration_type_ids: null, max_tickets: null },
  ...{ valid_from: null, valid_until: null, active: true, note: null },
}

const SOON = Date.parse('2027-02-01T09:00:00Z')

test('a draft that nobody can pay has a step with three buttons, of which one click lets people pay at the door', async t => {
  const { make, owner, member, accountId, db } = await start(t)
  const { id } = await make({ starts_at: SOON }, [{ price: 5000 }, { price: 0 }])
  const overview = await owner.open(`/manage/e/${id}`)
  assert.match(overview.text, /Nobody can pay for Kind 0\./)
  assert.doesNotMatch(overview.text, /That is all it needs|Kind 1\. ?Connect/)
  assert.equal(
    (await overview.follow('Connect Stripe')).path.replace(/\?.*/, ''),
    `/manage/a/${accountId}/payments/stripe`,
  )
  assert.equal(
    (await overview.follow('Add a bank account')).path.replace(/\?.*/, ''),
    `/manage/a/${accountId}/payments/bank`,
  )
  const manager = await (await member('manager')).open(`/manage/e/${id}`)
  assert.doesNotMatch(manager.text, /Connect Stripe|Add a bank/, 'who sets up no payments is led to none')
  const ready = await manager.press('At the door only')
  assert.match(ready.text, /That is all it needs/)
  assert.doesNotMatch(ready.text, /Nobody can pay/)
  const event = await db.read(accountId, tx => events.getDetails(tx, id))
  assert.deepEqual([event.payment_ways, event.status], ['door', 'draft'])
})

test('an event that takes only what is not set up offers every way that is', async t => {
  const { make, owner, setBank, db, accountId } = await start(t)
  await setBank(true)
  const { id } = await make({ starts_at: SOON, payment_ways: 'stripe' }, [{ price: 5000 }])
  const overview = await owner.open(`/manage/e/${id}`)
  assert.deepEqual(
    [...overview.document.querySelectorAll('#checklist ~ ul .row .button')].map(each => each.textContent),
    ['Connect Stripe', 'Every way that is set up', 'At the door only'],
  )
  assert.match((await overview.press('Every way that is set up')).text, /That is all it needs/)
  assert.equal((await db.read(accountId, tx => events.getDetails(tx, id))).payment_ways, 'set_up')
})

test('publishing all the same names the types, and is asked again if they have become others', async t => {
  const { make, owner, db, accountId, seen, visitor } = await start(t)
  const { id, slug, types } = await make({ starts_at: SOON }, [{ price: 5000 }, { price: 0 }, { price: 100 }])
  const confirmation = await (await owner.open(`/manage/e/${id}`)).press('Publish')
  assert.equal(confirmation.path, `/manage/e/${id}/publish/anyway`)
  assert.match(confirmation.text, /Kind 0\.: No way to pay ?Kind 2\.: No way to pay/)
  assert.doesNotMatch(confirmation.text, /Kind 1\./)
  await db.write(accountId, tx => registrationTypes.update(tx, id, types[2]?.id as string, { active: false }))
  const again = await confirmation.press('Publish all the same')
  assert.equal(again.status, 409)
  assert.doesNotMatch(again.text, /Kind 2\./)
  const status = async () => (await db.read(accountId, tx => events.get(tx, id))).status
  assert.equal(await status(), 'draft')
  const actions = () =>
    db.read(accountId, async tx =>
      (
        await tx.all<{ action: string }>(
          "SELECT action FROM access_log WHERE account_id = $1 AND action = 'event.publish'",
          [tx.accountId],
        )
      ).map(({ action }) => action),
    )
  const tries = (await actions()).length
  const done = await again.press('Publish all the same')
  assert.match(done.text, /Undo/)
  assert.equal(await status(), 'published')
  assert.equal((await actions()).length, tries + 1)
  await seen()
  const page = await visitor().open(`/ada/${slug}/`)
  assert.match(page.text, /Kind 0\..*Not sold on this page/)
})

test('a published event that nobody can pay needs whoever edits it, and nobody else, until people can pay', async t => {
  const { make, member, accountId, db } = await start(t)
  const { id } = await make({ starts_at: SOON }, [{ price: 5000 }, { price: 100 }, { price: 0 }])
  const { id: other } = await make({ title: 'Other', starts_at: SOON }, [{ price: 0 }])
  const home = `/manage/a/${accountId}`
  const manager = await member('manager')
  assert.doesNotMatch((await manager.open(home)).text, /Nobody can pay/, 'a draft needs nobody')
  await db.write(accountId, tx => events.setStatus(tx, id, 'published'))
  const needed = await manager.open(home)
  assert.match(needed.text, /Nobody can pay for 2 ticket types ?Autumn Meeting/)
  const finance = await member('finance')
  const door = await member('door')
  const elsewhere = await member('manager', { email: 'elsewhere@example.org', eventIds: [other] })
  for (const reader of [finance, door, elsewhere])
    assert.doesNotMatch((await reader.open(home)).text, /Nobody can pay/)
  assert.doesNotMatch((await finance.open(`/manage/e/${id}`)).text, /Nobody can pay/)
  const overview = await needed.follow('Look', 'Nobody can pay')
  assert.match(overview.text, /Nobody can pay for Kind 0\. and Kind 1\./)
  await overview.press('At the door only')
  assert.doesNotMatch((await manager.open(home)).text, /Nobody can pay/)
  await db.write(accountId, tx => events.update(tx, id, { payment_ways: 'set_up' }))
  await db.write(accountId, tx => events.update(tx, id, { starts_at: Date.parse('2026-01-01T00:00:00Z') }))
  assert.doesNotMatch((await manager.open(home)).text, /Nobody can pay/, 'an event that is over needs nobody')
})

test('a transfer that would come too late is no way to pay, on the page of an event too, from the minute on', async t => {
  const { make, setBank, clock, visitor, db, accountId, member, tryOrder } = await start(t)
  await setBank(true)
  const starts_at = clock() + 5 * DAY
  const { id, slug, types } = await make({ starts_at, ends_at: starts_at + HOUR }, [{ price: 5000 }])
  await db.write(accountId, tx => events.setStatus(tx, id, 'published'))
  clock.advance(4 * DAY + HOUR - SECOND)
  // A session does not last until then, so the manager signs in only now.
  const manager = await member('manager')
  const pill = async () => pillsOf(await manager.open(`/manage/e/${id}/tickets`))
  assert.deepEqual(await pill(), ['On sale'])
  assert.doesNotMatch((await visitor().open(`/ada/${slug}/`)).text, /Not sold on this page/)
  clock.advance(2 * SECOND)
  assert.match((await visitor().open(`/ada/${slug}/`)).text, /Not sold on this page/)
  assert.deepEqual(await pill(), ['No way to pay'])
  assert.equal(await tryOrder(slug, `q.${types[0]?.id}=1`), false)
})

test('the review says until when places are kept for a transfer, and never longer than the event lasts', async t => {
  const { make, setBank, clock, visitor, db, accountId } = await start(t)
  await setBank(true)
  const starts_at = clock() + 60 * DAY
  const { id, slug, types } = await make({ starts_at, ends_at: starts_at + HOUR, payment_days: 9 }, [
    { price: 5000 },
  ])
  await db.write(accountId, tx => events.setStatus(tx, id, 'published'))
  const review = async () => {
    const form = await visitor().open(`/ada/${slug}/register?q.${types[0]?.id}=1`)
    clock.advance(SECOND)
    return form.fill({ 'Your name': 'Grace', 'Your e-mail': 'g@example.org' }).press('Continue')
  }
  const day = (at: number) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(at)
  assert.ok((await review()).text.includes(`Your places are kept for you until ${day(clock() + 9 * DAY)}: `))
  clock.advance(55 * DAY)
  assert.ok((await review()).text.includes(`Your places are kept for you until ${day(starts_at)}: `))
})

test('an order that waits for approval is refused where nobody could pay it afterwards, by a form of before too', async t => {
  const { make, visitor, clock, db, accountId, seen, client } = await start(t)
  const { id, slug, types } = await make({ starts_at: SOON, requires_approval: true, payment_ways: 'door' }, [
    { price: 5000 },
  ])
  await db.write(accountId, tx => events.setStatus(tx, id, 'published'))
  await seen()
  const form = await visitor().open(`/ada/${slug}/register?q.${types[0]?.id}=1`)
  clock.advance(SECOND)
  const review = await form.fill({ 'Your name': 'Grace', 'Your e-mail': 'g@example.org' }).press('Continue')
  await db.write(accountId, tx => events.update(tx, id, { payment_ways: 'set_up' }))
  const refused = await review.press('Order with obligation to pay')
  assert.match(refused.text, /no way to pay for it here/)
  assert.deepEqual((await client.get(`/registrations?event_id=${id}`)).body.data, [])
})

test('in Spanish, the checklist and what stands in the way are Spanish', async t => {
  const { make, member } = await start(t)
  const { id } = await make({ starts_at: SOON }, [{ price: 5000 }])
  const reader = await member('owner', { email: 'es@example.org', language: 'es' })
  const overview = await reader.open(`/manage/e/${id}`)
  assert.match(overview.text, /Nadie puede pagar Kind 0\..*Solo en la puerta/)
  const confirmation = await overview.press('Publicar')
  assert.match(confirmation.heading, /^¿Publicar/)
  assert.match(confirmation.text, /Sin forma de pago/)
  for (const page of [overview, confirmation]) assert.doesNotMatch(page.text, /\b(pay|publish|door|the)\b/i)
})
