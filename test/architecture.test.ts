import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** The features, and which others each may build on: never back. */
const features: Record<string, readonly string[]> = {
  accounts: [],
  keys: [],
  'access-log': [],
  webhooks: [],
  events: [],
  'registration-types': ['events'],
  waitlist: [],
  attendees: ['registration-types', 'events'],
  registrations: ['attendees', 'registration-types', 'events', 'waitlist', 'webhooks'],
  checkins: ['registrations', 'attendees', 'registration-types', 'events', 'webhooks'],
  abstracts: ['events', 'webhooks'],
  reports: ['accounts', 'attendees', 'registration-types', 'events'],
}

/** The machinery, and the features that it may know. */
const machinery: Record<string, readonly string[]> = {
  db: [],
  http: ['keys', 'access-log'],
  reference: ['keys', 'webhooks'],
}

interface Module {
  path: string
  folder: string
  text: string
  imports: string[]
}

const modules: Module[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(path => {
    const text = readFileSync(join('src', path), 'utf8')
    const imports = [...text.matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)'/gms)].map(([, target]) =>
      normalize(join(dirname(path), target as string)),
    )
    return { path, folder: folderOf(path), text, imports }
  })

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] as string) : ''
}

/** Every import that breaks the rule, as `a.ts -> b.ts`. */
function offences(allows: (module: Module, target: string) => boolean): string[] {
  return modules.flatMap(module =>
    module.imports.filter(target => !allows(module, target)).map(target => `${module.path} -> ${target}`),
  )
}

test('the imports are seen at all', () => {
  assert.ok(modules.length > 50)
  assert.ok(modules.some(({ path, imports }) => path === 'app.ts' && imports.includes('routes.ts')))
  assert.ok(
    modules.some(
      ({ path, imports }) => path.endsWith('checkins/rules.ts') && imports.includes('attendees/rules.ts'),
    ),
  )
})

test('a feature builds only on the features below it', () => {
  const known = { ...features, ...machinery }
  assert.deepEqual(
    offences(({ folder }, target) => {
      const other = folderOf(target)
      if (known[folder] === undefined || features[other] === undefined || other === folder) return true
      return known[folder].includes(other)
    }),
    [],
  )
})

test('a feature asks the rules of another, never its store or its routes', () => {
  assert.deepEqual(
    offences(({ folder }, target) => {
      const foreign =
        features[folder] !== undefined &&
        folderOf(target) !== folder &&
        features[folderOf(target)] !== undefined
      return !(foreign && /([/-]store|\/routes)\.ts$/.test(target))
    }),
    [],
  )
})

test('only routes know HTTP; rules, stores and schemas do not', () => {
  assert.deepEqual(
    offences(({ folder, path }, target) => {
      const inside = features[folder] !== undefined && !path.endsWith('/routes.ts')
      return !(inside && folderOf(target) === 'http')
    }),
    [],
  )
})

test('the database knows no feature and no HTTP', () => {
  assert.deepEqual(
    offences(({ folder }, target) => folder !== 'db' || ['db', ''].includes(folderOf(target))),
    [],
  )
})

test('the command line is imported by main alone, and the app by the command line alone', () => {
  assert.deepEqual(
    offences(
      ({ folder, path }, target) => folderOf(target) !== 'cli' || folder === 'cli' || path === 'main.ts',
    ),
    [],
  )
  assert.deepEqual(
    offences(({ folder }, target) => target !== 'app.ts' || folder === 'cli'),
    [],
  )
})

test('better-sqlite3 is known to the database alone', () => {
  const others = modules.filter(({ folder, text }) => folder !== 'db' && text.includes("'better-sqlite3'"))
  assert.deepEqual(
    others.map(({ path }) => path).filter(path => path !== 'cli/version.ts'),
    [],
  )
})

test('the SQL of a feature stands in its store', () => {
  const statement = /['`]\s*(SELECT [a-z(]|INSERT INTO |UPDATE [a-z]+ SET|DELETE FROM )/
  const places = modules.filter(({ text }) => statement.test(text)).map(({ path }) => path)
  const stray = places.filter(path => !/[/-]store\.ts$/.test(path) && folderOf(path) !== 'db')
  assert.deepEqual(stray, ['cli/version.ts', 'http/idempotency.ts'])
})

test('no module is larger than 300 lines, and no folder is a place for anything', () => {
  assert.deepEqual(
    modules.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path),
    [],
  )
  const vague = /^(utils?|helpers?|common|services?|types|misc|lib|shared)$/
  assert.deepEqual(
    modules
      .map(({ path }) => path)
      .filter(path => path.split('/').some(part => vague.test(part.replace('.ts', '')))),
    [],
  )
})

test('every folder of the sources is one that the architecture names', () => {
  const named = new Set([
    '',
    'cli',
    'organization',
    'check',
    ...Object.keys(features),
    ...Object.keys(machinery),
  ])
  assert.deepEqual(
    modules.map(({ folder }) => folder).filter(folder => !named.has(folder)),
    [],
  )
})
