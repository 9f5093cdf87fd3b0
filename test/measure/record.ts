import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startMailServer } from '#test/support/mail-server.ts'
import { runCommandIn, startServerProcess } from '#test/support/server-process.ts'
import { Placeholders } from './placeholders.ts'
import { type Program, Recording } from './recording.ts'
import { askApi } from './requests/api.ts'
import { lookAround, work } from './requests/dashboard.ts'
import { scan } from './requests/door.ts'
import { organizationFile } from './requests/organization-file.ts'
import { answerMails, visit } from './requests/visitors.ts'

// npm run record -- --out FILE [--program 'dist/turnout.cjs'] [--args '--flag value …']
//
// Starts a built program on a new folder of data, sends it always the same requests to all of its faces, and writes down what it
// answers: status, headers and body, with placeholders for ids and times. Two runs of one program write the same bytes, so the
// difference of two files is the difference of two programs, or of what `--args` says to their servers.

const { values: flags } = parseArgs({
  options: {
    program: { type: 'string', default: 'dist/turnout.cjs' },
    out: { type: 'string' },
    args: { type: 'string', default: '' },
  },
})
if (flags.out === undefined) throw new Error('Say where to write: --out FILE.')
/** A server that sends no mail for this long has none to send. */
const QUIET = 1500
const ends: (() => unknown)[] = []
const run = { after: (end: () => unknown) => void ends.push(end) }
const folder = mkdtempSync(join(tmpdir(), 'turnout-record-'))
try {
  const recording = await record()
  writeFileSync(flags.out, recording.text)
  process.stdout.write(`${recording.count} requests and commands\n`)
} finally {
  for (const end of ends.reverse()) await end()
  rmSync(folder, { recursive: true, force: true })
}

async function record(): Promise<Recording> {
  const command = commandOf(flags.program)
  const extra = wordsOf(flags.args)
  const data = join(folder, 'data')
  const mails = await startMailServer(run)
  const recording = new Recording(new Placeholders())
  const program: Program = {
    mails,
    allMailed: async () => {
      for (let before = -1; before !== mails.received.length; await setTimeout(QUIET)) {
        before = mails.received.length
      }
    },
    command: async (...args) => {
      const ended = await runCommandIn(run, { command, cwd: folder }, ...args, '--data', data)
      recording.noteCommand(args, ended)
      if (args.includes('--json') && ended.code !== 0) throw new Error(ended.stderr)
      return ended.stdout
    },
  }
  writeFileSync(join(folder, 'organization.json'), JSON.stringify(organizationFile))
  const applied = JSON.parse(await program.command('apply', 'organization.json', '--json'))
  const server = await startServerProcess(run, data, {
    command,
    cwd: folder,
    flags: [
      ...['--test-payments', '--order-rate', '0', '--smtp-url', mails.url, '--mail-rate', '6000'],
      ...['--mail-from', 'tickets@example.org', '--backup-dir', join(folder, 'backups'), ...extra],
    ],
  })
  recording.origin = new URL(server.url).origin
  await askApi(recording, program, applied)
  await visit(recording, program)
  const desk = await work(recording, program, applied)
  await answerMails(recording, program)
  await scan(recording, program, applied)
  await lookAround(desk)
  await trust(recording, command, extra)
  return recording
}

/** A script runs on this Node, unless another one is named before it. */
function commandOf(program: string): string[] {
  const words = wordsOf(program).map(word => (existsSync(word) ? resolve(word) : word))
  return words.length === 1 && /js$/.test(program) ? [process.execPath, ...words] : words
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter(word => word !== '')
}

/** A server with a certificate of its own has one more face, without TLS. */
async function trust(recording: Recording, command: readonly string[], extra: readonly string[]) {
  // Only a port that is chosen here is known: the server tells that of its other face alone in one form for all programs.
  const port = await freePort()
  const flags = ['--local-ca', '--host', '127.0.0.1', '--trust-port', String(port), ...extra]
  await startServerProcess(run, join(folder, 'trusted'), { command, cwd: folder, flags })
  recording.origin = `http://127.0.0.1:${port}`
  for (const path of [
    '/trust',
    '/',
    '/trust/turnout.crt',
    '/trust/turnout.mobileconfig',
    '/trust/nothing',
    '/manage',
  ])
    for (const language of ['en', 'es'])
      await recording.ask('GET', path, { headers: { 'accept-language': language } })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
