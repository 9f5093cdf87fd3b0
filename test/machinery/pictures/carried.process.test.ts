import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import type { PictureFormatName } from '#machinery/pictures/sizing-task.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { encode, photo, plainJpeg } from '#test/support/picture-files.ts'
import { LONGEST_STOP } from '#test/support/processor-time.ts'
import { bundle } from '../../../build/bundle.mjs'

/** What the codecs and all that makes sizes may add to a program, in bytes. */
const ROOM = 450 * 1024
/** What one picture may take, in bytes: pixels, a decoder at its limit, encoders, and the thread. */
const MOST_MEMORY = 300 * 1024 * 1024

interface Told {
  outcome: number[] | string
  stop: number
  memory: number
}

/** The worst of each kind: of the most pixels, of the most passes, and one that is like most photos. */
const pictures: Record<
  string,
  { file: () => Promise<Buffer>; type: PictureFormatName; sides: [number, number] }
> = {
  photo: {
    file: async () => encode(photo(1600, 1200), 'image/jpeg'),
    type: 'image/jpeg',
    sides: [1600, 1200],
  },
  'most pixels in passes': {
    file: async () => plainJpeg({ width: 4096, height: 4096, components: 1, isProgressive: true, passes: 2 }),
    type: 'image/jpeg',
    sides: [4096, 4096],
  },
  'too many coefficients': {
    file: async () => plainJpeg({ width: 4096, height: 4096, components: 3, isProgressive: true }),
    type: 'image/jpeg',
    sides: [4096, 4096],
  },
  'passes without end': {
    file: async () =>
      plainJpeg({ width: 4096, height: 4096, components: 1, isProgressive: true, passes: 19_000 }),
    type: 'image/jpeg',
    sides: [4096, 4096],
  },
}

test('a bundle makes sizes alone, in the memory that is told, without a stop of 50 ms, and ends by itself', {
  timeout: 400_000,
}, async t => {
  const folder = temporaryFolder(t)
  const [entry, outfile] = [join(folder, 'entry.ts'), join(folder, 'alone', 'program.cjs')]
  const at = (path: string) => JSON.stringify(resolve(path))
  writeFileSync(
    entry,
    `import { readFileSync } from 'node:fs'
    import { makeSizes } from ${at('src/machinery/pictures/make-sizes.ts')}
    import { longestTurnOf } from ${at('test/support/processor-time.ts')}
    const [path, type, width, height, mostTime] = process.argv.slice(2)
    const sides = { width: Number(width), height: Number(height) }
    const sizes = [480, 960, 1600].map(width => ({ width, height: width * sides.height / sides.width, type: 'image/webp' }))
    const task = { ...sides, file: readFileSync(path), type, orientation: 1, sizes: [...sizes, { ...sizes[1], type: 'image/jpeg' }] }
    async function measure() {
      const before = process.memoryUsage.rss()
      let [memory, outcome] = [before]
      const looking = setInterval(() => { memory = Math.max(memory, process.memoryUsage.rss()) }, 20)
      const stop = await longestTurnOf(() => makeSizes(task, { mostTime: Number(mostTime) }).then(
        made => { outcome = made.map(({ file }) => file.length) },
        error => { outcome = error.name },
      ))
      clearInterval(looking)
      process.stdout.write(JSON.stringify({ outcome, stop, memory: memory - before }))
    }
    void measure()`,
  )
  await bundle({ entryPoints: [entry], outfile }, [])
  const told: Record<string, Told> = {}
  const timeOf = (name: string) => (name === 'passes without end' ? 5_000 : 100_000)
  for (const [name, { file, type, sides }] of Object.entries(pictures)) {
    const path = join(folder, 'picture')
    writeFileSync(path, await file())
    const printed = execFileSync(
      process.execPath,
      [outfile, path, type, ...sides.map(String), `${timeOf(name)}`],
      {
        cwd: folder,
        env: {},
        timeout: 120_000,
      },
    )
    told[name] = JSON.parse(printed.toString())
  }
  t.diagnostic(JSON.stringify(told))
  const weights = told.photo?.outcome as number[]
  assert.ok(weights.length === 4 && weights.every(weight => weight > 10_000), `${weights}`)
  assert.equal(told['most pixels in passes']?.outcome.length, 4)
  assert.equal(told['too many coefficients']?.outcome, 'UnreadablePicture')
  assert.equal(told['passes without end']?.outcome, 'SizingStopped')
  for (const [name, { stop, memory }] of Object.entries(told)) {
    assert.ok(stop < LONGEST_STOP, `${name}: ${stop} ms`)
    assert.ok(memory < MOST_MEMORY, `${name}: ${memory} bytes`)
  }
  const program = readFileSync(outfile, 'latin1')
  for (const name of ['@jsquash/jpeg', '@jsquash/png', '@jsquash/webp'])
    assert.match(program, new RegExp(`^${name} \\d`, 'm'), name)
  // What the licences of the codecs ask for.
  assert.ok(program.includes('Independent JPEG Group') && /Google[^\n]* Inc/.test(program))
  const carried = program.replaceAll('\\\n', '').match(/[A-Za-z0-9+/=]{10000,}/g) ?? []
  const size = carried.reduce((sum, { length }) => sum + length, 0)
  t.diagnostic(`${size} bytes`)
  assert.ok(carried.length === 6 && size < ROOM, `${carried.length} files of ${size} bytes`)
})
