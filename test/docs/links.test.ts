import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Tokens } from 'marked'
import { type Page, pages, tokensOf } from './pages.ts'

/** Returns the anchors that GitHub makes of headings. */
function anchorsOf(page: Page): string[] {
  return tokensOf(page)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ text }) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    )
}

function linksOf(page: Page): string[] {
  return tokensOf(page)
    .filter((token): token is Tokens.Link => token.type === 'link')
    .map(({ href }) => href)
}

test('every link of the README and the docs leads to a file, and to a heading in it', () => {
  let count = 0
  for (const page of pages) {
    for (const href of linksOf(page).filter(link => !link.startsWith('https://'))) {
      const [file = '', anchor] = href.split('#')
      const path = file === '' ? page.path : join(dirname(page.path), file)
      assert.ok(existsSync(path), `${page.path}: ${href}`)
      if (anchor !== undefined) {
        const target = pages.find(other => other.path === path)
        assert.ok(target && anchorsOf(target).includes(anchor), `${page.path}: ${href}`)
      }
      count++
    }
  }
  assert.ok(count > 20, `${count} links`)
})

test('every page of the docs is in their contents', () => {
  const contents = pages.find(({ path }) => path === join('docs', 'README.md'))
  const linked = linksOf(contents as Page).map(href => join('docs', href))
  for (const { path } of pages) {
    if (path.startsWith('docs') && path !== contents?.path) assert.ok(linked.includes(path), path)
  }
})

test('every picture of the docs is there, is told in words too, and is quick to load', () => {
  for (const page of pages) {
    const images = tokensOf(page).filter((token): token is Tokens.Image => token.type === 'image')
    for (const { href, text } of images) {
      assert.ok(statSync(join(dirname(page.path), href)).size < 100_000, `${page.path}: ${href}`)
      assert.ok(text.length > 20, `${page.path}: ${href}`)
    }
  }
})
