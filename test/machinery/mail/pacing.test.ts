import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR } from '#base/time.ts'
import { type Pace, reserveSlot } from '#machinery/mail/pacing.ts'
import { open } from '#test/product/data-care/organization/open.ts'
import { organization } from '#test/support/organization.ts'

const HOURLY: Readonly<Record<Pace, number>> = { buyers: 60, others: 5, confirmed: 20 }
const paces = Object.keys(HOURLY) as Pace[]
/** The turns of these hours are given: this one, and those until a day later. */
const HOURS = DAY / HOUR + 1

/** Starts with two accounts, and a clock that stands still. */
async function start(t: TestContext) {
  const { db, clock, apply, count } = await open(t)
  const accountOf = async (email: string) =>
    (await apply(organization({ email, events: [] }))).account_id as string
  const [accountId, other] = [await accountOf('ada@example.org'), await accountOf('bob@example.org')]
  let taken = 0
  /** @returns in how many milliseconds it comes; undefined where it does not */
  const take = async (networks: string[], of: Pace | Pace[], account = accountId) => {
    const turns = { networks, paces: [of].flat(), subjectId: `order ${taken++}` }
    const due = await db.write(account, tx => reserveSlot(tx, turns))
    return due === undefined ? undefined : due - clock()
  }
  const takeMany = async (many: number, ...of: Parameters<typeof take>) => {
    const dues: (number | undefined)[] = []
    while (dues.length < many) dues.push(await take(...of))
    return dues
  }
  return { clock, take, takeMany, other, turns: () => count('mail_turns') }
}

for (const pace of paces)
  test(`of one network ${HOURLY[pace]} of "${pace}" go an hour, the next an hour after the first; nobody else waits for them`, async t => {
    const { clock, take, takeMany, other } = await start(t)
    const most = HOURLY[pace]
    for (const network of ['one', 'two', 'three'])
      assert.deepEqual(await takeMany(most, [network], pace), Array(most).fill(0))
    assert.equal(await take(['one'], pace), HOUR)
    assert.equal(await take(['other'], pace), 0)
    assert.equal(await take(['one'], pace, other), 0, 'orders at another organizer')
    for (const free of paces.filter(each => each !== pace)) assert.equal(await take(['one'], free), 0)
    clock.advance(HOUR - 1)
    assert.equal(await take(['two'], pace), 1)
    clock.advance(1)
    assert.equal(await take(['three'], pace), 0)
    // One turn of this hour is used: the rest may go, and no more.
    assert.deepEqual(
      (await takeMany(most, ['three'], pace)).map(due => due === HOUR),
      [...Array(most - 1).fill(false), true],
    )
  })

for (const pace of paces)
  test(`of "${pace}" the turns of a day are given and no more: the next has none, takes none, and has one an hour later`, async t => {
    const { clock, take, takeMany, turns } = await start(t)
    const most = HOURLY[pace]
    const dues = await takeMany(most * HOURS, ['one'], pace)
    assert.deepEqual(
      dues,
      dues.map((_, at) => Math.floor(at / most) * HOUR),
    )
    assert.equal(dues.at(-1), DAY)
    const before = await turns()
    assert.equal(await take(['one'], pace), undefined)
    assert.equal(await take(['one', 'wide'], paces), undefined, 'none of those that would be free either')
    assert.equal(await turns(), before)
    assert.equal(await take(['two'], pace), 0)
    clock.advance(HOUR - 1)
    assert.equal(await take(['one'], pace), undefined)
    clock.advance(1)
    assert.equal(await take(['one'], pace), DAY)
  })

test('a wider network has four times as many, however many narrower ones it holds', async t => {
  const { take } = await start(t)
  const dues: (number | undefined)[] = []
  for (let n = 0; n < 4 * HOURLY.others; n++) dues.push(await take([`n${n}`, 'wide'], 'others'))
  assert.deepEqual(dues, Array(4 * HOURLY.others).fill(0))
  assert.equal(await take(['fresh', 'wide'], 'others'), HOUR)
  assert.equal(await take(['fresh', 'elsewhere'], 'others'), 0)
})

test('what was taken by a clock that was ahead holds nobody up', async t => {
  const { clock, take, takeMany } = await start(t)
  clock.advance(30 * DAY)
  await takeMany(HOURLY.others * HOURS, ['one'], 'others')
  clock.advance(-30 * DAY)
  assert.equal(await take(['one'], 'others'), 0)
})
