import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { INSTANCE } from '#machinery/db/port.ts'
import * as links from '#product/administration/users/links.ts'
import { PASSWORD } from '#test/support/people/dashboard.ts'
import { knownDevice, NEW, OWNER, startBehindProxy, WRONG } from '#test/support/people/signing-in.ts'

/** Opens a hundred connections that send wrong passwords, for the owner's e-mail and others, each from an address of its own. */
function flood(origin: string) {
  const agent = new Agent({ connections: 100, pipelining: 1 })
  const statuses = new Map<number, number>()
  let sent = 0
  let isOver = false
  const attack = async () => {
    while (!isOver) {
      const at = sent++
      const email = at % 2 === 0 ? OWNER : `nobody${at}@example.org`
      const { statusCode, body } = await request(`${origin}/manage/sign-in`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
        },
        body: new URLSearchParams({ email, password: `${WRONG} ${at}`, to: '', carried: '' }).toString(),
      })
      await body.dump()
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      // A client that is refused at once comes again a little later.
      if (statusCode !== 401) await pause(500)
    }
  }
  const running = Promise.all(Array.from({ length: 100 }, attack))
  /** It has to be called before the server stops. */
  const end = async () => {
    isOver = true
    await running
    await agent.close()
  }
  const countOf = (status: number) => statuses.get(status) ?? 0
  return { countOf, end }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20)
}

test('while a hundred connections send wrong passwords from ever new addresses, the owner signs in from a known device, an address with a session, and after a reset link', async t => {
  const server = await startBehindProxy(t)
  const { visitor, signIn, owner, db, app } = server
  const device = await knownDevice(server)
  const { token } = await db.write(INSTANCE, tx => links.makeReset(tx, owner.user.id))
  const { countOf, end } = flood(app.siteUrl)
  try {
    // The lane of strangers is full, and the owner's e-mail has had its ten tries.
    await until(() => countOf(503) > 50 && countOf(429) > 0)

    assert.equal((await signIn(device, PASSWORD, '203.0.113.1')).heading, 'Events', 'a known device')
    assert.equal((await signIn(visitor(), PASSWORD)).heading, 'Events', 'an address with a session')
    const { status } = await signIn(visitor(), PASSWORD, '203.0.113.3')
    assert.ok(status === 503 || status === 429, `a stranger, with the right password too: ${status}`)
    const reader = visitor()
    const from = { 'x-forwarded-for': '203.0.113.2' }
    const chosen = await reader.post(`/manage/reset/${token}`, { password: NEW }, from)
    assert.match(chosen.messages.join(), /Your new password is saved/)
    assert.equal((await signIn(reader, NEW, '203.0.113.2')).heading, 'Events', 'a link that was used')
    const before = countOf(503)
    await until(() => countOf(503) > before)
  } finally {
    await end()
  }
})
