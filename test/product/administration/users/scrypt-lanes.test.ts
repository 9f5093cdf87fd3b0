import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ALONE,
  ofLink,
  ofPerson,
  ofPlace,
  ofStranger,
  ScryptLanes,
  type Waiter,
} from '#product/administration/users/scrypt-lanes.ts'
import { refusalOf } from './people.ts'

/** Starts lanes whose work ends when the test says so. `ended` names the ended tasks in their order. */
function startLanes() {
  const lanes = new ScryptLanes()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const enter = (name: string, waiter: Waiter) =>
    refusalOf(
      lanes.run(waiter, () => {
        begun.push(name)
        return new Promise<void>(resolve => ends.push(resolve))
      }),
    )
  /** Ends what began first. */
  const endOne = async () => {
    ends.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { begun, enter, endOne, ends }
}

const stranger = (at: number) => ofStranger(`10.0.0.${at}`, undefined)

test('a lane that strangers have filled is full for strangers alone', async () => {
  const { begun, enter, endOne } = startLanes()
  const all = Array.from({ length: 100 }, (_, at) => enter(`stranger ${at}`, stranger(at)))
  assert.equal(await enter('another', stranger(200)), 'unavailable')
  const recognized = [
    enter('place', ofPlace('192.0.2.1')),
    enter('link', ofLink('token')),
    enter('device', ofPerson('ada', 'device')),
  ]
  for (let turns = 0; turns < 40; turns++) await endOne()
  assert.deepEqual(await Promise.all(recognized), ['nothing', 'nothing', 'nothing'])
  const kinds = await Promise.all(all)
  assert.equal(kinds.filter(kind => kind === 'unavailable').length, 68)
  assert.deepEqual(begun.slice(0, 6), ['stranger 0', 'stranger 1', 'link', 'device', 'place', 'stranger 2'])
})

test('whoever keeps asking in a lane that comes first leaves one turn in four to those behind it', async () => {
  const { begun, enter, endOne } = startLanes()
  const all = [enter('first', ALONE), enter('first', ALONE)]
  for (let at = 0; at < 3; at++) all.push(enter('stranger', stranger(at)))
  for (let at = 0; at < 12; at++) {
    all.push(enter('own', ALONE))
    await endOne()
  }
  for (let turns = 0; turns < 20; turns++) await endOne()
  await Promise.all(all)
  assert.deepEqual(
    begun.flatMap((name, at) => (name === 'stranger' ? [at] : [])),
    [5, 9, 13],
  )
})

test('an address, a /48, a place, a device and a link have their share of a lane, and no more', async () => {
  const most: [name: string, most: number, waiterOf: (at: number) => Waiter][] = [
    ['an address', 6, () => ofStranger('2001:db8:1:1', '2001:db8:1::/48')],
    ['a /48', 10, at => ofStranger(`2001:db8:1:${at}`, '2001:db8:1::/48')],
    ['a place', 6, () => ofPlace('192.0.2.1')],
    ['a device', 3, () => ofPerson('ada', 'device 1')],
    ['ten devices of a person', 10, at => ofPerson('ada', `device ${at}`)],
    ['a link', 3, () => ofLink('token')],
  ]
  for (const [name, wait, waiterOf] of most) {
    const { enter, endOne } = startLanes()
    const all = Array.from({ length: 40 }, (_, at) => enter(String(at), waiterOf(at)))
    const others = enter('others', { ...waiterOf(0), bounds: [] })
    for (let turns = 0; turns < 40; turns++) await endOne()
    assert.equal((await Promise.all(all)).filter(kind => kind === 'nothing').length, 2 + wait, name)
    assert.equal(await others, 'nothing', name)
    // Its share is free again.
    const again = enter('again', waiterOf(0))
    await endOne()
    assert.equal(await again, 'nothing', name)
  }
})

test('work that fails hands its place on', async () => {
  const lanes = new ScryptLanes()
  const failing = () => Promise.reject(new Error('no memory'))
  for (let at = 0; at < 5; at++) await assert.rejects(lanes.run(ALONE, failing), /no memory/)
  assert.equal(await lanes.run(ALONE, async () => 'done'), 'done')
})
