import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { connect, type LookupFunction } from 'node:net'
import { test } from 'node:test'
import * as v from 'valibot'
import { isPublicAddress } from '#base/public-address.ts'
import {
  AddressRefused,
  findUrlFault,
  guardLookup,
} from '#product/administration/webhooks/delivery/address-guard.ts'
import { endpointUrl } from '#product/administration/webhooks/endpoints.ts'

const LIFTED = '; in a sandbox --allow-insecure-webhooks lifts that, here and on the server'
const NOT_PUBLIC = `must be an address on the public internet${LIFTED}`

const refusedAddresses = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%lo'],
  metadata: ['169.254.169.254', '169.254.170.2', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'broadcast and reserved': ['255.255.255.255', '240.0.0.1', '192.0.0.1', '192.88.99.1', '198.18.0.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'unique local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
  'IPv4-compatible': ['::127.0.0.1', '::10.0.0.1', '::8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1', '64:ff9b:1:ffff::10.0.0.1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'special ranges of IPv6': ['100::1', '2001:2::1', '2001:10::1', '2001:20::1', '5f00::1'],
  'not given out': ['4000::1', '8000::1', 'e000::1', '200::1', '1::1'],
  'no address at all': ['', 'localhost', '1.1.1', '1.1.1.1.1', '0x7f000001', '2130706433', '1.1.1.1 '],
}

const allowedAddresses = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255'],
  ...['128.0.0.1', '169.253.255.255', '172.15.255.255', '172.32.0.1', '192.167.255.255', '223.255.255.254'],
  ...['2606:4700:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '2400:cb00::1'],
]

test('addresses outside the public internet are refused, and their public neighbours are not', () => {
  for (const [name, addresses] of Object.entries(refusedAddresses)) {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, `${name}: ${address}`)
  }
  for (const address of allowedAddresses) assert.equal(isPublicAddress(address), true, address)
})

test('a host that is an address, in whatever form, is refused if that address is', async () => {
  const loopback = ['127.0.0.1', '127.0.0.1.', '2130706433', '0x7f000001', '0x7F.0.0.1', '017700000001']
  const hosts = [
    ...loopback,
    ...['0177.0.0.01', '127.1', '127.0.1', '0x7f.1', '0', '0.0.0.0', '%31%32%37.0.0.1', '[::1]'],
    ...['[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::7f00:1]'],
    ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '[::ffff:a9fe:a9fe]'],
    ...['10.0.0.1', '0xa000001', '167772161', '012.1', '192.168.1.1', '192.168.257', '[fd00::1]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2001::1]', '[fe80::1]'],
  ]
  const unused: LookupFunction = () => assert.fail('an address is not looked up')
  for (const host of hosts) {
    assert.equal(await findUrlFault(`https://${host}:8443/hook`, false, unused), NOT_PUBLIC, host)
  }
  for (const host of ['1.1.1.1', '16843009', '0x01010101', '[2606:4700:4700::1111]']) {
    assert.equal(await findUrlFault(`https://${host}/hook`, false, unused), undefined, host)
  }
})

test('the names of this machine are refused, whether or not a resolver knows them', async () => {
  const unknown: LookupFunction = (_, __, callback) => callback(new Error('unknown'), '')
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'a.b.localhost.']) {
    assert.equal(await findUrlFault(`https://${host}/hook`, false, unknown), NOT_PUBLIC, host)
  }
  assert.equal(await findUrlFault('https://localhost.example.org/hook', false, unknown), undefined)
})

/** Answers each look-up with the next of the given lists of addresses, the last again and again. */
function scripted(...answers: string[][]) {
  const lookups: string[] = []
  const lookup: LookupFunction = (hostname, _, callback) => {
    const addresses = answers[Math.min(lookups.length, answers.length - 1)] as string[]
    lookups.push(hostname)
    const found = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    setImmediate(() => callback(null, found))
  }
  return { lookups, lookup }
}

test('a name is refused if any of its addresses is private, and accepted if it cannot be resolved just now', async () => {
  const check = (...addresses: string[]) =>
    findUrlFault('https://hook.example.org/', false, scripted(addresses).lookup)
  assert.equal(await check('93.184.215.14'), undefined)
  assert.equal(await check('93.184.215.14', '2606:4700::1'), undefined)
  assert.equal(await check('93.184.215.14', '10.0.0.1'), NOT_PUBLIC)
  assert.equal(await check('::1', '93.184.215.14'), NOT_PUBLIC)
  assert.equal(await check('::ffff:93.184.215.14'), NOT_PUBLIC)
  assert.equal(await check(), undefined)
})

test('registration refuses http, and the flag for sandboxes lifts that and the rule on addresses', async () => {
  const { lookup } = scripted(['93.184.215.14'])
  assert.equal(await findUrlFault('http://example.org/', false, lookup), `must be an https address${LIFTED}`)
  assert.equal(await findUrlFault('https://example.org/', false, lookup), undefined)
  for (const url of [
    'http://example.org/',
    'http://127.0.0.1:9/',
    'https://10.0.0.1/',
    'http://localhost/',
  ]) {
    assert.equal(await findUrlFault(url, true, lookup), undefined, url)
  }
})

test('a URL with credentials, a fragment, another scheme or hidden characters is no endpoint', () => {
  const refused = [
    ...['https://user:secret@example.org/', 'https://user@example.org/', 'https://:secret@example.org/'],
    ...['https://example.org/#part', 'ftp://example.org/', 'file:///etc/passwd', 'javascript:alert(1)'],
    ...['//example.org/', 'example.org', '', ' https://example.org/', 'https://example.org/\n'],
    ...['https://exa\tmple.org/', 'https://exämple.org/', 'https://', 'https://[::1', 'https://1.2.3.256/'],
    `https://example.org/${'a'.repeat(2000)}`,
  ]
  for (const url of refused) assert.equal(v.is(endpointUrl, url), false, url)
  for (const url of ['https://example.org', 'https://example.org:8443/hook?tenant=1', 'http://10.0.0.1/']) {
    assert.equal(v.parse(endpointUrl, url), url)
  }
})

/**
 * Returns the address that a socket would connect to. No packet leaves, because the socket is destroyed once the name is looked up.
 */
function wouldConnectTo(lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'hook.example.org', port: 9, lookup, autoSelectFamily: false })
    socket.on('lookup', (error, address) => {
      socket.destroy()
      if (error) reject(error)
      else resolve(address)
    })
    socket.on('error', reject)
  })
}

test('the sender connects to the address that was checked: there is one look-up, and no second', async () => {
  const rebinding = scripted(['93.184.215.14'], ['127.0.0.1'])
  const guarded = guardLookup(rebinding.lookup)
  assert.equal(await wouldConnectTo(guarded), '93.184.215.14')
  assert.equal(rebinding.lookups.length, 1)
  await assert.rejects(wouldConnectTo(guarded), AddressRefused)
  assert.equal(rebinding.lookups.length, 2)
})

test('the guard hands on all addresses or none', async () => {
  const look = (...addresses: string[]) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      guardLookup(scripted(addresses).lookup)('hook.example.org', { all: true }, (error, found) =>
        error === null ? resolve(found as LookupAddress[]) : reject(error),
      )
    })
  const both = [
    { address: '93.184.215.14', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]
  assert.deepEqual(await look('93.184.215.14', '2606:4700::1'), both)
  await assert.rejects(look('93.184.215.14', '169.254.169.254'), AddressRefused)
  await assert.rejects(look('fd00::1', '93.184.215.14'), AddressRefused)
  await assert.rejects(look(), AddressRefused)
})
