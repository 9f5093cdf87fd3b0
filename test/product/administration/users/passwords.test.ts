import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { hashPassword, isOutdated, isPassword } from '#product/administration/users/passwords.ts'
import { ALONE, ofStranger } from '#product/administration/users/scrypt-lanes.ts'
import { CHEAP_HASH, PASSWORD, refusalOf } from './people.ts'

const ADA = { email: 'ada@example.org', name: 'Ada Lovelace' }

test('a password is kept as scrypt with its cost and its own salt, and is known again', async () => {
  const [one, other] = await Promise.all([
    hashPassword(PASSWORD, ADA, ALONE),
    hashPassword(PASSWORD, ADA, ALONE),
  ])
  assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[\w-]{43}\$[\w-]{43}$/)
  assert.notEqual(one, other)
  const [, , , salt = '', hash] = one.split('$')
  const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
  assert.equal(scryptSync(PASSWORD, Buffer.from(salt, 'base64url'), 32, options).toString('base64url'), hash)
  assert.deepEqual(
    await Promise.all([isPassword(PASSWORD, one, ALONE), isPassword(`${PASSWORD}!`, one, ALONE)]),
    [true, false],
  )
  assert.deepEqual([isOutdated(one), isOutdated(CHEAP_HASH)], [false, true])
  assert.equal(await isPassword(PASSWORD, CHEAP_HASH, ALONE), true)
})

test('a password is the same one in whichever way its letters are composed', async () => {
  const hash = await hashPassword('contraseña ﬁna', ADA, ALONE)
  assert.equal(await isPassword('contrasen\u0303a fina', hash, ALONE), true)
})

test("nobody has a password, and what is stored wrongly is nobody's", async () => {
  assert.equal(await isPassword(PASSWORD, undefined, ALONE), false)
  // What stands for nobody is the hash of zeros, and no password has that.
  for (const stored of ['', 'x', CHEAP_HASH.replace('ln=4', 'ln=31'), CHEAP_HASH.replace('scrypt', 'none')]) {
    assert.equal(await isPassword(PASSWORD, stored, ALONE), false, stored)
  }
})

test('a password has 10 to 200 characters, as a person counts them', async () => {
  for (const wrong of [
    '',
    'nine char',
    'x7'.repeat(101),
    'a'.repeat(1_000_000),
    `lone ${'\ud800'} surrogate`,
  ]) {
    assert.equal(await refusalOf(hashPassword(wrong, ADA, ALONE)), 'password_length', wrong.slice(0, 20))
    assert.equal(await isPassword(wrong, CHEAP_HASH, ALONE), false)
  }
  await hashPassword('🎪🎡🎢🎠🎟🎫🎭🎨🎬🎤', ADA, ALONE)
})

test('a password that is guessed first is refused: runs of keys, few letters, and names with digits around them', async () => {
  const guessable = [
    ...['1234567890', '0987654321', 'qwertyuiop', 'ZYXWVUTSRQ', 'aaaaaaaaaaaa', 'abcabcabcabc'],
    ...['Password123!', 'passwordpassword', 'iloveyou1234', 'Turnout2026'],
    ...['ada@example.org', 'ADA@example.org!!', 'AdaLovelace1815', 'Ada Lovelace'],
  ]
  for (const each of guessable)
    assert.equal(await refusalOf(hashPassword(each, ADA, ALONE)), 'password_guessable', each)
})

test('two passwords are compared at once, thirty of strangers wait, and who comes then is told so at once', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      refusalOf(isPassword(PASSWORD, CHEAP_HASH, ofStranger(`192.0.2.${at}`, undefined))),
    ),
  )
  assert.deepEqual(
    [
      outcomes.filter(each => each === 'nothing').length,
      outcomes.filter(each => each === 'unavailable').length,
    ],
    [32, 8],
  )
  // The places are free again.
  assert.equal(await isPassword(PASSWORD, CHEAP_HASH, ALONE), true)
})
