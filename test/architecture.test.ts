import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** The neighbourhoods of the product from the ground up, and which others each builds on: none may be missing here, none too many. */
const neighbourhoods: Record<string, readonly string[]> = {
  administration: [],
  catalog: ['administration'],
  guests: ['administration', 'catalog'],
  programme: ['administration', 'catalog', 'guests'],
  entrance: ['administration', 'catalog', 'guests'],
  selling: ['administration', 'catalog', 'guests'],
  mailing: ['administration', 'catalog', 'guests', 'programme', 'selling'],
  reporting: ['administration', 'catalog', 'guests', 'selling'],
  'data-care': ['administration', 'catalog', 'entrance', 'guests', 'mailing', 'programme', 'selling'],
}

/** The floors from the top down: each imports those after it. */
const floors = ['app', 'faces', 'product', 'machinery', 'texts', 'base'] as const

type Floor = (typeof floors)[number]

/** `main.ts` alone stands above all floors, and counts as one with what it starts. */
const floorOf = (path: string): Floor => (path === 'main.ts' ? 'app' : (path.split('/')[0] as Floor))

/** A face, a feature, or a machine: within it modules name each other by `./`. */
function roomOf(path: string): string {
  const depth = { app: 1, faces: 2, product: 3, machinery: 2, texts: 1, base: 1 }[floorOf(path)]
  return path.split('/').slice(0, depth).join('/')
}

/** Mails have rules and rows of their own, and are held to what features are. */
const isFeature = (path: string) =>
  (floorOf(path) === 'product' && neighbourhoodOf(path) !== 'data-care') || roomOf(path) === 'machinery/mail'

const neighbourhoodOf = (path: string) => (floorOf(path) === 'product' ? path.split('/')[1] : undefined)

interface Module {
  path: string
  room: string
  text: string
  imports: string[]
}

const modules: Module[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
  .map(path => {
    const text = readFileSync(join('src', path), 'utf8')
    const imports = [
      ...text.matchAll(/^(?:import|export) [^;]*?from '([.#][^']+)'|\bimport\('([.#][^']+)'/gms),
    ].map(([, target, late]) => pathOf(path, (target ?? late) as string))
    return { path, room: roomOf(path), text, imports }
  })

function pathOf(path: string, target: string): string {
  return target.startsWith('#') ? target.slice(1) : normalize(join(dirname(path), target))
}

/** Returns every import that breaks the rule, as `a.ts -> b.ts`. */
function offences(allows: (module: Module, target: string) => boolean): string[] {
  return modules.flatMap(module =>
    module.imports.filter(target => !allows(module, target)).map(target => `${module.path} -> ${target}`),
  )
}

test('the imports are seen at all', () => {
  assert.ok(modules.length > 50)
  assert.ok(
    modules.some(({ path, imports }) => path === 'app/faces.ts' && imports.includes('faces/api/routes.ts')),
  )
  assert.ok(
    modules.some(
      ({ path, imports }) =>
        path.endsWith('product/entrance/check-ins/rules.ts') &&
        imports.includes('product/guests/attendees/rules.ts'),
    ),
  )
})

test('imports go down only, floor by floor; no face imports another', () => {
  assert.deepEqual(
    offences(({ path, room }, target) => {
      const [from, to] = [floorOf(path), floorOf(target)]
      if (from === to) return from !== 'faces' || room === roomOf(target)
      return floors.indexOf(from) < floors.indexOf(to) || path === 'main.ts'
    }),
    [
      // Types of a row's order, of the port's errors, and of an address: the ground names them and needs nothing else.
      'base/config.ts -> machinery/http/client-address.ts',
      'base/log.ts -> machinery/db/port.ts',
      'base/resource.ts -> machinery/db/keyset.ts',
      // One of these commands is about another face, and the other runs all of them.
      'faces/cli/openapi.ts -> faces/api/description/describe.ts',
      'faces/cli/serve.ts -> app/app.ts',
    ],
  )
})

test('a neighbourhood builds on those that are named for it, on each of them, and on no other', () => {
  const used: Record<string, string[]> = Object.fromEntries(
    Object.keys(neighbourhoods).map(name => [name, []]),
  )
  for (const { path, imports } of modules) {
    const from = neighbourhoodOf(path)
    if (from === undefined) continue
    const others = imports.map(neighbourhoodOf).filter(to => to !== undefined && to !== from) as string[]
    used[from] = [...new Set([...(used[from] as string[]), ...others])].sort()
  }
  assert.deepEqual(used, neighbourhoods)
  const names = Object.keys(neighbourhoods)
  for (const [name, others] of Object.entries(neighbourhoods)) {
    assert.ok(
      others.every(other => names.indexOf(other) < names.indexOf(name)),
      `${name} builds on what stands above it`,
    )
  }
})

test('what stands in a room is named by ./ within it, and by # beyond it', () => {
  const stray = modules.flatMap(({ path, room, text }) =>
    [...text.matchAll(/^(?:import|export) [^;]*?from '([.#][^']+)'/gms)]
      .map(([, target]) => target as string)
      .filter(target => !target.startsWith('#') && roomOf(pathOf(path, target)) !== room)
      .map(target => `${path}: ${target}`),
  )
  assert.deepEqual(stray, [])
})

/** Returns the cycles from a module or a folder back to itself, each once. */
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

test('no room imports itself by way of others', () => {
  const edges = new Map<string, Set<string>>()
  for (const { path, room, imports } of modules.filter(
    ({ path }) => !['app', 'base'].includes(floorOf(path)),
  )) {
    const targets = edges.get(room) ?? new Set()
    const others = imports.filter(
      target => roomOf(target) !== room && floorOf(target) !== 'app' && path !== 'main.ts',
    )
    for (const target of others) targets.add(roomOf(target))
    edges.set(room, targets)
  }
  assert.deepEqual(cycles(edges), [])
})

test('a feature asks the rules of another, never its store, and neither does what puts the parts together', () => {
  assert.deepEqual(
    offences(({ path, room }, target) => {
      const isForeign = floorOf(target) === 'product' && roomOf(target) !== room
      // Modules that go through the data of an organization read and write rows of all features.
      if (floorOf(path) === 'faces' || neighbourhoodOf(path) === 'data-care') return true
      return !(isForeign && isStore(target))
    }),
    [],
  )
})

test('all that a feature declares as kept for a time is cleaned', () => {
  const declared = modules.filter(({ path }) => path.endsWith('/cleaning.ts') && floorOf(path) !== 'app')
  const cleaned = modules.find(({ path }) => path === 'app/cleaning.ts')?.imports ?? []
  assert.ok(declared.length > 8)
  assert.deepEqual(
    declared
      .map(({ path }) => path)
      .filter(path => path !== 'machinery/db/cleaning.ts')
      .sort(),
    cleaned.filter(path => path.endsWith('/cleaning.ts') && path !== 'machinery/db/cleaning.ts').sort(),
  )
})

test('a face asks rules, and knows no store, not even for a type', () => {
  // The page of a door has its own controller, in the phone.
  const isForeign = (target: string) => isStore(target) && floorOf(target) !== 'faces'
  assert.deepEqual(
    offences(({ path }, target) => floorOf(path) !== 'faces' || !isForeign(target)),
    [],
  )
})

test('a registration is cancelled by way of its order, which may end with it', () => {
  const callers = modules.filter(({ text }) => /\b(registrations|rules)\.cancel(All)?\(/.test(text))
  assert.deepEqual(
    callers.map(({ path }) => path),
    ['product/selling/orders/cancellation.ts', 'product/selling/orders/rules.ts'],
  )
})

test('rules, stores and schemas know nothing of HTTP', () => {
  assert.deepEqual(
    offences(({ path }, target) => !isFeature(path) || roomOf(target) !== 'machinery/http'),
    [],
  )
})

test('the database knows nothing but files', () => {
  assert.deepEqual(
    offences(
      ({ room }, target) =>
        room !== 'machinery/db' || ['machinery/db', 'machinery/files', 'base'].includes(roomOf(target)),
    ),
    [],
  )
})

test('one module of the database names the engine, and all others speak to the port', () => {
  assert.deepEqual(
    offences(
      ({ path }, target) =>
        path.startsWith('machinery/db/sqlite/') || !target.startsWith('machinery/db/sqlite/'),
    ),
    ['machinery/db/open.ts -> machinery/db/sqlite/engine.ts'],
  )
})

test('the engine of many servers is named by the same module alone', () => {
  assert.deepEqual(
    offences(
      ({ path }, target) =>
        path.startsWith('machinery/db/postgres/') || !target.startsWith('machinery/db/postgres/'),
    ),
    [
      'machinery/db/open.ts -> machinery/db/postgres/address.ts',
      'machinery/db/open.ts -> machinery/db/postgres/engine.ts',
    ],
  )
})

test('better-sqlite3 is known to the database alone', () => {
  const others = modules.filter(
    ({ path, text }) => !path.startsWith('machinery/db/sqlite/') && text.includes("'better-sqlite3'"),
  )
  assert.deepEqual(
    others.map(({ path }) => path),
    [],
  )
})

test('heavy packages that few servers need are loaded when they are first used, not at every start', () => {
  const heavy = ['nodemailer', 'pg', 'stripe', 'undici']
  const loads = (text: string, how: string) => heavy.filter(name => text.includes(`${how}'${name}'`))
  const asValues = modules.flatMap(({ path, text }) =>
    loads(text.replace(/^import type [^;]*?from '[^']+'/gms, ''), 'from ').map(name => `${path} -> ${name}`),
  )
  assert.deepEqual(asValues, [])
  const used = modules.flatMap(({ text }) => loads(text, 'import('))
  assert.deepEqual([...new Set(used)].sort(), heavy)
})

test('what recurs beside requests is a row of the schedule, and has no timer of its own', () => {
  const timed = modules.filter(({ text }) => /\bsetInterval\(|\bCronJob\b/.test(text)).map(({ path }) => path)
  assert.deepEqual(timed.sort(), [
    // This is the page of a door, in the phone.
    'faces/scanner/page/door.ts',
    // It watches a connection as long as that is open.
    'machinery/db/postgres/connection.ts',
    // These are the commits of other processes, which wake what the schedule only looks for by time.
    'machinery/db/sqlite/database.ts',
    // This timer runs as long as one copy is made.
    'machinery/files/steady-sync.ts',
    // This timer runs as long as one request goes on.
    'machinery/http/body-rate.ts',
    'machinery/ops/cron-loop.ts',
  ])
})

test('the SQL of a feature stands in its store', () => {
  const statement = /['`]\s*(SELECT [a-z(]|INSERT INTO |UPDATE [a-z]+ SET|DELETE FROM )/
  const places = modules.filter(({ text }) => statement.test(text)).map(({ path }) => path)
  const stray = places.filter(path => !/[/-]store\.ts$/.test(path) && roomOf(path) !== 'machinery/db')
  assert.deepEqual(stray, ['faces/api/idempotency.ts'])
})

test('SQL text does not travel: a store gives none away, and nothing else of a feature knows parameters of a statement', () => {
  const ofFeatures = modules.filter(({ path }) => isFeature(path))
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

/** These rules take the transaction of the instance, or of either kind, and each says why. All others take that of an account. */
const withoutAccount = new Set([
  // The account is not there yet, or all accounts are meant.
  'product/administration/accounts/rules.ts create',
  'product/administration/accounts/rules.ts list',
  // A key says itself whose it is.
  'product/administration/keys/rules.ts authenticate',
  // A person may be a member of several accounts, or of none.
  ...[
    'createUser',
    'findUserByEmail',
    'getUser',
    'isWithoutUsers',
    'listMemberships',
    'namesOf',
    'updateUser',
  ].map(name => `product/administration/users/rules.ts ${name}`),
  ...[
    'changePassword',
    'countRecoveryCodes',
    'disableSecondFactor',
    'enableSecondFactor',
    'renewRecoveryCodes',
    'replacePassword',
  ].map(name => `product/administration/users/credentials.ts ${name}`),
  'product/administration/users/record.ts recordOfUser',
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
  ].map(name => `product/administration/users/sessions.ts ${name}`),
  // A link says itself what it is for.
  ...['look', 'makeRequestedReset', 'makeReset', 'makeSetup'].map(
    name => `product/administration/users/links.ts ${name}`,
  ),
  // The person is not signed in yet.
  'product/administration/users/recognition.ts recognize',
  ...['reset', 'setUp', 'signIn'].map(name => `product/administration/users/link-uses.ts ${name}`),
  // An address says itself whose page it is.
  ...['find', 'findByCode', 'findEntrance', 'findOpen', 'listOfAccount', 'listOfAll'].map(
    name => `product/catalog/event-pages/rules.ts ${name}`,
  ),
  ...['findLegalText', 'findLogo'].map(name => `product/catalog/event-pages/organizers.ts ${name}`),
  'product/catalog/event-pages/feeds.ts readFeed',
  'product/catalog/event-pages/series-pages.ts findSeries',
  // Search engines are told the public pages of all of them.
  ...['readPart', 'readSiteMap'].map(name => `product/catalog/event-pages/site-map.ts ${name}`),
  // The metric counts over all accounts.
  'product/administration/webhooks/deliveries.ts countFailing',
  'product/administration/webhooks/deliveries.ts countPending',
  ...[
    ...['ageOfOldestPayment', 'ageOfOldestRefund', 'countFailedRefunds', 'countOwedRefunds'],
    ...['countWaitingPayments', 'leastRead'],
  ].map(name => `product/selling/payments/metered.ts ${name}`),
  'machinery/mail/hold.ts hold',
  'machinery/mail/hold.ts release',
  'machinery/mail/rules.ts countWaiting',
  // The next job may be of any account.
  'product/administration/jobs/rules.ts findFree',
  'product/selling/orders/reservation-time.ts listUnpaid',
  'product/selling/orders/reservation-time.ts listDue',
  'product/catalog/events/reminders.ts listToRemind',
  'product/programme/abstracts/after.ts listToRemind',
  // The secret and the token of a device say whose it is.
  'product/entrance/doors/rules.ts accountOfSecret',
  'product/entrance/doors/rules.ts authenticate',
  // The secret of a link names no account.
  'product/programme/reviews/reviewers.ts findAccount',
  'product/programme/submissions/rules.ts findAccount',
  'product/selling/orders/rules.ts findAccount',
  'product/selling/orders/ticket-urls.ts findLinkedTicket',
  // Events are read at the processor for all accounts.
  'product/selling/payments/connections.ts listAccess',
])

const isStore = (path: string) => /[/-]store\.ts$/.test(path)

/** The delivery loop is left out, because it serves all accounts at once. */
const ofFeatures = modules.filter(
  ({ path }) => isFeature(path) && !path.startsWith('product/administration/webhooks/delivery/'),
)

/** Returns the exported functions of a module that work with a transaction: their names, its kind, and their text. */
function functionsOf({ path, text }: Module): { name: string; kind: string; body: string }[] {
  const found = text.matchAll(
    /^export (?:async )?function (\w+)(?:<[^(]+>)?\(\s*tx: (Any|Instance)?(?:Read|Write)Tx.*?^\}/gms,
  )
  return [...found].map(([body, name, kind]) => ({ name: `${path} ${name}`, kind: kind ?? '', body }))
}

test('every rule takes the transaction of an account, but for those that are named', () => {
  const rules = ofFeatures.filter(({ path }) => !isStore(path)).flatMap(functionsOf)
  assert.ok(rules.length > 40, `${rules.length} rules`)
  assert.deepEqual(
    new Set(
      rules.filter(({ name, kind }) => kind !== '' && !name.endsWith(' findOwner')).map(({ name }) => name),
    ),
    withoutAccount,
  )
})

test('nobody names an account beside a transaction that has one', () => {
  const named = modules.flatMap(({ path, text }) =>
    [...text.matchAll(/\btx: (?:Read|Write)Tx,\s*(?:accountId|account): string/g)].map(() => path),
  )
  assert.deepEqual(named, [])
  const withTx = modules.filter(({ text }) => /\btx: (?:Read|Write)Tx\b/.test(text))
  assert.ok(withTx.length > 200, `${withTx.length} modules`)
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
    ({ path, text }) => floorOf(path) === 'faces' && /\bpresent[A-Z]/.test(text),
  )
  assert.deepEqual(
    presenters.map(({ path }) => path),
    [],
  )
})

test('only the command line asks for the owner of a thing', () => {
  const answerers = modules.filter(({ text }) => /\bfunction findOwner\(/.test(text)).map(({ path }) => path)
  assert.ok(
    answerers.includes('product/administration/keys/rules.ts') &&
      answerers.includes('product/administration/keys/store.ts'),
  )
  const askers = modules.filter(({ text }) => /\bfindOwner\((?!tx: )/.test(text)).map(({ path }) => path)
  assert.ok(askers.includes('faces/cli/key.ts'))
  // The rules ask their own store.
  assert.deepEqual(
    askers.filter(path => roomOf(path) !== 'faces/cli' && !answerers.includes(path)),
    [],
  )
})

test('each table is written by one store, but for those that are named', () => {
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of modules.filter(({ path }) => isFeature(path) && isStore(path))) {
    for (const [, table] of text.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g)) {
      const others = writers.get(table as string) ?? new Set()
      writers.set(table as string, others.add(path))
    }
  }
  assert.ok(writers.size > 10, `${writers.size} tables`)
  const shared = [...writers].filter(([, paths]) => paths.size > 1).map(([table]) => table)
  // The rules of an account, the loop that sends, and the cleaning share this table.
  assert.deepEqual(shared.sort(), ['webhook_attempts', 'webhook_deliveries'])
})

/** Writes that belong to no one account, of which each says why. */
const ofInstance = new Set([
  // The account is only being made, or its first link is.
  'faces/cli/account.ts',
  'faces/cli/copy.ts',
  'faces/cli/serve.ts',
  'product/data-care/organization/apply.ts',
  // People are of no single account.
  'product/administration/users/forgotten.ts',
  'product/administration/users/sign-in.ts',
  'faces/cli/user.ts',
  // People may be members of several accounts, and sessions are theirs.
  'faces/dashboard/frame/gate.ts',
  'faces/dashboard/frame/own-write.ts',
  'faces/dashboard/administration/links.tsx',
  'faces/dashboard/administration/sign-in.tsx',
  // The instance keeps these values of itself.
  'faces/cli/mail.ts',
  'machinery/mail/loop.ts',
  'machinery/ops/clock-watch.ts',
  'machinery/ops/run-mark.ts',
  'product/data-care/renewal/rules.ts',
  'machinery/db/postgres/engine.ts',
  'machinery/db/sqlite/probe.ts',
  // Deliveries, cleaning and the repair of instants go over all accounts.
  'product/administration/webhooks/delivery/loop.ts',
  'app/cleaning.ts',
  'product/data-care/integrity/instants.ts',
])

test('a write belongs to one account, but for those of the instance, which are named', () => {
  const found = modules.filter(({ text }) => /\bwrite(<[^>]*>)?\(\s*INSTANCE\b|\? INSTANCE :/.test(text))
  assert.deepEqual(new Set(found.map(({ path }) => path)), ofInstance)
})

test('amounts are rounded and shared out by one module', () => {
  const rounds = /\/ 10_?000\b|5_?000n?\) \/|% sum\b|% all\b/
  const rounding = modules.filter(({ path, text }) => rounds.test(text) && floorOf(path) !== 'machinery')
  assert.deepEqual(
    rounding.map(({ path }) => path),
    ['base/money.ts'],
  )
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

test('no style sheet is larger than 400 lines', () => {
  const sheets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.css'),
  )
  assert.ok(sheets.length > 10)
  assert.deepEqual(
    sheets.filter(path => readFileSync(join('src', path), 'utf8').split('\n').length > 401),
    [],
  )
})

test('the top of the sources is the floors, and the product its neighbourhoods', () => {
  assert.deepEqual(readdirSync('src').sort(), [...floors, 'main.ts'].sort())
  assert.deepEqual(readdirSync('src/product').sort(), Object.keys(neighbourhoods).sort())
})
