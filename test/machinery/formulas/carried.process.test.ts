import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/folder.ts'
import { bundle } from '../../../build/bundle.mjs'

/** What Temml and all that makes formulas of it may add to a program, in bytes. */
const ROOM = 110 * 1024

for (const form of ['plain', 'in an executable'] as const) {
  test(`a bundle (${form}) makes formulas alone, refuses what would take all memory, and ends by itself`, {
    timeout: 120_000,
  }, async t => {
    const folder = temporaryFolder(t)
    const [entry, outfile] = [join(folder, 'entry.ts'), join(folder, 'alone', 'program.cjs')]
    writeFileSync(
      entry,
      `import { Typesetter } from ${JSON.stringify(resolve('src/machinery/formulas/typesetter.ts'))}
      async function make() {
        const typesetter = new Typesetter({ mostTime: 60_000 })
        const nested = '\\\\hat{'.repeat(12) + 'x' + '}'.repeat(12)
        const texts = ['x', '\\\\ce{H2O}', '\\\\begin{alignedat}{1e9}x\\\\end{alignedat}', nested, 'x']
        const made = await typesetter.typeset(texts.map(tex => ({ tex, isBlock: true })))
        process.stdout.write(JSON.stringify(made))
      }
      void make()`,
    )
    await bundle({ entryPoints: [entry], outfile }, [], form)
    const printed = execFileSync(process.execPath, [outfile], { cwd: folder, env: {}, timeout: 60_000 })
    const [first, water, bomb, nested, last] = JSON.parse(printed.toString()) as (string | null)[]
    assert.deepEqual([first, bomb, last], ['["mi",{},"x"]', null, '["mi",{},"x"]'])
    assert.ok(water?.includes('"H"') && nested !== null)
    const program = readFileSync(outfile, 'latin1')
    assert.match(program, /^temml \d/m)
    const carried = program.replaceAll('\\\n', '').match(/[A-Za-z0-9+/=]{10000,}/g) ?? []
    const size = carried.reduce((sum, { length }) => sum + length, 0)
    t.diagnostic(`${size} bytes`)
    assert.ok(carried.length === 1 && size < ROOM, `${carried.length} files of ${size} bytes`)
  })
}
