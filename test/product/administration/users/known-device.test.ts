import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, SECOND } from '#base/time.ts'
import { DEVICE_LIFETIME, KnownDevices } from '#product/administration/users/known-device.ts'
import { testClock } from '#test/support/clock.ts'

const ADA = { id: 'ada', password_hash: 'of ada', totp_secret: null }
const BOB = { id: 'bob', password_hash: 'of bob', totp_secret: null }

function start() {
  const clock = testClock()
  const devices = new KnownDevices({ clock, secret: 'secret' })
  const proofOf = (
    cookie: string | undefined,
    person?: typeof ADA | ({ totp_secret: string } & Omit<typeof ADA, 'totp_secret'>),
  ) => devices.proofOf(devices.read(cookie), person)
  return { clock, devices, proofOf }
}

test('a device is known as one of the person who signed in there, and of nobody else', () => {
  const { devices, proofOf } = start()
  const cookie = devices.remember(undefined, ADA, 'sign-in')
  assert.equal(proofOf(cookie, ADA), 'sign-in')
  assert.equal(proofOf(cookie, BOB), undefined)
  assert.equal(proofOf(cookie, undefined), undefined)
  assert.equal(proofOf(undefined, ADA), undefined)
  assert.notEqual(devices.remember(undefined, ADA, 'sign-in'), cookie)
})

test('a mark ends with the password, and with the second factor being turned on or off', () => {
  const { devices, proofOf } = start()
  const cookie = devices.remember(undefined, ADA, 'sign-in')
  assert.equal(proofOf(cookie, { ...ADA, password_hash: 'another' }), undefined)
  const withFactor = { ...ADA, totp_secret: 'A'.repeat(32) }
  assert.equal(proofOf(cookie, withFactor), undefined, 'whoever knew the password gathers no counts before')
  const later = devices.remember(cookie, withFactor, 'sign-in')
  assert.equal(proofOf(later, withFactor), 'sign-in')
  assert.equal(proofOf(later, ADA), 'sign-in', 'the old mark is among those that are kept')
  assert.equal(devices.read(later)?.id, devices.read(cookie)?.id)
})

test('several people share a browser, each with their mark, and of more than five the oldest is forgotten', () => {
  const { devices, proofOf } = start()
  const people = Array.from({ length: 6 }, (_, at) => ({ ...ADA, id: `person ${at}` }))
  let cookie: string | undefined
  for (const person of people) cookie = devices.remember(cookie, person, 'sign-in')
  assert.deepEqual(
    people.map(person => proofOf(cookie, person)),
    [undefined, ...Array.from({ length: 5 }, () => 'sign-in')],
  )
  // Signing in again takes no second place, and a full sign-in takes that of a link.
  const byLink = devices.remember(undefined, ADA, 'link')
  assert.equal(proofOf(byLink, ADA), 'link')
  const both = devices.remember(
    devices.remember(devices.remember(byLink, BOB, 'link'), ADA, 'sign-in'),
    ADA,
    'sign-in',
  )
  assert.deepEqual([proofOf(both, ADA), proofOf(both, BOB)], ['sign-in', 'link'])
  assert.equal(devices.read(both)?.marks.length, 2)
})

test('what is forged, altered, of another instance, or of any length, is no device', () => {
  const { clock, devices } = start()
  const cookie = devices.remember(undefined, ADA, 'sign-in')
  const [id = '', until = '', signature = '', mark = ''] = cookie.split('.')
  const other = new KnownDevices({ clock, secret: 'other' })
  const forged = [
    ...[
      '',
      '.',
      '...',
      'x'.repeat(1_000_000),
      `${cookie} `,
      `${cookie}\n`,
      cookie.toUpperCase(),
      `ü${cookie.slice(1)}`,
    ],
    `${id}.${Number(until) + 1}.${signature}.${mark}`,
    `${'A'.repeat(22)}.${until}.${signature}.${mark}`,
    `${id}.${until}.${'A'.repeat(22)}.${mark}`,
    [cookie, ...Array.from({ length: 5 }, () => mark)].join('.'),
    other.remember(undefined, ADA, 'sign-in'),
  ]
  for (const each of forged) assert.equal(devices.read(each), undefined, each.slice(0, 100))
  // Marks of another person or device are none of this one.
  const elsewhere = devices.remember(undefined, ADA, 'sign-in').split('.')[3]
  assert.equal(devices.proofOf(devices.read(`${id}.${until}.${signature}.${elsewhere}`), ADA), undefined)
})

test('a device is known for a year from its latest sign-in, and one of a clock that was ahead is not known', () => {
  const { clock, devices, proofOf } = start()
  const cookie = devices.remember(undefined, ADA, 'sign-in')
  clock.advance(DEVICE_LIFETIME - SECOND)
  assert.equal(proofOf(cookie, ADA), 'sign-in')
  const renewed = devices.remember(cookie, ADA, 'sign-in')
  clock.advance(SECOND)
  assert.equal(proofOf(cookie, ADA), undefined)
  assert.equal(proofOf(renewed, ADA), 'sign-in')
  // A clock that goes back by hours keeps the device known, and years of a wrong clock do not count.
  clock.advance(-DAY)
  assert.equal(proofOf(renewed, ADA), 'sign-in')
  clock.advance(-3 * DEVICE_LIFETIME)
  assert.equal(proofOf(renewed, ADA), undefined)
})
