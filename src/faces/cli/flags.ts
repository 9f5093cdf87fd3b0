import { type Command, Option } from 'commander'
import * as v from 'valibot'
import { faultsOf, makeFault, says, tell } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import type { DatabasePlace } from '#machinery/db/open.ts'

/** Returns a flag that the environment can set too. For example, TURNOUT_BASE_URL sets `--base-url`. */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.env(`TURNOUT_${option.name().replaceAll('-', '_').toUpperCase()}`)
}

const requiredFlags = new WeakSet<Option>()

/** Returns a required flag. The parser's own mandatory flags do not fit: it reports only the first, and before unknown flags. */
export function required(flags: string, description: string): Option {
  const option = flag(flags, description)
  requiredFlags.add(option)
  return option
}

export function isRequired(option: Option): boolean {
  return requiredFlags.has(option)
}

/** Ends a command line as wrong usage if required flags are missing, and names them all. */
export function refuseMissingFlags(command: Command): void {
  const missing = command.options.filter(
    option => isRequired(option) && command.getOptionValue(option.attributeName()) === undefined,
  )
  if (missing.length === 0) return
  const named = missing.map(({ flags }) => `'${flags}'`).join(', ')
  command.error(`error: required option${missing.length > 1 ? 's' : ''} ${named} not specified`)
}

export const dataFlag = () => flag('--data <dir>', 'the data folder').default('./data')

export const databaseUrlFlag = () =>
  flag(
    '--database-url <url>',
    'the PostgreSQL database instead of the file in the data folder, or the file that has its address',
  )

export const jsonFlag = () => flag('--json', 'print one JSON document instead')

export const insecureWebhooksFlag = () =>
  flag('--allow-insecure-webhooks', 'allow webhooks to http and private addresses')

export interface CommonFlags extends DatabasePlace {
  json?: boolean
}

/**
 * Checks the value of a flag against the schema of its field.
 *
 * @throws Problem invalid_parameter; its message names the flag
 */
export function readFlag<Output>(
  name: string,
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): Output {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [{ fault }] = faultsOf(result.issues)
  throw new Problem('invalid_parameter', { message: tell(name, fault) })
}

/** Returns the schema of a list of some of these words, separated by commas. */
export function someOf<const Value extends string>(values: readonly Value[]) {
  return v.pipe(
    v.string(says('string')),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const words = dataset.value.split(',').map(word => word.trim())
      const wrong = words.filter(word => !values.some(value => value === word))
      if (wrong.length === 0) return words as Value[]
      addIssue({ message: says('someOf', { values, wrong }) })
      return NEVER
    }),
  )
}

/** Returns the schema of a whole number that a flag gives as text. */
export function wholeNumber(min: number, max: number) {
  const message = says('wholeNumber', { min, max })
  return v.pipe(
    v.string(message),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

/**
 * Reads the environment as people write it. An empty variable counts as unset, and TURNOUT_JSON=0 means no, although the parser
 * takes any value for a yes.
 *
 * @throws Problem invalid_parameter for a word that is neither yes nor no, and for `--data ''`, which would be the current
 *   folder
 */
export function readEnvironment(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'env') continue
    const word = process.env[option.envVar as string] ?? ''
    if (word === '') command.setOptionValueWithSource(name, option.defaultValue, 'default')
    else if (option.isBoolean()) command.setOptionValueWithSource(name, readSwitch(option, word), 'env')
  }
  if (command.getOptionValue('data') === '') {
    throw new Problem('invalid_parameter', { message: tell('--data', makeFault('folder')) })
  }
}

function readSwitch(option: Option, word: string): boolean {
  if (/^(1|true|yes|on)$/i.test(word)) return true
  if (/^(0|false|no|off)$/i.test(word)) return false
  throw new Problem('invalid_parameter', { message: `${option.envVar} must be 1 or 0.` })
}
