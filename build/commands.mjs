import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

/**
 * @typedef {{ flags: string, long: string, short?: string, value?: string, description: string, byDefault?: string, variable?: string,
 *   isRequired: boolean }} Flag
 * @typedef {{ name: string, description: string, isRequired: boolean, isMany: boolean }} Operand
 * @typedef {{ name: string, description: string, operands: Operand[], flags: Flag[], example?: string, commands: Command[] }} Command
 */

let read

/** @returns {Command} the program with all its commands and flags, as the sources declare them */
export function readCommands() {
  read ??= run()
  return read
}

function run() {
  const args = ['--import', 'tsx', 'build/print-commands.mjs']
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd: dirname(import.meta.dirname),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw error ?? new Error(`The commands cannot be read:\n${stderr}`)
  return JSON.parse(stdout)
}

/** @returns {{ path: string[], command: Command }[]} every command that does something, with the words that it is typed by */
export function leavesOf(command, path = []) {
  if (command.commands.length === 0) return [{ path, command }]
  return command.commands.flatMap(each => leavesOf(each, [...path, each.name]))
}

/** What a value is, as its placeholder says, for shells that complete it. */
export function kindOf(placeholder) {
  if (/^(file|path)$/.test(placeholder ?? '')) return 'file'
  if (/^(dir|folder)$/.test(placeholder ?? '')) return 'folder'
  return 'word'
}
