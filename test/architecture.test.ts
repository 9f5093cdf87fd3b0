import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** The features, and which others each may build on: never back. */
const features: Record<string, readonly string[]> = {
  accounts: [],
  keys: [],
  'access-log': [],
  emails: [],
  'form-receipts': [],
  ledger: [],
  webhooks: ['accounts', 'emails', 'jobs', 'users'],
  events: [],
  users: ['accounts', 'access-log', 'events', 'emails'],
  waitlist: ['access-log', 'accounts', 'emails', 'events'],
  'registration-types': ['events', 'waitlist'],
  attendees: ['registration-types', 'events'],
  codes: ['registration-types', 'events'],
  registrations: ['attendees', 'codes', 'registration-types', 'waitlist', 'events', 'webhooks', 'access-log'],
  questions: ['registrations', 'registration-types', 'events'],
  duplication: ['codes', 'questions', 'registration-types', 'events'],
  doors: ['access-log', 'attendees', 'checkins', 'events', 'registrations', 'registration-types', 'users'],
  checkins: ['registrations', 'attendees', 'registration-types', 'events', 'webhooks', 'access-log'],
  abstracts: ['accounts', 'emails', 'events', 'webhooks'],
  announcements: ['accounts', 'emails', 'events', 'jobs', 'registrations', 'waitlist'],
  figures: ['accounts', 'registrations', 'registration-types', 'events'],
  jobs: ['access-log', 'users'],
  cancellations: ['jobs', 'orders', 'payments', 'ledger', 'registrations', 'events', 'access-log'],
  imports: ['jobs', 'registrations', 'registration-types', 'events', 'access-log', 'reports'],
  'ticket-documents': [],
  statements: [],
  'bank-statements': ['access-log', 'accounts', 'jobs', 'ledger', 'orders', 'payments', 'statements'],
  'event-pages': ['accounts', 'codes', 'events', 'registration-types'],
  reports: ['accounts', 'attendees', 'codes', 'ledger', 'registration-types', 'events', 'registrations'],
  orders: [
    ...['accounts', 'attendees', 'codes', 'emails', 'event-pages', 'events', 'jobs', 'questions'],
    ...['registration-types', 'registrations', 'ticket-documents', 'waitlist'],
  ],
  payments: [
    ...['access-log', 'accounts', 'emails', 'event-pages', 'events', 'jobs', 'ledger', 'orders', 'receipts'],
    ...['registration-types', 'registrations', 'ticket-documents', 'users'],
  ],
  receipts: ['accounts', 'attendees', 'events', 'orders', 'registrations', 'reports', 'ticket-documents'],
  notices: [
    ...['announcements', 'emails', 'event-pages', 'events', 'jobs', 'orders'],
    ...['registration-types', 'registrations'],
  ],
}

/** What goes through all of them: files of a whole organization, the search for damage, and a person who is made anonymous. */
const overviews = ['organization', 'check', 'erasure']

const faces = ['api', 'cli', 'dashboard', 'door', 'storefront', 'trust', 'unsubscribe']
const machinery = ['db', 'files', 'http', 'ops', 'tables', 'web']

/** The rest is composition, which may import all: `app` puts together what runs, what is mounted and what is cleaned. */
const composition = ['main.ts', 'app']

type Floor = 'face' | 'overview' | 'feature' | 'machinery' | 'composition' | 'foundation'

function floorOf(path: string): Floor {
  const folder = folderOf(path)
  if (faces.includes(folder)) return 'face'
  if (overviews.includes(folder)) return 'overview'
  if (features[folder] !== undefined) return 'feature'
  if (machinery.includes(folder)) return 'machinery'
  return composition.includes(path) || composition.includes(folder) ? 'composition' : 'foundation'
}

/** Of each floor, those below it. */
const below: Record<Floor, readonly Floor[]> = {
  composition: ['face', 'overview', 'feature', 'machinery', 'foundation', 'composition'],
  face: ['overview', 'feature', 'machinery', 'foundation'],
  overview: ['feature', 'machinery', 'foundation'],
  feature: ['machinery', 'foundation'],
  machinery: ['foundation'],
  foundation: ['machinery'],
}

interface Module {
  path: string
  folder: string
  text: string
  imports: string[]
}

const modules: Module[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
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
  assert.ok(modules.some(({ path, imports }) => path === 'app/faces.ts' && imports.includes('api/routes.ts')))
  assert.ok(
    modules.some(
      ({ path, imports }) => path.endsWith('checkins/rules.ts') && imports.includes('attendees/rules.ts'),
    ),
  )
})

test('imports go down only: from faces to features, from features to machinery; no face imports another', () => {
  assert.deepEqual(
    offences(({ folder, path }, target) => {
      const isOwn = folder !== '' && folder === folderOf(target)
      return isOwn || below[floorOf(path)].includes(floorOf(target)) || isAmong(path, target)
    }),
    // The one command that is about another face, and the one that runs all of them.
    ['cli/openapi.ts -> api/description/describe.ts', 'cli/serve.ts -> app/app.ts'],
  )
})

/** The lowest floors have a level each. */
function isAmong(path: string, target: string): boolean {
  const floor = floorOf(path)
  if (floor !== floorOf(target)) return false
  if (floor === 'feature') return (features[folderOf(path)] as readonly string[]).includes(folderOf(target))
  return floor === 'machinery' || floor === 'foundation' || floor === 'overview'
}

/** The ways from a module, or a folder, back to itself, each told once. */
function cycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found = new Set<string>()
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node)
    if (at >= 0) found.add([...path.slice(at), node].join(' -> '))
    if (at >= 0 || done.has(node)) return
    for (const next of edges.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of edges.keys()) visit(node, [])
  return [...found]
}

test('no module imports itself by way of others, not even for a type', () => {
  assert.deepEqual(cycles(new Map(modules.map(({ path, imports }) => [path, new Set(imports)]))), [])
})

test('no folder of the features, faces and machinery imports itself by way of others', () => {
  const edges = new Map<string, Set<string>>()
  for (const { folder, imports } of modules) {
    const targets = edges.get(folder) ?? new Set()
    for (const target of imports) if (folderOf(target) !== folder) targets.add(folderOf(target))
    edges.set(folder, targets)
  }
  edges.delete('')
  assert.deepEqual(cycles(edges), [])
})

test('a feature asks the rules of another, never its store', () => {
  assert.deepEqual(
    offences(({ folder }, target) => {
      const foreign =
        features[folder] !== undefined &&
        folderOf(target) !== folder &&
        features[folderOf(target)] !== undefined
      return !(foreign && /[/-]store\.ts$/.test(target))
    }),
    [],
  )
})

test('a registration is cancelled by way of its order, which may end with it', () => {
  const callers = modules.filter(({ text }) => /\b(registrations|rules)\.cancel\(/.test(text))
  assert.deepEqual(
    callers.map(({ path }) => path),
    ['orders/cancellation.ts', 'orders/rules.ts'],
  )
})

test('rules, stores and schemas know nothing of HTTP', () => {
  assert.deepEqual(
    offences(({ path }, target) => floorOf(path) !== 'feature' || folderOf(target) !== 'http'),
    [],
  )
})

test('the database knows nothing but files', () => {
  assert.deepEqual(
    offences(({ folder }, target) => folder !== 'db' || ['db', 'files', ''].includes(folderOf(target))),
    [],
  )
})

test('one module of the database names the engine, and all others speak to the port', () => {
  assert.deepEqual(
    offences(({ path }, target) => path.startsWith('db/sqlite/') || !target.startsWith('db/sqlite/')),
    [
      // Values that are not of their column's type SQLite alone keeps: its own statements look at every table for them.
      'check/damage.ts -> db/sqlite/values.ts',
      'db/open.ts -> db/sqlite/engine.ts',
    ],
  )
})

test('better-sqlite3 is known to the database alone', () => {
  const others = modules.filter(
    ({ path, text }) => !path.startsWith('db/sqlite/') && text.includes("'better-sqlite3'"),
  )
  assert.deepEqual(
    others.map(({ path }) => path),
    [],
  )
})

test('heavy packages that few servers need are loaded when they are first used, not at every start', () => {
  const heavy = ['nodemailer', 'stripe', 'undici']
  const loads = (text: string, how: string) => heavy.filter(name => text.includes(`${how}'${name}'`))
  const asValues = modules.flatMap(({ path, text }) =>
    loads(text.replace(/^import type [^;]*?from '[^']+'/gms, ''), 'from ').map(name => `${path} -> ${name}`),
  )
  assert.deepEqual(asValues, [])
  const used = modules.flatMap(({ text }) => loads(text, 'import('))
  assert.deepEqual([...new Set(used)].sort(), heavy)
})

test('the SQL of a feature stands in its store', () => {
  const statement = /['`]\s*(SELECT [a-z(]|INSERT INTO |UPDATE [a-z]+ SET|DELETE FROM )/
  const places = modules.filter(({ text }) => statement.test(text)).map(({ path }) => path)
  const stray = places.filter(path => !/[/-]store\.ts$/.test(path) && folderOf(path) !== 'db')
  assert.deepEqual(stray, ['api/idempotency.ts'])
})

test('SQL text does not travel: a store gives none away, and nothing else of a feature knows parameters of a statement', () => {
  const ofFeatures = modules.filter(({ path }) => floorOf(path) === 'feature')
  const givers = ofFeatures.filter(({ text }) =>
    /^export const \w+ =\s+['`](SELECT|FROM|WHERE)\b/m.test(text),
  )
  const knowers = ofFeatures.filter(
    ({ path, text }) => !isStore(path) && /^import .*\bValue\b.*\/db\/port\.ts'$/m.test(text),
  )
  assert.deepEqual(
    [...givers, ...knowers].map(({ path }) => path),
    [],
  )
})

/** Rules without an account, of which each says why. All others take `tx` and then `accountId`. */
const withoutAccount = new Set([
  // An account that is not there yet, and all of them.
  'accounts/rules.ts create',
  'accounts/rules.ts list',
  // A key, and a ticket's code, say themselves whose they are.
  'keys/rules.ts authenticate',
  'attendees/verification.ts verifyCode',
  // The account is part of what they are given.
  'access-log/recorded-write.ts runRecorded',
  // A person may be a member of several accounts, or of none.
  ...[
    'createUser',
    'findUserByEmail',
    'getUser',
    'isWithoutUsers',
    'listMemberships',
    'namesOf',
    'updateUser',
  ].map(name => `users/rules.ts ${name}`),
  ...[
    'changePassword',
    'countRecoveryCodes',
    'disableSecondFactor',
    'enableSecondFactor',
    'renewRecoveryCodes',
    'replacePassword',
  ].map(name => `users/credentials.ts ${name}`),
  'users/record.ts recordOfUser',
  ...[
    'authenticate',
    'end',
    'endAll',
    'endOne',
    'endOtherSessions',
    'endOthers',
    'list',
    'markUsed',
    'open',
    'refuseEnded',
  ].map(name => `users/sessions.ts ${name}`),
  // A link says itself what it is for.
  ...['look', 'makeReset', 'makeSetup', 'makeSignIn'].map(name => `users/links.ts ${name}`),
  ...['accept', 'acceptAs', 'reset', 'setUp', 'signIn'].map(name => `users/link-uses.ts ${name}`),
  // An address says itself whose page it is.
  ...['find', 'findByCode', 'findEntrance', 'findOpen', 'listOfAccount', 'listOfAll'].map(
    name => `event-pages/rules.ts ${name}`,
  ),
  // Over all accounts: a metric.
  'webhooks/deliveries.ts countFailing',
  'webhooks/deliveries.ts countPending',
  ...[
    ...['ageOfOldestPayment', 'ageOfOldestRefund', 'countFailedRefunds', 'countOwedRefunds'],
    ...['countWaitingPayments', 'leastRead'],
  ].map(name => `payments/metered.ts ${name}`),
  'emails/hold.ts hold',
  'emails/hold.ts letGo',
  'emails/rules.ts countWaiting',
  // Over all accounts: whose work is next.
  'jobs/rules.ts findFree',
  'orders/due.ts listUnpaid',
  'orders/due.ts listDue',
  'events/reminders.ts listToRemind',
  // The secret and the token of a device say whose it is.
  'doors/rules.ts accountOfSecret',
  'doors/rules.ts authenticate',
  // By the secret of a link, which names no account.
  'orders/rules.ts findAccount',
  'orders/rules.ts findTicket',
  // Over all accounts: whose events are read at the processor.
  'payments/connections.ts listAccess',
])

const isStore = (path: string) => /[/-]store\.ts$/.test(path)

/** The modules of features but for the delivery loop, which serves all accounts at once. */
const ofFeatures = modules.filter(
  ({ path }) => floorOf(path) === 'feature' && !path.startsWith('webhooks/delivery/'),
)

/** The exported functions of a module that work with a transaction: their names, parameters after it, and whole text. */
function functionsOf({ path, text }: Module): { name: string; second: string; body: string }[] {
  const found = text.matchAll(
    /^export (?:async )?function (\w+)(?:<[^(]+>)?\(\s*tx: \w+(?:,\s*(\w+))?.*?^\}/gms,
  )
  return [...found].map(([body, name, second]) => ({ name: `${path} ${name}`, second: second ?? '', body }))
}

test('every rule takes the account after the transaction, but for those that are named', () => {
  const rules = ofFeatures.filter(({ path }) => !isStore(path)).flatMap(functionsOf)
  assert.ok(rules.length > 40, `${rules.length} rules`)
  assert.deepEqual(
    new Set(
      rules
        .filter(({ name, second }) => second !== 'accountId' && !name.endsWith(' findOwner'))
        .map(({ name }) => name),
    ),
    withoutAccount,
  )
})

/** A row of a store, as a type names it. */
const ROW = /\bstore\.[A-Z]\w*|\b[A-Z]\w*Row\b/

test('rules give resources, never the rows of a store, and no face makes a resource of a row', () => {
  const rules = ofFeatures.filter(({ path }) => !isStore(path))
  const returned = rules
    .flatMap(functionsOf)
    .filter(({ body }) => ROW.test(/\): (.+) \{$/m.exec(body)?.[1] ?? ''))
  const named = rules.filter(({ text }) => /^export (type )?\{[^}]*Row\b[^}]*\} from/m.test(text))
  assert.deepEqual([...returned.map(({ name }) => name), ...named.map(({ path }) => path)], [])
  const presenters = modules.filter(
    ({ path, text }) => floorOf(path) === 'face' && /\bpresent[A-Z]/.test(text),
  )
  assert.deepEqual(
    presenters.map(({ path }) => path),
    [],
  )
})

test('only the command line asks for the owner of a thing', () => {
  const answerers = modules.filter(({ text }) => /\bfunction findOwner\(/.test(text)).map(({ path }) => path)
  assert.ok(answerers.includes('keys/rules.ts') && answerers.includes('keys/store.ts'))
  const askers = modules.filter(({ text }) => /\bfindOwner\((?!tx: )/.test(text)).map(({ path }) => path)
  assert.ok(askers.includes('cli/key.ts'))
  // The rules ask their own store.
  assert.deepEqual(
    askers.filter(path => folderOf(path) !== 'cli' && !answerers.includes(path)),
    [],
  )
})

test('each table is written by one store, but for those that are named', () => {
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of modules.filter(({ path }) => floorOf(path) === 'feature' && isStore(path))) {
    for (const [, table] of text.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g)) {
      const others = writers.get(table as string) ?? new Set()
      writers.set(table as string, others.add(path))
    }
  }
  assert.ok(writers.size > 10, `${writers.size} tables`)
  const shared = [...writers].filter(([, paths]) => paths.size > 1).map(([table]) => table)
  // By the rules of one account, by the loop that sends, and by housekeeping.
  assert.deepEqual(shared.sort(), ['webhook_attempts', 'webhook_deliveries'])
})

/** Writes that belong to no one account, of which each says why. */
const ofInstance = new Set([
  // An account that is only being made, and the link that makes the first.
  'cli/account.ts',
  'cli/serve.ts',
  'organization/apply.ts',
  // People, who are of no single account.
  'users/forgotten.ts',
  'users/sign-in.ts',
  'cli/user.ts',
  // People, who may be members of several accounts, and their sessions.
  'dashboard/gate.ts',
  'dashboard/own-write.ts',
  'dashboard/pages/links.tsx',
  'dashboard/pages/sign-in.tsx',
  // What the instance keeps of itself.
  'cli/mail.ts',
  'emails/loop.ts',
  'ops/clock-watch.ts',
  'ops/run-mark.ts',
  'db/sqlite/probe.ts',
  // Over all accounts: deliveries, housekeeping, and a clock that was ahead.
  'webhooks/delivery/loop.ts',
  'app/cleaning.ts',
  'check/instants.ts',
])

test('a write belongs to one account, but for those of the instance, which are named', () => {
  const found = modules.filter(({ path, text }) => /\bINSTANCE\b/.test(text) && path !== 'db/port.ts')
  assert.deepEqual(new Set(found.map(({ path }) => path)), ofInstance)
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

test('every folder of the sources is one that the architecture names, and the top has room', () => {
  const named = new Set(['', 'app', ...faces, ...overviews, ...Object.keys(features), ...machinery])
  assert.deepEqual(
    modules.map(({ folder }) => folder).filter(folder => !named.has(folder)),
    [],
  )
  assert.ok(modules.filter(({ folder }) => folder === '').length <= 16)
})
