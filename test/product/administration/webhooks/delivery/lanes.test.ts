import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lanes } from '#product/administration/webhooks/delivery/lanes.ts'

const ENDPOINT = 'quick'

/** Makes lanes of which one has had so many quick answers. */
function lanesAfter(answers: number) {
  const lanes = new Lanes<{ endpoint_id: string }>()
  const claim = { endpoint_id: ENDPOINT }
  const answer = (quick: boolean) => {
    lanes.add(claim)
    lanes.start(() => undefined)
    lanes.end(claim, quick)
  }
  for (let number = 0; number < answers; number++) answer(true)
  return { lanes, answer }
}

test('an endpoint that answers quickly may have more under way with each answer, up to what it can be sent within a lease', () => {
  assert.equal(lanesAfter(0).lanes.widthOf(ENDPOINT, 1), 20)
  assert.equal(lanesAfter(100).lanes.widthOf(ENDPOINT, 1), 120)
  // Four at a time, each within a tenth of a second: 9 seconds are enough for all of them.
  assert.equal(lanesAfter(1_000).lanes.widthOf(ENDPOINT, 1), 254)
})

test('one answer that is slow halves what is claimed ahead, and ten leave what is in flight', () => {
  const { lanes, answer } = lanesAfter(1_000)
  answer(false)
  assert.equal(lanes.widthOf(ENDPOINT, 1), 129)
  for (let number = 0; number < 9; number++) answer(false)
  assert.equal(lanes.widthOf(ENDPOINT, 1), 4)
})

test('many endpoints share what is claimed ahead, and each keeps what one commit can serve', () => {
  const { lanes } = lanesAfter(1_000)
  const widths = [8, 20, 40, 1_000].map(among => lanes.widthOf(ENDPOINT, among))
  assert.deepEqual(widths, [254, 104, 64, 64])
  assert.equal(lanes.widthOf('new', 1_000), 20)
})
