import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { apiDocument } from '#test/support/api-document.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { startWithWebhooks } from '#test/support/webhooks.ts'

const guide: string = apiDocument.tags.find(({ name }: { name: string }) => name === 'Webhooks').description

/** Returns a text of the page, as a reader copies it. */
function quoted(pattern: RegExp): string {
  const [, text] = pattern.exec(guide) ?? []
  if (text === undefined) throw new Error(`The reference lacks ${pattern}.`)
  return text
}

const vector = {
  secret: quoted(/\| secret \| `([^`]+)` \|/),
  t: Number(quoted(/\| t \| `(\d+)` \|/)),
  v1: quoted(/\| v1 \| `([0-9a-f]{64})` \|/),
  body: quoted(/The raw body[^`]+```json\n(.+)\n```/),
  header: quoted(/SVC-Signature: (t=.+)\n```/),
}

function sign(secret: string, t: number | string, body: Buffer | string): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
}

test('the test vector is right, and its body is an event with letters beyond ASCII', () => {
  const { secret, t, v1, body, header } = vector
  assert.equal(v1, sign(secret, t, body))
  assert.equal(header, `t=${t},v1=${v1}`)
  assert.equal(JSON.parse(body).type, 'checkin.created')
  assert.ok(Buffer.byteLength(body) > body.length)
})

interface Case {
  rule: string
  accepted: boolean
  secret?: string
  header?: string
  body?: Buffer
  now?: number
}

const { secret, t, v1, header, body } = vector
const wrong = v1.replace(/^./, first => (first === '0' ? '1' : '0'))
const bytes = Buffer.from([0xff, 0x00, 0x0a])
const cases: Case[] = [
  { rule: 'the vector', accepted: true },
  { rule: '300 seconds late', accepted: true, now: t + 300 },
  { rule: '300 seconds early', accepted: true, now: t - 300 },
  { rule: '301 seconds late', accepted: false, now: t + 301 },
  { rule: '301 seconds early', accepted: false, now: t - 301 },
  { rule: 'an altered body', accepted: false, body: Buffer.from(body.replace('Zoë', 'Zoe')) },
  { rule: 'a body written again', accepted: false, body: Buffer.from(`${body}\n`) },
  {
    rule: 'a body that is no text',
    accepted: true,
    body: bytes,
    header: `t=${t},v1=${sign(secret, t, bytes)}`,
  },
  { rule: 'another secret', accepted: false, secret: `${secret}x` },
  { rule: 'a secret without its prefix', accepted: false, secret: secret.slice('whsec_'.length) },
  { rule: 'another t', accepted: false, header: `t=${t + 1},v1=${v1}` },
  { rule: 'the second v1 of a rotation', accepted: true, header: `t=${t},v1=${wrong},v1=${v1}` },
  { rule: 'the first v1 of a rotation', accepted: true, header: `t=${t},v1=${v1},v1=${wrong}` },
  { rule: 'two wrong v1', accepted: false, header: `t=${t},v1=${wrong},v1=${wrong}` },
  { rule: 'another scheme', accepted: false, header: `t=${t},v0=${v1}` },
  { rule: 'no t', accepted: false, header: `v1=${v1}` },
  { rule: 'a t that is no number', accepted: false, header: `t=${t}x,v1=${sign(secret, `${t}x`, body)}` },
  { rule: 'an endless t', accepted: false, header: `t=${'9'.repeat(400)},v1=${v1}` },
  { rule: 'a cut v1', accepted: false, header: `t=${t},v1=${v1.slice(0, 62)}` },
  { rule: 'a v1 with more behind it', accepted: false, header: `t=${t},v1=${v1}00` },
  { rule: 'a v1 that is not hex', accepted: false, header: `t=${t},v1=${'é'.repeat(64)}` },
  { rule: 'an empty v1', accepted: false, header: `t=${t},v1=` },
  { rule: 'an empty header', accepted: false, header: '' },
  { rule: 'a header of other signs', accepted: false, header: ',=,==,t,v1' },
]

interface Language {
  name: string
  command: string
  fence: string
  file: string
  /** The expression that compares in constant time. */
  compares: string
  /** Reads the cases from the standard input, and prints which are accepted. */
  harness: (code: string) => string
}

const languages: Language[] = [
  {
    name: 'Node.js',
    command: process.execPath,
    fence: 'js',
    file: 'verify.mjs',
    compares: 'timingSafeEqual(',
    harness: code => `import { readFileSync } from 'node:fs'
${code}
const cases = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify(cases.map(c => isGenuine(c.secret, c.header, Buffer.from(c.body, 'base64'), c.now))))`,
  },
  {
    name: 'Python',
    command: 'python3',
    fence: 'python',
    file: 'verify.py',
    compares: 'hmac.compare_digest(',
    harness: code => `${code}
import base64, json, sys
cases = json.load(sys.stdin)
print(json.dumps([is_genuine(c["secret"], c["header"], base64.b64decode(c["body"]), c["now"]) for c in cases]))`,
  },
  {
    name: 'PHP',
    command: 'php',
    fence: 'php',
    file: 'verify.php',
    compares: 'hash_equals(',
    harness: code => `${code}
$cases = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(
    fn($c) => is_genuine($c['secret'], $c['header'], base64_decode($c['body']), $c['now']), $cases));`,
  },
]

for (const { name, command, fence, file, compares, harness } of languages) {
  const isThere = spawnSync(command, ['--version']).status === 0
  const skip = isThere ? false : `${command} is not installed`
  test(`the ${name} code of the reference accepts what is genuine, and nothing else`, { skip }, t => {
    const code = quoted(new RegExp(`\`\`\`${fence}\\n([^]+?)\\n\`\`\``))
    assert.ok(code.includes(compares))
    const path = join(temporaryFolder(t), file)
    writeFileSync(path, harness(code))
    const given = cases.map(one => ({
      secret: one.secret ?? secret,
      header: one.header ?? header,
      body: (one.body ?? Buffer.from(body)).toString('base64'),
      now: one.now ?? vector.t,
    }))
    const { stdout, stderr } = spawnSync(command, [path], { input: JSON.stringify(given), encoding: 'utf8' })
    assert.equal(stderr, '')
    const accepted: boolean[] = JSON.parse(stdout)
    assert.deepEqual(
      cases.map(({ rule }, at) => `${rule}: ${accepted[at]}`),
      cases.map(({ rule, accepted }) => `${rule}: ${accepted}`),
    )
  })
}

test('a webhook is sent as the description of its type says', async t => {
  const server = await startWithWebhooks(t)
  const { client, applied } = server
  const receiver = await startReceiver(t)
  const types = [
    'registration.created',
    'registration.cancelled',
    'checkin.created',
    'checkin.undone',
    'abstract.decided',
  ] as const
  await server.subscribe(receiver, ...types)
  const { id, attendees } = await server.register()
  await client.post('/check-ins', { attendee_id: attendees[0].id })
  const accountId = applied.account_id
  await server.db.write(accountId, tx => checkIns.undo(tx, attendees[0].id))
  await client.post(`/registrations/${id}/cancel`)
  const abstract = applied.events['spring-meeting']?.abstracts['A-1']
  await client.post(`/abstracts/${abstract}/decision`, { decision: 'accepted' })
  await onceSettled(server, 'webhooks', 'a ping and five events', () => receiver.received.length === 6)

  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(apiDocument, 'api')
  const seen = receiver.received.map(({ event }) => {
    const { type } = event
    const validate = ajv.compile({
      $ref: `api#/webhooks/${type}/post/requestBody/content/application~1json/schema`,
    })
    assert.ok(validate(event), `${type}: ${ajv.errorsText(validate.errors)}`)
    return type
  })
  assert.deepEqual(seen.sort(), [...types, 'ping'].sort())
})
