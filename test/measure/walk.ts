import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Placeholders } from './placeholders.ts'
import { Recording } from './recording.ts'
import { organizationFile } from './requests/organization-file.ts'
import { begin, type Walk, walks } from './walks.ts'

// npm run walk -- [--tree DIR] [--files]
//
// Takes six walks through the sources of a program, which it drives from outside, and prints for each how many files of `src` have a
// function that was entered, in how many folders these are, and how often the next function was in another file than the one before.
// The tree may be of another commit, with its own node_modules.

const { values: flags } = parseArgs({
  options: { tree: { type: 'string', default: '.' }, files: { type: 'boolean', default: false } },
})
const tree = resolve(flags.tree)
const folder = mkdtempSync(join(tmpdir(), 'turnout-walk-'))
const data = join(folder, 'data')
const children: ChildProcess[] = []
try {
  writeFileSync(join(folder, 'organization.json'), JSON.stringify(organizationFile))
  const applied = JSON.parse(await command('apply', join(folder, 'organization.json'), '--json'))
  const server = start([
    'serve',
    '--port',
    '0',
    '--test-payments',
    '--order-rate',
    '0',
    '--log-level',
    'error',
  ])
  const recording = new Recording(new Placeholders())
  recording.origin = new URL(await listening(server)).origin
  const walker = await begin(recording, applied, command)
  process.stdout.write('| walk | files | folders | changes of file |\n|---|---|---|---|\n')
  for (const [name, walk] of Object.entries(walks)) await measure(server, name, () => walk(walker))
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function measure(server: ChildProcess, name: string, walk: Walk): Promise<void> {
  server.send(true)
  await walk()
  server.send(false)
  const [{ files, changes }] = (await once(server, 'message')) as [{ files: string[]; changes: number }]
  const folders = new Set(files.map(file => dirname(file)))
  process.stdout.write(`| ${name} | ${files.length} | ${folders.size} | ${changes} |\n`)
  if (flags.files) process.stdout.write(files.map(file => `  ${file}\n`).join(''))
}

function start(args: readonly string[]): ChildProcess {
  const hook = fileURLToPath(new URL('entered.mjs', import.meta.url))
  const loaders = ['--expose-internals', '--no-warnings', '--import', 'tsx', '--import', hook]
  const child = spawn(process.execPath, [...loaders, 'src/main.ts', ...args, '--data', data], {
    ...{ cwd: tree, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  })
  children.push(child)
  return child
}

async function command(...args: string[]): Promise<string> {
  const child = start(args)
  let output = ''
  child.stdout?.on('data', text => {
    output += text
  })
  await once(child, 'exit')
  return output
}

async function listening(child: ChildProcess): Promise<string> {
  let output = ''
  for await (const text of child.stdout as NodeJS.ReadableStream) {
    output += text
    const found = /^listening on (\S+)\n/m.exec(output)?.[1]
    if (found !== undefined) return found
  }
  throw new Error('The server ended before it listened.')
}
