import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { isRequired } from '#faces/cli/flags.ts'
import { buildProgram } from '#faces/cli/program.ts'
import { testClock } from '#test/support/clock.ts'
import { codeBlocks, codeSpans, pages } from './pages.ts'

const program = buildProgram({ out: () => {}, err: () => {}, clock: testClock() })

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

const commands = withSubcommands(program)
const flagsOf = (command: Command) => [...command.options.map(option => option.long), '--help']

/** Matches what starts the program: its name alone, or a file that is the program. */
const PROGRAM = /^([^\s=]*\/)?(turnout|turnout\.js|turnout\.cjs|turnout-\S*\.tgz)$/
/** These words may stand before the program. `install -m 755 turnout` names it, and does not start it. */
const STARTERS = ['', 'node', 'npx', 'runuser -u turnout --']

/** Returns the command lines of a shell text that start the program, without its name. */
function invocations(text: string): string[][] {
  return text
    .replaceAll(/'[^']*'|"(\\.|[^"\\])*"/g, quoted => quoted.replaceAll(/[\s|;&()<>]/g, '_'))
    .replaceAll(/\d?>+\s*\S+/g, '')
    .split(/\n|;|\$?\(|\)|&&|\|\|?|&/)
    .flatMap(line => {
      const words = line.trim().split(/\s+/)
      const at = words.findIndex(
        (word, index) => PROGRAM.test(word) && STARTERS.includes(words.slice(0, index).join(' ')),
      )
      return at === -1 ? [] : [words.slice(at + 1)]
    })
}

/** @returns what is wrong with a command line; undefined when nothing is */
function findFault(words: readonly string[]): string | undefined {
  let command = program
  const flags: string[] = []
  const operands: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word.startsWith('-')) {
      flags.push(word)
      if (command.options.find(({ long }) => long === word)?.required) at++
    } else if (command.commands.length > 0) {
      const found = command.commands.find(sub => sub.name() === word)
      if (found === undefined) return `there is no command ${word}`
      command = found
    } else operands.push(word)
  }
  const unknown = flags.find(flag => !flagsOf(command).includes(flag))
  if (unknown !== undefined) return `${command.name()} has no flag ${unknown}`
  if (flags.includes('--help') || flags.includes('--version')) return undefined
  if (command.commands.length > 0) return 'the command is missing'
  const missing = command.options.find(option => isRequired(option) && !flags.includes(option.long as string))
  if (missing !== undefined) return `${missing.long} is missing`
  const wanted = command.registeredArguments.length
  return operands.length === wanted ? undefined : `it has ${operands.length} operands and takes ${wanted}`
}

test('every command line that the README and the docs print is one that the program takes', () => {
  const lines = codeBlocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ page, text }) => invocations(text).map(words => ({ page, words })))
  // The commands of every page are found.
  assert.ok(lines.length > 30, `${lines.length} command lines`)
  for (const { page, words } of lines) {
    assert.equal(findFault(words), undefined, `${page}: turnout ${words.join(' ')}`)
  }
})

test('every command and flag that a sentence of the docs names exists', () => {
  const names = commands.map(command => command.name())
  const flags = new Set(commands.flatMap(flagsOf))
  for (const page of pages) {
    for (const span of codeSpans(page)) {
      const [first = '', ...rest] = span.replace(/^(node bin\/turnout\.js|turnout) (?=[a-z-])/, '').split(' ')
      // The flags of other programs stand behind their names.
      if (!first.startsWith('--') && !names.includes(first)) {
        assert.ok(!/^turnout [a-z]/.test(span), `${page.path}: ${span}`)
        continue
      }
      for (const flag of [first, ...rest].filter(word => word.startsWith('--'))) {
        assert.ok(flags.has(flag), `${page.path}: ${span}`)
      }
      const group = program.commands.find(command => command.name() === first && command.commands.length > 0)
      if (group === undefined || rest[0] === undefined) continue
      assert.ok(
        group.commands.some(command => command.name() === rest[0]),
        `${page.path}: ${span}`,
      )
    }
  }
})

test('every variable that the docs name is that of a flag', () => {
  const existing = new Set(commands.flatMap(({ options }) => options.map(({ envVar }) => envVar)))
  for (const page of pages) {
    const blocks = codeBlocks.filter(block => block.page === page.path).map(({ text }) => text)
    for (const name of [...codeSpans(page), ...blocks].join('\n').match(/TURNOUT_[A-Z_]+/g) ?? []) {
      assert.ok(existing.has(name), `${page.path}: ${name}`)
    }
  }
})

test('a command line that is none is found', () => {
  const faults = [
    ['turnout serve --prot 80', 'serve has no flag --prot'],
    ['cd / && node bin/turnout.js sevre', 'there is no command sevre'],
    ['X=$(runuser -u turnout -- turnout key create --name "a b" --json | cat)', '--scopes is missing'],
    ['./turnout-1.0.0.tgz key', 'the command is missing'],
    ['turnout backup --data "$(date) x" >/dev/null', 'it has 0 operands and takes 1'],
    ['turnout apply a.json b.json', 'it has 2 operands and takes 1'],
  ] as const
  for (const [line, fault] of faults) {
    assert.deepEqual(invocations(line).map(findFault), [fault])
  }
  for (const line of ['install -m 755 turnout /usr/local/bin/turnout', 'DIR=/var/lib/turnout']) {
    assert.deepEqual(invocations(line), [])
  }
})
