import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type ZippedFile, zip } from '#machinery/files/zip.ts'

const run = promisify(execFile)
const CHANGED_AT = Date.parse('2026-11-27T18:30:08.000Z')

function fileOf(name: string, ...pieces: Buffer[]): ZippedFile {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  return {
    ...{ name, size, changedAt: CHANGED_AT },
    read: async function* () {
      yield* pieces
    },
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

const READ = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, i.file_size, list(i.date_time), z.read(i).hex()] for i in z.infolist()]))`

const ofPython = { skip: spawnSync('python3', ['--version']).status === 0 ? false : 'there is no python3' }

test(
  'what is packed is unpacked as it was by another program, with names, sizes and dates',
  ofPython,
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'zip-'))
    t.after(() => rm(folder, { recursive: true }))
    const long = Buffer.alloc(300_000, 'rooms ')
    const packed = await collect(
      zip([fileOf('O-01_1234.pdf', long.subarray(0, 262_144), long.subarray(262_144)), fileOf('empty.pdf')]),
    )
    await writeFile(join(folder, 'a.zip'), packed)
    const { stdout } = await run('python3', ['-c', READ, join(folder, 'a.zip')], { maxBuffer: 8_000_000 })
    const date = [2026, 11, 27, 18, 30, 8]
    assert.deepEqual(JSON.parse(stdout), [
      ['O-01_1234.pdf', long.length, date, long.toString('hex')],
      ['empty.pdf', 0, date, ''],
    ])
    assert.deepEqual(await readFile(join(folder, 'a.zip')), packed)
  },
)

test('a file of no files is one', async () => {
  assert.equal((await collect(zip([]))).toString('hex'), `504b0506${'00'.repeat(18)}`)
})

test('a file that has other bytes than it says breaks the ZIP file before it is in it', async () => {
  const wrong = { ...fileOf('a.pdf', Buffer.from('abc')), size: 4 }
  await assert.rejects(collect(zip([wrong])), /a\.pdf has 3 bytes instead of 4/)
})
