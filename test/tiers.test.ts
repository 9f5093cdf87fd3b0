import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { isBeyondRules, isOfBrowser } from './tiers.ts'

const CLUSTER = 'test/support/postgres-cluster.ts'

const texts = new Map(
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join('test', name))
    .map(path => [path, readFileSync(path, 'utf8')] as const),
)

/** Returns what a module of the tests loads, itself and by way of others of them. */
function loadedBy(path: string, found = new Set<string>()): Set<string> {
  const imports = importsOf(path)
  for (const target of imports.filter(target => !found.has(target))) loadedBy(target, found.add(target))
  return found
}

function importsOf(path: string): string[] {
  const found = (texts.get(path) ?? '').matchAll(/^(?:import|export)(?! type\b) [^;]*?from '([^']+)'/gms)
  return [...found].map(([, target]) => pathOf(path, target as string))
}

function pathOf(from: string, target: string): string {
  if (target.startsWith('#test/')) return target.slice(1)
  return target.startsWith('.') ? normalize(join(dirname(from), target)) : target
}

const tests = [...texts.keys()].filter(path => path.endsWith('.test.ts'))

test('what a test file loads is seen', () => {
  assert.ok(tests.length > 300)
  assert.ok(loadedBy('test/faces/storefront/pages.browser.test.ts').has('playwright-core'))
  assert.ok(!loadedBy('test/faces/storefront/order.test.ts').has('playwright-core'))
})

test('the name of a test says whether it takes a browser or another process, or its folder that it takes minutes', () => {
  const stray = tests.flatMap(path => {
    const loaded = loadedBy(path)
    const takesBrowser = ['playwright-core', 'puppeteer-core'].some(name => loaded.has(name))
    // The databases of PostgreSQL are made by its own program, where the tests run on it.
    const takesProcess =
      [...loaded].some(module => module !== CLUSTER && importsOf(module).includes('node:child_process')) ||
      importsOf(path).includes('node:child_process')
    if (takesBrowser) return isBeyondRules(path) ? [] : [`${path} takes a browser`]
    if (takesProcess) return isBeyondRules(path) ? [] : [`${path} takes another process`]
    return isOfBrowser(path) || path.endsWith('.process.test.ts') ? [`${path} takes neither`] : []
  })
  assert.deepEqual(stray, [])
})
