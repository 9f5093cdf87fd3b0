import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/folder.ts'
import { fill } from './fill.ts'

for (const kind of ['bare', 'naive', 'packages']) {
  test(`the ${kind} floor of the bench answers an import, a check-in and a read as it is measured`, async t => {
    const folder = join(temporaryFolder(t), 'filled')
    const { key, eventId, typeId, codes, someIds } = await fill(folder, 3, 3)
    const script = kind === 'packages' ? ['test/bench/floor-packages.ts'] : ['test/bench/floor.ts', kind]
    const floor = spawn(process.execPath, ['--import', 'tsx', ...script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => floor.kill())
    const [output] = await once(floor.stdout.setEncoding('utf8'), 'data')
    const url = /http:\S+/.exec(output)?.[0]
    const send = async (path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': path,
      }
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const answer = await fetch(url + path, { headers, ...init })
      return { status: answer.status, body: await answer.json().catch(() => undefined) }
    }
    const made = await send('/registrations', {
      event_id: eventId,
      registration_type_id: typeId,
      buyer: { name: 'Guest 1', email: 'guest-1@example.org' },
    })
    assert.deepEqual([made.status, made.body?.status], [201, 'confirmed'])
    assert.equal((await send(`/registrations/${made.body.id}`)).body?.attendees.length, 1)
    assert.equal((await send(`/registrations/${someIds[0]}`)).status, 200)
    assert.equal((await send('/check-ins', { qr_code: codes[0] })).status, 201)
  })
}
