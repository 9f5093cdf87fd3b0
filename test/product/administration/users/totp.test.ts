import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32nopad } from '@scure/base'
import {
  findTotpStep,
  hashRecoveryCode,
  isTotpSecret,
  newRecoveryCodes,
  newTotpSecret,
  totpCode,
  totpUri,
} from '#product/administration/users/totp.ts'

const SECRET = base32nopad.encode(Buffer.from('12345678901234567890'))

test('the codes are those of RFC 6238, appendix B, in six digits', () => {
  const vectors: [seconds: number, eight: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, eight] of vectors) {
    assert.equal(totpCode(SECRET, Math.floor(seconds / 30)), eight.slice(2))
  }
})

test('the codes are those of RFC 4226, appendix D', () => {
  const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')
  assert.deepEqual(
    codes.map((_, step) => totpCode(SECRET, step)),
    codes,
  )
})

test('a code is accepted a step before and after its own, and no further', () => {
  const code = totpCode(SECRET, 1000)
  const found = [998, 999, 1000, 1001, 1002].map(step => findTotpStep(SECRET, code, step * 30_000 + 1))
  assert.deepEqual(found, [undefined, 1000, 1000, 1000, undefined])
  for (const wrong of ['', '12345', '1234567', `${code}\n`, '٠١٢٣٤٥', 'abcdef', '-12345']) {
    assert.equal(findTotpStep(SECRET, wrong, 30_000_000), undefined, wrong)
  }
})

test('a secret has 160 bits, and the address for an authenticator says all of it', () => {
  const secret = newTotpSecret()
  assert.ok(isTotpSecret(secret))
  assert.equal(base32nopad.decode(secret).length, 20)
  assert.notEqual(newTotpSecret(), secret)
  const uri = new URL(totpUri(secret, 'a+b&c@example.org', 'Ada & Sons'))
  assert.equal(uri.protocol + uri.host, 'otpauth:totp')
  assert.equal(decodeURIComponent(uri.pathname), '/Ada & Sons:a+b&c@example.org')
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    secret,
    issuer: 'Ada & Sons',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('there are ten recovery codes of 80 bits, which are taken however they are typed', () => {
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) {
    assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    assert.equal(hashRecoveryCode(code.toLowerCase().replaceAll('-', ' ')), hashRecoveryCode(code))
  }
})
