import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (folder: string, end: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith(end))
    .map(file => ({ file, text: readFileSync(`${folder}/${file}`, 'utf8') }))

test('every class that a page for visitors gives an element has a style', () => {
  const sheets = read('src/machinery/web/assets/files', '.css')
  const styled = new Set(sheets.flatMap(({ text }) => text.match(/(?<=\.)[a-z][\w-]*/g) ?? []))
  const pages = read('src/faces/storefront', '.tsx')
  assert.ok(pages.length > 20 && styled.size > 100)
  const used = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
      names.split(' ').map(name => ({ file, name })),
    ),
  )
  assert.deepEqual(
    used.filter(({ name }) => !styled.has(name)),
    [],
  )
})
