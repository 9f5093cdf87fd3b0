import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryFolder } from '../support/folder.ts'

test('a log that cannot be written ends neither the service nor keeps its end waiting', {
  skip: existsSync('/dev/full') ? false : 'there is no /dev/full',
  timeout: 30_000,
}, async t => {
  const args = ['--import', 'tsx', 'src/main.ts', 'serve', '--data', temporaryFolder(t), '--port', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')] })
  t.after(() => child.kill('SIGKILL'))
  const [said] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const url = said.toString().replace('listening on ', '').trim()
  for (let count = 0; count < 5; count++) {
    const answer = await fetch(`${url}/events`)
    assert.equal(answer.status, 401)
    await answer.text()
  }
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})
