import { setTimeout } from 'node:timers/promises'
import type { Answer, Program, Recording } from '../recording.ts'
import { Visitor } from '../visitor.ts'

const PATH = '/ada/spring-meeting/'
/** A form that was sent sooner was filled in by no person. */
const A_SECOND = 1100
const STRANGE = 'A'.repeat(43)

/** Shows the public pages, and sends their forms. */
export async function visit(recording: Recording, program: Program): Promise<void> {
  const grace = new Visitor(recording)
  const event = await look(recording)
  const types = [...event.text.matchAll(/name="(q\.[^"]+)"/g)].map(([, name]) => name as string)
  const [standard = '', free = ''] = types
  await refuse(grace, { standard, free })
  const placed = await order(grace, `${free}=2`, {
    'buyer.name': 'Grace',
    'buyer.email': 'grace@example.org',
  })
  await program.allMailed()
  await changeOrder(grace, program, placed)
  await waitForPlace(grace, event)
  const due = await order(new Visitor(recording, 'es'), `${standard}=1&code=half`, {
    'buyer.name': 'Zoë',
    'buyer.email': 'zoe@example.org',
    pay: 'test',
  })
  await pay(recording, due)
  await order(grace, `${standard}=2`, {
    ...{ 'buyer.name': 'Kim', 'buyer.email': 'kim@example.org', pay: 'door' },
  })
  await program.allMailed()
}

async function look(recording: Recording): Promise<Answer> {
  const paths = [
    ...[
      '/',
      '/ada',
      '/ada/',
      '/nobody/',
      '/ada/nothing/',
      '/ada/private/',
      `${PATH}calendar.ics`,
      '/robots.txt',
    ],
    ...[
      '/sitemap.xml',
      '/favicon.ico',
      '/ada/imprint',
      '/ada/terms',
      `${PATH}cover/${STRANGE}`,
      '/assets/nothing.css',
    ],
    ...[
      `/orders/${STRANGE}`,
      `/orders/${STRANGE}/tickets.pdf`,
      `/tickets/${STRANGE}`,
      `/orders/${STRANGE}/names`,
    ],
    ...[
      `/unsubscribe/${STRANGE}`,
      `${PATH}register`,
      `${PATH}waitlist`,
      `${PATH}tickets`,
      '/nothing/at/all/here',
    ],
  ]
  for (const language of ['en', 'es']) {
    const visitor = new Visitor(recording, language)
    for (const path of paths) await visitor.open(path)
    await visitor.open(PATH)
  }
  const page = await new Visitor(recording).open(PATH)
  for (const [path] of page.text.matchAll(/\/assets\/[\w.-]+/g)) await recording.ask('GET', path)
  for (const method of ['HEAD', 'POST', 'DELETE']) await recording.ask(method, PATH)
  return page
}

async function refuse(visitor: Visitor, { standard, free }: { standard: string; free: string }) {
  for (const query of [`${free}=0`, `${free}=1000`, `${free}=x`, 'q.x=1', 'code=nothing', 'code=hidden'])
    await visitor.open(`${PATH}register?${query}`)
  const form = await visitor.open(`${PATH}register?${free}=1&${standard}=1`)
  await visitor.send(form, /register/, { 'buyer.name': 'Eve', 'buyer.email': 'eve@example.org' })
  await setTimeout(A_SECOND)
  await visitor.send(form, /register/, { 'buyer.name': '', 'buyer.email': 'nobody' })
  await visitor.send(form, /register/, {
    'buyer.name': 'Eve',
    'buyer.email': 'eve@example.org',
    website: 'x',
  })
  await visitor.post(`${PATH}register`, { 'buyer.name': 'Eve' })
  await visitor.post(`${PATH}register/order`, { 'buyer.name': 'Eve' })
  await visitor.post(`${PATH}register`, {}, { 'sec-fetch-site': 'cross-site' })
}

/** Fills in the form, reviews it, and orders. @returns the page of the order, or what it came to */
async function order(visitor: Visitor, query: string, typed: Record<string, string>): Promise<Answer> {
  const form = await visitor.open(`${PATH}register?${query}`)
  await setTimeout(A_SECOND)
  const review = await visitor.send(form, /register/, { terms: 'yes', ...typed })
  return visitor.send(review, /register\/order/)
}

async function changeOrder(visitor: Visitor, program: Program, page: Answer): Promise<void> {
  const path = page.path.split('?')[0] as string
  for (const what of ['', '?lang=es', '/tickets.pdf', '/calendar.ics', '/invoice', '/confirm', '/receipts/x'])
    await visitor.open(path + what)
  const names = await visitor.open(`${path}/names`)
  const [holder = ''] = /name="(?:holder|ticket|names?)[^"]*name"/.exec(names.text) ?? []
  await visitor.send(names, /names/, holder === '' ? {} : { [holder.slice(6, -1)]: 'Zoë Ω' })
  const ticket = /\/tickets\/[\w-]+/.exec((await visitor.open(path)).text)?.[0]
  if (ticket !== undefined)
    for (const what of ['', '/ticket.pdf', '/calendar.ics', '/name']) await visitor.open(ticket + what)
  await visitor.send(await visitor.open(path), /resend/)
  await program.allMailed()
  await visitor.open(`${path}/withdraw`)
  await visitor.send(await visitor.open(`${path}/cancel`), /cancel/)
  await visitor.open(`${path}/cancel`)
}

async function waitForPlace(visitor: Visitor, event: Answer): Promise<void> {
  const path = /href="([^"]*waitlist[^"]*)"/.exec(event.text)?.[1]?.replaceAll('&amp;', '&')
  if (path === undefined) return
  const form = await visitor.open(new URL(path, `http://x${PATH}`).href.slice('http://x'.length))
  await setTimeout(A_SECOND)
  await visitor.send(form, /waitlist/, { name: '', email: 'x' })
  await visitor.send(form, /waitlist/, { name: 'Wes', email: 'wes@example.org' })
  const lost = await visitor.open(`${PATH}tickets`)
  await visitor.send(lost, /tickets/, { email: 'grace@example.org' })
}

async function pay(recording: Recording, page: Answer): Promise<void> {
  const visitor = new Visitor(recording, 'es')
  const there = /\/orders\/test\/[\w/-]+/.exec(page.text)?.[0] ?? '/orders/test/x/y'
  const declined = await visitor.send(await visitor.open(there), /Rechazar|Decline/)
  const paid = await visitor.send(declined, /Pagar|Pay/)
  const path = paid.path.split('?')[0] as string
  const shown = await visitor.open(path)
  await visitor.open(`${path}/tickets.pdf`)
  const receipt = /\/receipts\/[\w-]+/.exec(shown.text)?.[0]
  if (receipt !== undefined) for (const what of ['', '/pdf']) await visitor.open(path + receipt + what)
}

/** Follows the link of an announcement that ends them, and writes down all mails that came. */
export async function answerMails(recording: Recording, program: Program): Promise<void> {
  await program.allMailed()
  const texts = program.mails.received.map(({ parsed }) => parsed.text ?? '').toSorted()
  const announcement = texts.find(text => text.includes('Bring a coat')) ?? ''
  const path = /\/unsubscribe\/[\w-]+(?:\.[\w-]+)*/.exec(announcement)?.[0] ?? '/unsubscribe/none'
  const visitor = new Visitor(recording)
  await visitor.send(await visitor.open(path), /./)
  await visitor.open(path)
  await recording.ask('POST', path, { form: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  await recording.ask('PUT', path)
  const sorted = program.mails.received
    .map(({ to, parsed }) => ({ name: `a mail to ${to}: ${parsed.subject}`, text: parsed.text ?? '' }))
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  for (const { name, text } of sorted) recording.note([name], text.split('\n'))
}
