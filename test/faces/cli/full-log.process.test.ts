import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { test } from 'node:test'
import { engineEnv } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { argumentsFor } from '#test/support/program.ts'

/** Has a library warn on the console again and again, from when the server listens. */
const WARNING: `data:${string}` = `data:text/javascript,${encodeURIComponent(`
  const write = process.stdout.write
  process.stdout.write = function (...args) {
    setInterval(() => console.warn('a warning'), 5).unref()
    return write.apply(this, args)
  }
`)}`

test('a log that cannot be written ends neither the service nor keeps its end waiting, whoever writes to it', {
  skip: existsSync('/dev/full') ? false : 'there is no /dev/full',
  timeout: 30_000,
}, async t => {
  const argv = ['serve', '--data', temporaryFolder(t), '--port', '0']
  const child = spawn(process.execPath, [...argumentsFor('src/main.ts', [WARNING]), ...argv], {
    stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    env: { ...process.env, ...engineEnv(argv) },
  })
  t.after(() => child.kill('SIGKILL'))
  const [output] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const url = output.toString().replace('listening on ', '').trim()
  for (let count = 0; count < 5; count++) {
    const answer = await fetch(`${url}/events`)
    assert.equal(answer.status, 401)
    await answer.text()
  }
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await ended
  assert.equal(code, 0)
})
