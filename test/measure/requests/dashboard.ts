import type { Answer, Program, Recording } from '../recording.ts'
import { FIRST, linksOf, Visitor } from '../visitor.ts'

const PASSWORD = 'correct horse battery'
const GUESTS = 'name,email,type\nIda,ida@example.org,Free\nJoe,joe@example.org,Free\n,nobody,Nothing\n'
/** So many pages of a kind are shown, which have the same address but for ids. */
const OF_A_KIND = 2

/** Somebody at work: what all of it needs. */
export interface Desk {
  recording: Recording
  program: Program
  owner: Visitor
  /** The address of the pages of the account, and of those of the event. */
  home: string
  event: string
}

/** Signs in, and works on events, guests, orders, money, mails, people and settings. */
export async function work(
  recording: Recording,
  program: Program,
  { account_id: account, events }: Applied,
): Promise<Desk> {
  const owner = await signUp(recording, program)
  const event = `/manage/e/${events['spring-meeting']?.id}`
  const desk = { recording, program, owner, home: `/manage/a/${account}`, event }
  await workOnEvent(desk)
  await workOnGuests(desk)
  await workOnMoney(desk)
  await workOnAccount(desk)
  return desk
}

interface Applied {
  account_id: string
  events: Record<string, { id: string }>
}

async function signUp(recording: Recording, program: Program): Promise<Visitor> {
  const visitor = new Visitor(recording)
  for (const path of ['/manage', '/manage/sign-in', '/manage/forgotten', '/manage/setup/x', '/manage/join/x'])
    await visitor.open(path)
  const invited = JSON.parse(
    await program.command('user', 'invite', '--email', 'owner@example.org', '--role', 'owner', '--json'),
  )
  const url = String(invited.url ?? invited.link ?? invited.join_url)
  const form = await visitor.open(new URL(url).pathname)
  await visitor.send(form, /join/, { name: 'Olga', password: 'short' })
  await visitor.send(form, /join/, { name: 'Olga', password: PASSWORD })
  const stranger = new Visitor(recording, 'es')
  const signIn = await stranger.open('/manage/sign-in')
  await stranger.send(signIn, /sign-in/, { email: 'owner@example.org', password: 'wrong' })
  await stranger.send(signIn, /sign-in/, { email: 'owner@example.org', password: PASSWORD })
  return visitor
}

/** Returns what opens a page and sends its form that leads there. */
function filler({ owner }: Desk) {
  return async (path: string, which: RegExp, typed: Record<string, string | File> = {}): Promise<Answer> =>
    owner.send(await owner.open(path), which, typed)
}

async function workOnEvent(desk: Desk): Promise<void> {
  const { home, event } = desk
  const fill = filler(desk)
  await fill(`${event}/tickets/new`, /tickets\/new/, { name: '' })
  await fill(`${event}/tickets/new`, /tickets\/new/, { name: 'Dinner', price: '15', capacity: '20' })
  await fill(`${event}/tickets/codes/new`, /codes\/new/, { code: 'EARLY', percent: '10' })
  await fill(`${event}/tickets/questions/new`, /questions\/new/, { label: 'Which badge?', kind: 'text' })
  await fill(`${event}/settings`, /settings/, { title: 'Spring Meeting of All' })
  await fill(`${event}/settings`, /settings/, { title: '' })
  const { path: copy } = await fill(`${event}/duplicate`, /duplicate/, {
    ...{ title: 'Autumn Meeting', slug: 'autumn', starts_at: '2031-10-01T09:00' },
  })
  await fill(copy, /\/publish/)
  await fill(copy, /\/archive/)
  await fill(copy, /unarchive/)
  await fill(`${home}/new-event`, /new-event/, { title: '' })
  await fill(`${event}/doors/new`, /doors\/new/, { name: 'Side door' })
  const announcement = await fill(`${event}/messages/announcements/new`, /announcements\/new/, {
    ...{ subject: 'A coat', body: 'Bring a coat.' },
  })
  await fill(`${announcement.path.split('?')[0]}/send`, /send/)
}

async function workOnGuests(desk: Desk): Promise<void> {
  const { recording, program, owner, event } = desk
  const fill = filler(desk)
  await fill(`${event}/guests/new`, /guests\/new/, {
    type: FIRST,
    buyer_name: 'Nina',
    buyer_email: 'nina@example.org',
  })
  const file = new File([GUESTS], 'guests.csv', { type: 'text/csv' })
  const columns = await fill(`${event}/guests/import`, /guests\/import/, { file })
  const { path: job } = await owner.send(columns, /columns/)
  await fill(`${job}/start`, /start/)
  await owner.open(job)
  const list = await owner.open(`${event}/guests?q=Ida`)
  const guest = linksOf(list, recording.origin).find(path => /\/guests\/[0-9a-f-]{36}/.test(path))
  if (guest === undefined) return
  await fill(`${guest}/edit`, /edit/, { buyer_name: 'Ida Rhodes' })
  await fill(`${guest}/send`, /send/)
  await program.allMailed()
  await fill(`${guest}/cancel`, /cancel/)
}

async function workOnMoney(desk: Desk): Promise<void> {
  const { recording, owner, home, event } = desk
  const fill = filler(desk)
  await fill(`${home}/payments/bank`, /bank/, { holder: 'Ada Events', iban: 'DE89 3704 0044 0532 0130 00' })
  const list = await owner.open(`${event}/orders`)
  const orders = linksOf(list, recording.origin).filter(path => /\/orders\/[0-9a-f-]{36}$/.test(path))
  for (const order of orders) {
    const page = await owner.open(order)
    if (page.text.includes(`${order}/refund`)) await refund(desk, order)
    const reference = /RF\d\d(?: ?\d{4})+/.exec(page.text)?.[0]
    if (reference !== undefined) await readStatement(desk, reference)
  }
}

async function refund(desk: Desk, order: string): Promise<void> {
  const { owner } = desk
  const fill = filler(desk)
  const choice = await owner.open(`${order}/refund`)
  const ticket = /name="ticket" value="([^"]+)"/.exec(choice.text)?.[1]
  await fill(`${order}/refund?ticket=${ticket}&how=cost&amount=`, /refund/)
}

async function readStatement(desk: Desk, reference: string): Promise<void> {
  const { owner, home } = desk
  const fill = filler(desk)
  const lines = [
    'Date;Name;Purpose;Amount',
    `12.05.2031;Kim;${reference};100,00`,
    '13.05.2031;Eve;Thanks;7,00',
  ]
  const file = new File([lines.join('\n')], 'may.csv', { type: 'text/csv' })
  const columns = await fill(`${home}/statements`, /statements/, { file })
  const read = await owner.send(columns, /columns/)
  await owner.send(read, /match/)
  await owner.open(`${home}/statements`)
}

async function workOnAccount(desk: Desk): Promise<void> {
  const { home } = desk
  const fill = filler(desk)
  await fill(`${home}/team/invite`, /invite/, { email: 'kim@example.org', role: 'door' })
  await fill(`${home}/keys/new`, /keys\/new/, {
    name: 'website',
    'scopes.events:read': 'on',
    scopes: 'events:read',
  })
  await fill(`${home}/webhooks/new`, /webhooks\/new/, {
    url: 'https://example.org/hook',
    all: 'on',
    types: 'all',
  })
  await fill(`${home}/settings`, /settings/, { name: 'Ada Events and Sons' })
  await fill('/manage/profile/name', /name/, { name: 'Olga B' })
  await fill('/manage/profile/password', /password/, { current: 'wrong', password: 'another horse entirely' })
}

/** Opens every page that the pages lead to, a few of each kind. */
export async function lookAround(desk: Desk): Promise<void> {
  const { recording, owner, home } = desk
  const kinds = new Map<string, number>()
  const seen = new Set<string>()
  const waiting = ['/manage', home]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = path
      .replace(/[0-9a-f-]{36}|[\w-]{30,}/g, '')
      .replace(/=[^&]*/g, '=')
      .replace(/texts\/\w+/, 'texts/')
    const times = kinds.get(kind) ?? 0
    if (seen.has(path) || times >= OF_A_KIND || /sign-out|backups\//.test(path)) continue
    seen.add(path)
    kinds.set(kind, times + 1)
    const page = await owner.open(path)
    if (page.location !== undefined) waiting.push(new URL(page.location, recording.origin).pathname)
    waiting.push(...linksOf(page, recording.origin).filter(link => link.startsWith('/manage')))
  }
  for (const path of [`${home}/nothing`, '/manage/e/x', '/manage/nothing']) await owner.open(path)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, {}])
    await owner.post(`${home}/nothing`, {}, headers)
  await filler(desk)('/manage/profile', /sign-out/)
  await owner.open('/manage')
}
