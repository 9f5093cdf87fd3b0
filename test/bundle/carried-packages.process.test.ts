import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type BuildOptions, build } from 'esbuild'
import { temporaryFolder } from '#test/support/folder.ts'
import { CarriedData } from '../../build/carried-data.mjs'
import { carryPackages } from '../../build/carried-packages.mjs'

const run = promisify(execFile)
/** An import that is a call, and no type. */
const DYNAMIC = /await import\('([@a-z][^']*)'\)|= import\('([@a-z][^']*)'\)\.then/g

test('a package that the sources import when they need it is carried compressed, and exports what the installed one does', async t => {
  const folder = temporaryFolder(t)
  const common: BuildOptions = {
    absWorkingDir: resolve('.'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.14',
    alias: { 'iconv-lite': './build/utf8-decoder.cjs' },
  }
  const toAscii = (text: string) => text.replace(/[^\0-\x7f]/g, '?')
  const { plugin, inputs } = carryPackages(common, toAscii)(new CarriedData({ isApart: false }))
  const { outputFiles } = await build({
    ...{ ...common, plugins: [plugin], write: false, entryPoints: ['test/bundle/every-package.ts'] },
    logOverride: { 'empty-import-meta': 'silent' },
  })
  const text = outputFiles?.[0]?.text ?? ''
  writeFileSync(join(folder, 'program.cjs'), text)
  const { stdout } = await run(process.execPath, ['program.cjs'], { cwd: folder })
  const carried: Record<string, string[]> = JSON.parse(stdout)

  assert.deepEqual(Object.keys(carried), importedWhenNeeded())
  for (const [name, exported] of Object.entries(carried)) {
    const installed = Object.entries(await import(name)).filter(([key]) => key !== 'module.exports')
    assert.deepEqual(exported.sort(), installed.map(([key, value]) => `${key}: ${typeof value}`).sort(), name)
    assert.ok(
      [...inputs].some(input => input.includes(`node_modules/${name}/`)),
      `the licence of ${name}`,
    )
  }
  assert.ok(text.length < 1_000_000, `${text.length}`)
  assert.doesNotMatch(text, /llhttp_message_needs_eof|FormidableError/)
})

/** Returns the packages that the sources import dynamically, by name. */
function importedWhenNeeded(): string[] {
  const found = new Set<string>()
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path)) continue
    for (const [, one, other] of readFileSync(join('src', path), 'utf8').matchAll(DYNAMIC)) {
      const name = one ?? other
      if (name !== undefined && !name.startsWith('node:')) found.add(name)
    }
  }
  return [...found].sort()
}
