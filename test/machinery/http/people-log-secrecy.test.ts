import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { fillPath } from '#machinery/web/link.ts'
import * as links from '#product/administration/users/links.ts'
import { CANARY, sightings } from '#test/support/canary.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import { fresh, OrderForms, startSale } from '#test/support/people/order-forms.ts'
import { peoplesRoutes } from '#test/support/people/people-routes.ts'

const asText = (log: readonly unknown[]) => log.map(line => JSON.stringify(line)).join('\n')

test('no line of the log has what people send to any page of any face: in its path, its query, its fields, its cookies, its headers', async t => {
  const { app, log, clock, member } = await startDashboard(t, undefined, { logLevel: 'trace' })
  const owner = await member('owner')
  const forms = new OrderForms(t, app.siteUrl)
  const names = new Proxy({}, { get: () => CANARY })
  const fields = [
    'email',
    'password',
    'name',
    'code',
    'title',
    'form.id',
    'buyer.name',
    'buyer.email',
    CANARY,
  ]
  const body = new URLSearchParams(fields.map(field => [field, `${CANARY}@example.org`]))
  const headers = {
    cookie: `session=${owner.cookies.get('session')}; other=${CANARY}`,
    authorization: `Bearer ${CANARY}`,
    referer: `${app.siteUrl}/orders/${CANARY}`,
    'user-agent': CANARY,
    'x-forwarded-for': CANARY,
  }
  for (const { method, path } of peoplesRoutes) {
    // The clock moves on, so that nobody has asked too often in a minute.
    clock.advance(MINUTE)
    for (const session of [headers.cookie, `session=${CANARY}`]) {
      const address = `${fillPath(path, names)}?${CANARY}=${CANARY}&q=${CANARY}`
      const sent = { ...headers, cookie: session }
      const { status } =
        method === 'GET' ? await forms.get(address, sent) : await forms.post(address, body, sent)
      assert.ok(status < 500, `${method} ${path}: ${status}`)
    }
  }
  assert.ok(log.length >= peoplesRoutes.length)
  assert.deepEqual(sightings(asText(log)), [])
})

test('nor what lets people in: passwords, sessions, and the links of mails and of orders', async t => {
  const server = await startSale(t, {}, { logLevel: 'trace' })
  const { log, db, accountId, visitor, member, review, order, forms } = server
  const owner = await member('owner')
  const signIn = await visitor().open('/manage/sign-in')
  const signedIn = await signIn.fill({ 'E-mail': 'owner@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(signedIn.heading, 'Events')
  const invited = { email: 'new@example.org', role: 'door', event_ids: null } as const
  const makers: [string, (tx: WriteTx) => Promise<{ token: string }>][] = [
    ['sign-in', tx => links.makeSignIn(tx, owner.user.id)],
    ['join', tx => links.invite(tx, invited)],
    ['reset', tx => links.makeReset(tx, owner.user.id)],
  ]
  const tokens: string[] = []
  for (const [path, make] of makers) {
    const { token } = await db.write(accountId, make)
    assert.equal((await visitor().open(`/manage/${path}/${token}`)).status, 200, path)
    await visitor().post(`/manage/${path}/${token}`, { password: PASSWORD, name: 'New' })
    tokens.push(token)
  }
  const { location = '' } = await order(fresh(await review()))
  for (const part of ['', '/tickets.pdf', '/calendar.ics', '/cancel'])
    assert.equal((await forms.get(location + part)).status, 200, part)
  const session = owner.cookies.get('session') as string
  const secrets = [PASSWORD, session, location.split('/')[2] as string, ...tokens]
  assert.ok(secrets.every(secret => secret.length > 15))
  const text = asText(log)
  assert.match(text, /\/orders\/\{secret\}/)
  assert.deepEqual(
    secrets.filter(secret => text.includes(secret)),
    [],
  )
})
