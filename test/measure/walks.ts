import { setTimeout } from 'node:timers/promises'
import type { Answer, Recording } from './recording.ts'
import { Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery'
/** A form that was sent sooner was filled in by no person. */
const A_SECOND = 1100
const EVENT_PAGE = '/ada/spring-meeting/'

export interface Walker {
  recording: Recording
  owner: Visitor
  account: string
  event: string
  /** The types of tickets, by name. */
  types: Record<string, string>
  key: string
  /** The page of an order that waits for its money. */
  due: string
}

export type Walk = () => Promise<void>

/** Makes a member who is signed in, and a key, before the first walk. */
export async function begin(
  recording: Recording,
  applied: {
    account_id: string
    events: Record<string, { id: string; registration_types: Record<string, string> }>
  },
  command: (...args: string[]) => Promise<string>,
): Promise<Walker> {
  const invite = ['user', 'invite', '--email', 'owner@example.org', '--role', 'owner', '--json']
  const { url } = JSON.parse(await command(...invite))
  const scopes = ['--scopes', 'registrations:read,checkins:write', '--rate-limit', '0']
  const { key } = JSON.parse(await command('key', 'create', '--name', 'door', ...scopes, '--json'))
  const owner = new Visitor(recording)
  const form = await owner.open(new URL(url).pathname)
  await owner.send(form, /join/, { name: 'Olga', password: PASSWORD })
  const { id, registration_types: types } = applied.events[
    'spring-meeting'
  ] as (typeof applied.events)[string]
  const event = `/manage/e/${id}`
  await place(recording, types, { 'buyer.name': 'Lin', 'buyer.email': 'lin@example.org', pay: 'door' })
  const account = `/manage/a/${applied.account_id}`
  return { recording, owner, account, event, types, key, due: await orderOf(owner, event) }
}

export const walks: Record<string, (walker: Walker) => Promise<void>> = {
  /** Two guests of a file: uploaded, its columns named, its lines checked, and the guests made. */
  async import({ owner, event }) {
    const lines = ['name,email,type', 'Ida,ida@example.org,Free', 'Joe,joe@example.org,Free']
    const file = new File([lines.join('\n')], 'guests.csv', { type: 'text/csv' })
    const columns = await owner.send(await owner.open(`${event}/guests/import`), /guests\/import/, { file })
    const { path } = await owner.send(columns, /columns/)
    const done = await owner.send(await owner.open(`${path}/start`), /start/)
    expect(done, /2 guests (were|are)|Imported|added/)
  },
  async scan({ recording, key }) {
    const headers = { authorization: `Bearer ${key}` }
    const { body: list } = await recording.ask('GET', '/v1/registrations?q=Ida', { headers })
    const qr_code = list.data[0].attendees[0].qr_code
    expect(await recording.ask('POST', '/v1/check-ins', { headers, body: { qr_code } }), /checkin|not_valid/)
  },
  /** From the page of an event over the form, its review and the page of the processor to the tickets. */
  async 'order to paid'({ recording, types }) {
    const visitor = new Visitor(recording)
    await visitor.open(EVENT_PAGE)
    const placed = await place(recording, types, {
      ...{ 'buyer.name': 'Kim', 'buyer.email': 'kim@example.org', pay: 'test' },
    })
    const there = /\/orders\/test\/[\w/-]+/.exec(placed.text)?.[0] ?? ''
    const paid = await visitor.send(await visitor.open(there), /Pay/)
    expect(paid, /class="qr"/)
  },
  async refund({ owner, event }) {
    const order = await orderOf(owner, event)
    const choice = await owner.open(`${order}/refund`)
    const ticket = /name="ticket" value="([^"]+)"/.exec(choice.text)?.[1]
    await owner.send(await owner.open(`${order}/refund?ticket=${ticket}&how=cost&amount=`), /refund/)
    for (let times = 0; times < 50; times++) {
      if (/Refunded|Paid back|were refunded/.test((await owner.open(order)).text)) return
      await setTimeout(100)
    }
    throw new Error('Nothing is refunded.')
  },
  /** A transfer that pays an order: the file uploaded, its columns named, and its line matched. */
  async 'bank statement'({ owner, account, due }) {
    const reference = /RF\d\d(?: ?\d{4})+/.exec((await owner.open(due)).text)?.[0]
    const lines = ['Date;Name;Purpose;Amount', `12.05.2031;Lin;${reference};50,00`]
    const file = new File([lines.join('\n')], 'may.csv', { type: 'text/csv' })
    const columns = await owner.send(await owner.open(`${account}/statements`), /statements/, { file })
    const done = await owner.send(await owner.send(columns, /columns/), /match/)
    expect(done, /Paid an order/)
  },
  async 'event edited'({ owner, event }) {
    const form = await owner.open(`${event}/settings`)
    expect(await owner.send(form, /settings/, { title: 'Spring Meeting of All' }), /is saved/)
  },
}

/** Fills in the form for a ticket, reviews it, and orders. */
async function place(recording: Recording, types: Record<string, string>, typed: Record<string, string>) {
  const visitor = new Visitor(recording)
  const form = await visitor.open(`${EVENT_PAGE}register?q.${types.Standard}=1`)
  await setTimeout(A_SECOND)
  const review = await visitor.send(form, /register/, { terms: 'yes', ...typed })
  return visitor.send(review, /register\/order/)
}

/** Returns the latest order of the event. */
async function orderOf(owner: Visitor, event: string): Promise<string> {
  const list = await owner.open(`${event}/orders`)
  return new RegExp(`${event}/orders/[0-9a-f-]{36}`).exec(list.text)?.[0] ?? ''
}

function expect({ path, status, text }: Answer, said: RegExp): void {
  if (!said.test(text)) throw new Error(`${path} answers ${status} without ${said}: ${text.slice(0, 3000)}`)
}
