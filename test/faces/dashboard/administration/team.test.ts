import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { request } from 'undici'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { MemoryBudget } from '#machinery/http/memory-budget.ts'
import * as users from '#product/administration/users/rules.ts'
import { organization } from '#test/support/organization.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'

const twoEvents = () => organization({ events: [{ slug: 'second', title: 'Second <b>Meeting</b>' }] })

/** Returns the link that a page shows, as an address of this server. */
function linkOn(page: ReadPage): string {
  return new URL(page.field('The link').value).pathname
}

test('an owner invites somebody to one event, by a link that one page shows and that works once', async t => {
  const { member, visitor, accountId, eventId, db } = await startDashboard(t, twoEvents())
  const owner = await member('owner')
  const form = await (await owner.open(`/manage/a/${accountId}/team`)).follow('Invite somebody')
  const filled = form.fill({
    'E-mail': 'grace@example.org',
    Door: true,
    'Only those': true,
    'Spring Meeting': true,
  })
  const shown = await filled.press('Make the invitation')
  assert.equal(shown.status, 200)
  assert.match(shown.heading, /An invitation for grace@example.org/)
  const link = linkOn(shown)
  const team = await owner.open(`/manage/a/${accountId}/team`)
  assert.match(team.text, /grace@example.org\s*door\s*Spring Meeting/)
  assert.ok(!team.html.includes(link))

  const grace = visitor()
  const page = await (await grace.open(link)).fill({ 'Your name': 'Grace', Password: PASSWORD }).press('Join')
  assert.match(page.messages.join(), /You are in/)
  const members = await db.read(accountId, tx => users.list(tx))
  assert.deepEqual(members.map(({ role, event_ids }) => [role, event_ids]).at(-1), ['door', [eventId]])
  assert.equal((await visitor().open(link)).status, 410)
})

test('the form of an invitation that is sent again makes no second one, and does not show the link again', async t => {
  const { member, accountId, app } = await startDashboard(t)
  const owner = await member('owner')
  const form = await owner.open(`/manage/a/${accountId}/team/invite`)
  form.fill({ 'E-mail': 'grace@example.org', Reviewer: true })
  const link = linkOn(await form.press('Make the invitation'))
  const again = await form.press('Make the invitation')
  assert.equal(again.heading, 'Team')
  assert.match(again.messages.join(), /shown only once/)
  assert.ok(!again.html.includes(link))
  assert.equal(again.rows().filter(row => row.includes('grace@example.org')).length, 1)
  // The first link is still good: nothing has voided it.
  assert.equal((await request(app.siteUrl + link)).statusCode, 200)
})

test('a role that is limited to events names at least one, and an owner has all: what was typed stays', async t => {
  const { member, accountId } = await startDashboard(t)
  const owner = await member('owner')
  const form = await owner.open(`/manage/a/${accountId}/team/invite`)
  form.fill({ 'E-mail': 'grace@example.org', Door: true, 'Only those': true })
  const none = await form.press('Make the invitation')
  assert.equal(none.status, 400)
  assert.match(none.text, /Tick at least one/)
  assert.equal(none.field('E-mail').value, 'grace@example.org')
  const all = await none.fill({ Owner: true, 'Spring Meeting': true }).press('Make the invitation')
  assert.match(all.text, /An owner has all events/)
  const refused = await all
    .fill({ 'E-mail': 'OWNER@example.org', 'All, those': true })
    .press('Make the invitation')
  assert.match(refused.text, /in the team already/)
  assert.equal((await owner.open(`/manage/a/${accountId}/team`)).rows().length, 1)
})

test('an invitation that is revoked no longer works', async t => {
  const { member, visitor, accountId } = await startDashboard(t)
  const owner = await member('owner')
  const form = await owner.open(`/manage/a/${accountId}/team/invite`)
  const link = linkOn(await form.fill({ 'E-mail': 'g@example.org', Door: true }).press('Make the invitation'))
  const team = await (await owner.open(`/manage/a/${accountId}/team`)).press('Revoke the invitation of g@')
  assert.match(team.messages.join(), /g@example.org no longer works/)
  assert.equal((await visitor().open(link)).status, 410)
})

test('a role is changed at once, and of two owners who change it at the same time the second sees it', async t => {
  const { member, accountId } = await startDashboard(t)
  const [ada, bob] = [await member('owner'), await member('owner', { email: 'bob@example.org' })]
  const door = await member('door')
  const open = async (owner: typeof ada) =>
    (await owner.open(`/manage/a/${accountId}/team`)).follow('Person door')
  const [first, second] = [await open(ada), await open(bob)]
  assert.match((await first.fill({ Manager: true }).press('Save')).messages.join(), /saved/)
  assert.equal((await door.open(`/manage/a/${accountId}/new-event`)).status, 200)
  const conflict = await second.fill({ Finance: true }).press('Save')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Somebody changed this to “Manager: events, guests/)
  await conflict.press('Save')
  assert.equal((await door.open(`/manage/a/${accountId}/new-event`)).status, 403)
})

test('who is removed is out with the next click; the last owner stays', async t => {
  const { member, accountId } = await startDashboard(t)
  const owner = await member('owner')
  const door = await member('door')
  const team = await owner.open(`/manage/a/${accountId}/team`)
  const asks = await (await team.follow('Person door')).follow('Remove')
  assert.equal(asks.heading, 'Remove Person door?')
  assert.equal((await door.open(`/manage/a/${accountId}`)).status, 200, 'asking removes nobody')
  const done = await asks.press('Remove from the team')
  assert.match(done.messages.join(), /no longer in the team/)
  assert.equal((await door.open(`/manage/a/${accountId}`)).heading, 'Sign in')
  const self = await (await done.follow('Person owner', 'owner@example.org')).follow('Remove')
  const refused = await self.press('Remove from the team')
  assert.match(refused.text, /must keep an owner/)
  const demoted = await (await done.follow('Person owner', 'owner@example.org'))
    .fill({ Door: true })
    .press('Save')
  assert.match(demoted.text, /must keep an owner/)
})

test('an owner makes a link for a member to choose a new password, and none for themselves', async t => {
  const { member, visitor, accountId, clock } = await startDashboard(t)
  await member('owner', { email: 'operator@example.org' })
  const owner = await member('owner')
  const door = await member('door')
  const team = await owner.open(`/manage/a/${accountId}/team`)
  const asks = await (await team.follow('Person door')).follow('Link for a new password')
  const link = linkOn(await asks.press('Make the link'))
  assert.equal((await door.open(`/manage/a/${accountId}`)).status, 200, 'only its use ends the sessions')
  const chosen = await (await visitor().open(link)).fill({ Password: 'a new long one' }).press('Save')
  assert.equal(chosen.heading, 'Sign in')
  assert.equal((await door.open(`/manage/a/${accountId}`)).heading, 'Sign in')
  clock.advance(DAY / 24)

  const page = await owner.open('/manage/profile')
  assert.equal(page.status, 200)
  const own = (await owner.open(`/manage/a/${accountId}/team`)).document
  const [, self] = [...own.querySelectorAll<HTMLAnchorElement>('tbody th a')].map(a => a.pathname)
  // Whoever has stolen a session would choose the password by it.
  const refused = await (await owner.open(`${self}/reset`)).press('Make the link')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /in your profile/)
  assert.doesNotMatch(refused.html, /manage\/reset\/[\w-]{43}/)
})

test('who is removed while their form still comes in does nothing by it', async t => {
  const { member, accountId, db, app } = await startDashboard(t)
  await member('owner')
  const manager = await member('manager')
  const body = 'title=Late&timezone=UTC&currency=EUR'
  const entered = new Promise<void>(resolve => {
    const { open } = MemoryBudget.prototype
    t.mock.method(
      MemoryBudget.prototype,
      'open',
      function (this: MemoryBudget, ...args: Parameters<typeof open>) {
        resolve()
        return open.apply(this, args)
      },
    )
  })
  const slowly = async function* () {
    yield body.slice(0, 5)
    await entered
    await db.write(accountId, async tx => {
      const members = await users.list(tx)
      const found = members.find(({ user }) => user.id === manager.user.id)
      await users.removeMember(tx, found?.id as string)
    })
    yield body.slice(5)
  }
  const answer = await request(`${app.siteUrl}/manage/a/${accountId}/new-event`, {
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      cookie: `session=${manager.cookies.get('session')}`,
    },
    body: Readable.from(slowly()),
  })
  await answer.body.dump()
  assert.equal(answer.statusCode, 401)
  const events = await db.read(INSTANCE, tx => tx.all('SELECT id FROM events'))
  assert.equal(events.length, 1)
})

test('the team in Spanish', async t => {
  const { member, accountId } = await startDashboard(t)
  const owner = await member('owner', { language: 'es' })
  const page = await owner.open(`/manage/a/${accountId}/team/invite`)
  const shown = await page.fill({ 'Correo electrónico': 'g@example.org', Puerta: true }).press('Crear')
  assert.equal(shown.heading, 'Una invitación para g@example.org')
})
