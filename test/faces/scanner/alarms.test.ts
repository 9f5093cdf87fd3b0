import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alarms } from '#faces/scanner/page/alarms.ts'
import type { TicketRow } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import type { Alarm, KeptAlarms } from '#faces/scanner/page/store.ts'

const row = (id: string, name: string | null): TicketRow => [id, 'day', 'ok', name, null, false, null, null]
const alarm = (id: string): Alarm => ({
  ...{ kind: 'double', scanId: id, row: row(id, null), type: 'Day', reason: 'already_checked_in' },
  ...{ first: null, other: null },
})

test('an alarm names whom the phone has shown, where its list has no names, and what is kept of it names nobody', async () => {
  const kept: KeptAlarms[] = []
  const copy = new Copy()
  const alarms = new Alarms({ copy: () => copy, save: async each => void kept.push(each), onAlarm: () => {} })
  alarms.remember(row('t1', 'Zoë Ångström'))
  alarms.remember(row('t2', null))
  await alarms.tell(alarm('t1'))
  await alarms.tell(alarm('t2'))
  assert.deepEqual(
    alarms.standing.map(({ row }) => row?.[3]),
    ['Zoë Ångström', null],
  )
  assert.ok(!JSON.stringify(kept).includes('Zoë'))

  alarms.forget()
  await alarms.tell(alarm('t1'))
  assert.equal(alarms.standing[0]?.row?.[3], null, 'a door that is forgotten takes the names with it')
})

test('a phone remembers the names of the last thousand tickets that it has shown', async () => {
  const copy = new Copy()
  const alarms = new Alarms({ copy: () => copy, save: async () => {}, onAlarm: () => {} })
  for (let at = 0; at <= 1000; at++) alarms.remember(row(`t${at}`, `Guest ${at}`))
  for (const id of ['t0', 't1', 't1000']) await alarms.tell(alarm(id))
  assert.deepEqual(
    alarms.standing.map(({ row }) => row?.[3]),
    [null, 'Guest 1', 'Guest 1000'],
  )
})
