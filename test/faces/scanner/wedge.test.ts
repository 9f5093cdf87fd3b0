import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { Presenting } from '#faces/scanner/page/presenting.ts'
import { type Burst, CODE_PAUSE, type Stroke, Wedge } from '#faces/scanner/page/wedge.ts'
import { encodeTicket, newTicketKey } from '#product/guests/attendees/ticket-code.ts'
import { strokes } from '#test/support/door/strokes.ts'

const key = newTicketKey()
const newCode = () => encodeTicket(key, newUuid())
const END = { key: 'Enter', code: 'Enter', shift: false }

/** Numbers between 0 and 1 that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** A page with a keyboard and a clock: `shown` has what it shows, `left` what stays in the field that has the focus. */
function page() {
  let at = 0
  const wedge = new Wedge()
  const shown: string[] = []
  const bursts: Burst[] = []
  let left = ''
  const presenting = new Presenting({
    ...{ steady: () => at, keys: () => [key], others: () => [] },
    onTicket: presented => void shown.push(presented.code ?? ''),
    onFault: fault => void shown.push(fault),
    onAgain: () => void shown.push('again'),
    onStill: () => assert.fail(),
  })
  const give = (burst: Burst | undefined) => {
    if (burst === undefined || burst.isByHand) return false
    bursts.push(burst)
    left = ''
    if (burst.texts.length > 0) presenting.take(burst.texts, 'wedge', at)
    return true
  }
  const pass = (pause: number) => {
    if (pause >= CODE_PAUSE && wedge.isPending) give(wedge.expire(at + CODE_PAUSE))
    at += pause
  }
  const press = (stroke: Omit<Stroke, 'at'>, pause = 2) => {
    pass(pause)
    if (!give(wedge.take({ ...stroke, at })) && stroke.key.length === 1) left += stroke.key
  }
  const type = (text: string, pauseBefore: (place: number) => number = () => 2) => {
    for (const [place, stroke] of strokes(text).entries()) press(stroke, pauseBefore(place))
  }
  return { shown, bursts, type, press, pass, enter: (pause = 2) => press(END, pause), left: () => left }
}

test('a scanner that stops within a code, for 50 to 900 ms and as often as it likes, loses no ticket and calls none forged', () => {
  const random = seeded(7)
  for (let run = 0; run < 300; run++) {
    const { shown, type, enter, pass } = page()
    const codes = [newCode(), newCode(), newCode()]
    // From one stop in a code to a stop before every key.
    const share = run % 3 === 0 ? 1 : (run % 20) / 100
    const isEnding = run % 2 === 0
    for (const code of codes) {
      const stop = Math.floor(random() * code.length)
      type(code, place => (place === stop || random() < share ? 50 + random() * 850 : 2))
      if (isEnding) enter(2 + random() * 890)
      pass(run % 5 === 0 ? 20 : 3_000)
    }
    assert.deepEqual(shown, codes, `run ${run}`)
  }
})

test('a code is taken with its last key; the Enter after it presses nothing, and the next Enter is a person’s', () => {
  const { shown, bursts, type, enter, pass } = page()
  const code = newCode()
  type(code.slice(0, -1))
  assert.deepEqual(shown, [])
  type(code.slice(-1))
  assert.deepEqual(shown, [code])
  enter(400)
  assert.deepEqual(bursts.at(-1), { texts: [], isByHand: false })
  pass(2_000)
  enter()
  assert.equal(bursts.length, 2)
  assert.deepEqual(shown, [code])
})

test('a part of a code is to be read again, whichever part it is, and with or without an Enter', () => {
  const code = newCode()
  const middle = code.slice(0, 60) + code.slice(61)
  for (const part of [
    code.slice(0, 5),
    code.slice(0, 40),
    code.slice(0, -1),
    middle,
    code.slice(1),
    code.slice(70),
  ]) {
    for (const isEnding of [true, false]) {
      const { shown, type, enter, pass } = page()
      type(part)
      if (isEnding) enter()
      else pass(CODE_PAUSE)
      assert.deepEqual(shown, ['fragment'], `${part.length} of it, ${isEnding}`)
      type(code)
      assert.deepEqual(shown, ['fragment', code], 'once it is read again it is good')
    }
  }
})

test('what follows a code that stopped for too long is neither forged nor a second fault', () => {
  const { shown, type, enter } = page()
  const code = newCode()
  type(code, place => (place === 70 ? 1_300 : 2))
  enter()
  assert.deepEqual(shown, ['fragment'])
  type(code)
  assert.deepEqual(shown, ['fragment', code])
})

test('the same code within 5 s is said to be just read, and after that it is a scan', () => {
  const { shown, type, enter, pass } = page()
  const code = newCode()
  for (const wait of [0, 1_500, 6_000]) {
    pass(wait)
    type(code)
    enter()
  }
  assert.deepEqual(shown, [code, 'again', code])
})

test('what a scanner reads that is no code is told as such, and only with an Enter', () => {
  const { shown, type, enter } = page()
  type('https://example.org/poster')
  enter()
  type('LOYALTY-123456')
  assert.deepEqual(shown, ['invalid_qr_code'])
})

test('a name that a person types stays in its field, at every pace, and with an Enter', () => {
  const random = seeded(3)
  for (const pace of [60, 90, 130, 300, 1_200]) {
    for (const name of [
      'Maximiliane-Theodora',
      'svc',
      'SVC1',
      'Bartholomew Featherstonehaugh Cholmondeley',
    ]) {
      const { shown, bursts, type, enter, left, pass } = page()
      type(name, () => pace * (0.8 + random() * 0.4))
      enter(pace)
      pass(2_000)
      assert.equal(left(), name, `${pace} ms`)
      assert.deepEqual([shown, bursts], [[], []])
    }
  }
})

test('a code that a person types by hand is left in the field until it is complete, and no key is lost', () => {
  const code = newCode()
  const { shown, type, left, press } = page()
  type(code.slice(0, 100), () => 250)
  assert.equal(left(), code.slice(0, 100))
  // After a correction only the field knows the text.
  press({ key: 'Backspace', code: 'Backspace', shift: false })
  type(code.slice(99), () => 250)
  assert.deepEqual(shown, [])
})

test('a code is read after a name that somebody has begun to type', () => {
  const { shown, type } = page()
  const code = newCode()
  type('Müller', () => 150)
  type(code, place => (place === 0 ? 500 : 2))
  assert.deepEqual(shown, [code])
})
