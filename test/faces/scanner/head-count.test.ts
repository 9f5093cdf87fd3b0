import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CopyAnswer, DeviceRow, TicketRow } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import type { StoredScan } from '#faces/scanner/page/store.ts'

const NOON = '2026-11-22T12:00:00.000Z'
const device: DeviceRow = { id: 'd', name: 'North', search: true, unlisted: true }
const event = { id: 'e', title: 'Fair', timezone: 'UTC', starts_at: null, ends_at: null }

function ticket(id: string, usedBy?: string | null, state: TicketRow[2] = 'ok'): TicketRow {
  return [id, 'day', state, 'Ada', null, false, usedBy === undefined ? null : NOON, usedBy ?? null]
}

const answer = (tickets: TicketRow[], of: Partial<CopyAnswer> = {}): CopyAnswer => ({
  ...{ epoch: 'e', cursor: '1', now: NOON, event, keys: [], types: [], tickets, device },
  ...of,
})
const changes = (tickets: TicketRow[], of: Partial<CopyAnswer> = {}) => ({
  ...answer(tickets, of),
  more: false,
  notices: [],
})

function counts(copy: Copy): number[] {
  const { inside, expected, here } = copy.figuresAt(Date.parse(NOON))
  // Whatever has changed, it is what counting all rows anew would give.
  const anew = new Copy(
    copy.device,
    copy.head,
    new Map([...copy.rows()].map(row => [row[0], row])),
    copy.names,
  )
  for (const id of ['t1', 't2', 'new'].filter(each => copy.isMarkedHere(each))) {
    anew.mark(id, { scanId: 'any', at: NOON })
  }
  assert.deepEqual(copy.figuresAt(Date.parse(NOON)), anew.figuresAt(Date.parse(NOON)))
  return [inside, expected, here]
}

test('a phone knows how many are in, of how many, and how many came in by its door, with its own that nobody else knows', () => {
  const copy = new Copy(device)
  assert.deepEqual(counts(copy), [0, 0, 0])
  copy.replace(
    answer([ticket('t1'), ticket('t2'), ticket('t3', 'South'), ticket('t4', 'North'), ticket('t5', null)]),
    0,
  )
  assert.deepEqual(counts(copy), [3, 5, 1], 'a check-in of a program has no door')

  copy.mark('t1', { scanId: 's1', at: NOON })
  assert.deepEqual(counts(copy), [4, 5, 2])
  copy.mark('new', { scanId: 's2', at: NOON })
  assert.deepEqual(counts(copy), [5, 6, 3], 'somebody who is in the list of nobody yet is in all the same')
  copy.change(changes([ticket('t1', 'North'), ticket('new', 'North')]), 0)
  assert.deepEqual(counts(copy), [5, 6, 3], 'the server has them now, and nobody counts twice')
  copy.change(changes([ticket('t2', undefined, 'cancelled'), ticket('t6')]), 0)
  assert.deepEqual(counts(copy), [5, 6, 3], 'one less is expected, and one more')
  copy.change(changes([ticket('t3', 'South', 'cancelled')]), 0)
  assert.deepEqual(counts(copy), [5, 6, 3], 'who is in stays in, whatever becomes of the ticket')

  assert.notEqual(copy.clearUse('t1', 's1'), undefined)
  assert.deepEqual(counts(copy), [4, 6, 2])
  copy.put(ticket('t6', 'North'))
  assert.deepEqual(counts(copy), [5, 6, 3])
  copy.unmark('new', 's2')
  assert.deepEqual(counts(copy), [5, 6, 3])
  copy.replace(answer([ticket('t1')]), 0)
  assert.deepEqual(counts(copy), [0, 1, 0])
})

test('a door that is renamed knows what it did under its old name, also after its page was closed', () => {
  const copy = new Copy(device)
  copy.replace(answer([ticket('t1', 'North'), ticket('t2', 'South')]), 0)
  copy.change(changes([], { device: { ...device, name: 'Garden' } }), 0)
  copy.change(changes([ticket('t3', 'Garden')]), 0)
  assert.deepEqual(counts(copy), [3, 3, 2])
  assert.deepEqual(
    ['North', 'Garden', 'South', '', null].map(name => copy.isHere(name)),
    [true, true, false, false, false],
  )
  const rows = new Map([...copy.rows()].map(row => [row[0], row]))
  const reopened = new Copy(copy.device, copy.head, rows, copy.names)
  assert.deepEqual(reopened.figuresAt(Date.parse(NOON)), copy.figuresAt(Date.parse(NOON)))
  assert.deepEqual(reopened.clearUse('t1', 's1')?.[6], null, 'it takes back what it let in before')
  assert.equal(reopened.clearUse('t2', 's2'), undefined)
})

test('the keys of other events stay as changes come, which bring none', () => {
  const copy = new Copy(device)
  const other_events = [{ id: '01020304', public_key: 'k', title: 'Ball' }]
  copy.replace(answer([], { other_events }), 0)
  assert.deepEqual(copy.change(changes([]), 1).other_events, other_events)
  assert.equal(copy.head?.other_events, other_events)
})

test('marks of waiting scans count when the page starts again', () => {
  const copy = new Copy(device, undefined, new Map([['t1', ticket('t1')]]))
  copy.markAgain({
    kind: 'scan',
    shown: 'admitted',
    ticketId: 't1',
    scan_id: 's1',
    at: NOON,
    offset: 0,
  } as StoredScan)
  assert.deepEqual(counts(copy), [1, 1, 1])
})
